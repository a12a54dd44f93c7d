/**
 * The rules on numbers.
 * Invariant: an integer is one that JSON carries exactly (RFC 8259, section 6), so it lies within ±(2^53−1).
 */
import {
  IS_INT,
  IS_NEGATIVE,
  IS_NUMBER,
  IS_POSITIVE,
  isInt,
  isNegative,
  isNumber,
  isPositive,
  MAX,
  MIN,
  max,
  min,
} from 'class-validator';
import {
  BOUND_REFUSED,
  type Contribution,
  exact,
  numberAt,
  optionsOf,
  type Rule,
  refused,
  validatorOnly,
} from './rule';

function bounded(keyword: 'minimum' | 'maximum', constraints: readonly unknown[]): Contribution {
  const bound = numberAt(constraints, 0);
  return bound === undefined ? BOUND_REFUSED : exact({ type: 'number', [keyword]: bound });
}

function contributeNumber([constraint]: readonly unknown[]): Contribution {
  const options = optionsOf(constraint);
  if (options.allowNaN === true || options.allowInfinity === true) {
    return refused('JSON has no NaN and no Infinity', 'Leave allowNaN and allowInfinity out.');
  }
  return options.maxDecimalPlaces === undefined
    ? exact({ type: 'number' })
    : validatorOnly({ type: 'number' });
}

/** The rules on numbers. */
export const NUMBER_RULES: readonly Rule[] = [
  {
    name: IS_NUMBER,
    predicate: (value, [options]) => isNumber(value, optionsOf(options)),
    contribute: contributeNumber,
  },
  { name: IS_INT, predicate: (value) => isInt(value), contribute: () => exact({ type: 'integer' }) },
  {
    name: MIN,
    predicate: (value, [bound]) => min(value, Number(bound)),
    contribute: (constraints) => bounded('minimum', constraints),
  },
  {
    name: MAX,
    predicate: (value, [bound]) => max(value, Number(bound)),
    contribute: (constraints) => bounded('maximum', constraints),
  },
  {
    name: IS_POSITIVE,
    predicate: (value) => isPositive(value),
    contribute: () => exact({ type: 'number', exclusiveMinimum: 0 }),
  },
  {
    name: IS_NEGATIVE,
    predicate: (value) => isNegative(value),
    contribute: () => exact({ type: 'number', exclusiveMaximum: 0 }),
  },
];
