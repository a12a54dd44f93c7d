/**
 * The rules on arrays.
 * Invariant: uniqueness is shown only where equality by value and by identity are the same, on scalars.
 */
import {
  ARRAY_MAX_SIZE,
  ARRAY_MIN_SIZE,
  ARRAY_NOT_EMPTY,
  ARRAY_UNIQUE,
  arrayMaxSize,
  arrayMinSize,
  arrayNotEmpty,
  arrayUnique,
  IS_ARRAY,
  IS_BOOLEAN,
  IS_ENUM,
  IS_IN,
  IS_INT,
  IS_NUMBER,
  IS_STRING,
  isArray,
} from 'class-validator';
import {
  BOUND_REFUSED,
  type Contribution,
  confirmed,
  exact,
  numberAt,
  type Rule,
  validatorOnly,
} from './rule';

const SCALAR_RULES: readonly string[] = [IS_STRING, IS_INT, IS_NUMBER, IS_BOOLEAN, IS_ENUM, IS_IN];

function sized(keyword: 'minItems' | 'maxItems', constraints: readonly unknown[]): Contribution {
  const bound = numberAt(constraints, 0);
  return bound === undefined || bound < 0 || !Number.isInteger(bound)
    ? BOUND_REFUSED
    : exact({ type: 'array', [keyword]: bound });
}

function arrayOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The rules on arrays. */
export const ARRAY_RULES: readonly Rule[] = [
  { name: IS_ARRAY, predicate: (value) => isArray(value), contribute: () => exact({ type: 'array' }) },
  {
    name: ARRAY_MIN_SIZE,
    predicate: (value, [bound]) => arrayMinSize(value, Number(bound)),
    contribute: (constraints) => sized('minItems', constraints),
  },
  {
    name: ARRAY_MAX_SIZE,
    predicate: (value, [bound]) => arrayMaxSize(value, Number(bound)),
    contribute: (constraints) => sized('maxItems', constraints),
  },
  {
    name: ARRAY_NOT_EMPTY,
    predicate: (value) => arrayNotEmpty(value),
    contribute: () => exact({ type: 'array', minItems: 1 }),
  },
  {
    name: ARRAY_UNIQUE,
    predicate: (value) => Array.isArray(value) && arrayUnique(arrayOf(value)),
    contribute: (_, { elements }) =>
      SCALAR_RULES.some((name) => elements.has(name))
        ? confirmed({ type: 'array', uniqueItems: true })
        : validatorOnly({ type: 'array' }),
    // A selector, which class-validator keeps to itself, only makes the rule stricter.
    otherwise: validatorOnly({ type: 'array' }),
  },
];
