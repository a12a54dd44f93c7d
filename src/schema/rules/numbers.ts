/**
 * The rules on numbers.
 * Invariant: an integer is one that JSON carries exactly (RFC 8259, section 6), so it lies within ±(2^53−1).
 */
import { IsDivisibleBy, IsInt, IsNegative, IsNumber, IsPositive, Max, Min } from 'class-validator';
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

function contributeDivisor(constraints: readonly unknown[]): Contribution {
  const divisor = numberAt(constraints, 0);
  // class-validator divides by what parseInt reads in the divisor, which is another number for 0.5, 2.5 or 1e21.
  if (divisor === undefined || divisor === 0 || Number.parseInt(String(divisor), 10) !== divisor) {
    return refused(
      'class-validator reads another divisor than the one that is written',
      'Give an integer other than 0, and count in smaller units: cents for 0.01.',
    );
  }
  return exact({ type: 'integer', multipleOf: Math.abs(divisor) });
}

const AROUND_ZERO = [-1e-7, 1e-7, -0.5, 0.5, 2, Number.MAX_SAFE_INTEGER, 1e21];

/** The rules on numbers. */
export const NUMBER_RULES: readonly Rule[] = [
  { decorator: IsNumber(), near: [1.25, 1.234, '1'], contribute: contributeNumber },
  { decorator: IsInt(), near: [...AROUND_ZERO, '1'], contribute: () => exact({ type: 'integer' }) },
  {
    decorator: Min(1),
    near: AROUND_ZERO,
    contribute: (constraints) => bounded('minimum', constraints),
  },
  {
    decorator: Max(1),
    near: AROUND_ZERO,
    contribute: (constraints) => bounded('maximum', constraints),
  },
  {
    decorator: IsPositive(),
    near: AROUND_ZERO,
    contribute: () => exact({ type: 'number', exclusiveMinimum: 0 }),
  },
  {
    decorator: IsNegative(),
    near: AROUND_ZERO,
    contribute: () => exact({ type: 'number', exclusiveMaximum: 0 }),
  },
  { decorator: IsDivisibleBy(1), near: [...AROUND_ZERO, 6, '6'], contribute: contributeDivisor },
];
