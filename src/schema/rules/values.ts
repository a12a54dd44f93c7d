/**
 * The rules that list values, and those that hold for values of any type.
 * Invariant: only values that JSON carries stand in an `enum`.
 */
import {
  EQUALS,
  equals,
  IS_BOOLEAN,
  IS_DEFINED,
  IS_ENUM,
  IS_IN,
  IS_NOT_EMPTY,
  IS_OBJECT,
  IS_STRING,
  isBoolean,
  isDefined,
  isEnum,
  isIn,
  isNotEmpty,
  isObject,
} from 'class-validator';
import type { JsonSchema } from '../../contract/schema';
import { type Contribution, exact, type Rule, refused } from './rule';

type Scalar = string | number | boolean | null;

function isScalar(value: unknown): value is Scalar {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function typeOfAll(values: readonly Scalar[]): JsonSchema {
  if (values.every((value) => typeof value === 'string')) return { type: 'string' };
  if (values.every((value) => typeof value === 'boolean')) return { type: 'boolean' };
  if (values.every((value) => Number.isInteger(value))) return { type: 'integer' };
  if (values.every((value) => typeof value === 'number')) return { type: 'number' };
  return {};
}

function oneOfValues(values: readonly unknown[]): Contribution {
  const scalars = values.filter(isScalar);
  if (scalars.length === 0 || scalars.length < values.length) {
    return refused(
      'the list is empty or holds values that JSON has no scalar for',
      'List texts, finite numbers, booleans or null.',
    );
  }
  return exact({ ...typeOfAll(scalars), enum: [...new Set(scalars)] });
}

/** The values of a TypeScript enum; the entries that map a number back to its name are left out. */
function enumValues(entity: object): readonly unknown[] {
  if (Array.isArray(entity)) return entity;
  const values = new Map<string, unknown>(Object.entries(entity));
  const isReverse = (name: string, value: unknown) =>
    typeof value === 'string' && typeof values.get(value) === 'number' && String(values.get(value)) === name;
  return [...values].filter(([name, value]) => !isReverse(name, value)).map(([, value]) => value);
}

/** The rules that list values, and those that hold for values of any type. */
export const VALUE_RULES: readonly Rule[] = [
  { name: IS_BOOLEAN, predicate: (value) => isBoolean(value), contribute: () => exact({ type: 'boolean' }) },
  { name: IS_OBJECT, predicate: (value) => isObject(value), contribute: () => exact({ type: 'object' }) },
  {
    name: IS_DEFINED,
    predicate: (value) => isDefined(value),
    contribute: () => exact({ not: { enum: [null] } }),
  },
  {
    name: IS_NOT_EMPTY,
    predicate: (value) => isNotEmpty(value),
    contribute: (_, { siblings }) =>
      siblings.has(IS_STRING)
        ? exact({ type: 'string', minLength: 1 })
        : exact({ not: { enum: ['', null] } }),
  },
  {
    name: IS_ENUM,
    predicate: (value, [entity]) => isEnum(value, entity),
    contribute: ([entity]) =>
      typeof entity === 'object' && entity !== null
        ? oneOfValues(enumValues(entity))
        : refused('the enum is not an object', 'Give a TypeScript enum or an array of values.'),
  },
  {
    name: IS_IN,
    predicate: (value, [values]) => Array.isArray(values) && isIn(value, values),
    contribute: ([values]) => oneOfValues(Array.isArray(values) ? values : []),
  },
  {
    name: EQUALS,
    predicate: (value, [comparison]) => equals(value, comparison),
    contribute: ([comparison]) => oneOfValues([comparison]),
  },
];
