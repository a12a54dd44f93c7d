/**
 * The rules that list values, and those that hold for values of any type.
 * Invariant: only values that JSON carries stand in an `enum`; a value that JSON cannot carry never arrives, so
 * forbidding it says nothing.
 */
import {
  Equals,
  IS_STRING,
  IsBoolean,
  IsDefined,
  IsEmpty,
  IsEnum,
  IsIn,
  IsInstance,
  IsNotEmpty,
  IsNotEmptyObject,
  IsNotIn,
  IsObject,
  NotEquals,
} from 'class-validator';
import type { JsonSchema } from '../../contract/schema';
import { type Contribution, exact, optionsOf, type Rule, refused } from './rule';

type Scalar = string | number | boolean | null;

function isScalar(value: unknown): value is Scalar {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

/** The values of a list that JSON carries and compares as class-validator does, each once. */
export function scalarsOf(values: readonly unknown[]): readonly Scalar[] {
  // JSON text has no -0 apart from 0, and neither has class-validator's comparison.
  return [...new Set(values.filter(isScalar).map((value) => (value === 0 ? 0 : value)))];
}

function typeOfAll(values: readonly Scalar[]): JsonSchema {
  if (values.every((value) => typeof value === 'string')) return { type: 'string' };
  if (values.every((value) => typeof value === 'boolean')) return { type: 'boolean' };
  if (values.every((value) => Number.isInteger(value))) return { type: 'integer' };
  if (values.every((value) => typeof value === 'number')) return { type: 'number' };
  return {};
}

function oneOfValues(values: readonly unknown[]): Contribution {
  const scalars = scalarsOf(values);
  if (scalars.length === 0 || !values.every(isScalar)) {
    return refused(
      'the list is empty or holds values that JSON has no scalar for',
      'List texts, finite numbers, booleans or null.',
    );
  }
  return exact({ ...typeOfAll(scalars), enum: scalars });
}

function noneOfValues(values: readonly unknown[]): Contribution {
  const scalars = scalarsOf(values);
  return exact(scalars.length === 0 ? {} : { not: { enum: scalars } });
}

function listOf(constraint: unknown): readonly unknown[] {
  return Array.isArray(constraint) ? constraint : [];
}

/** The values of a TypeScript enum; the entries that map a number back to its name are left out. */
function enumValues(entity: object): readonly unknown[] {
  if (Array.isArray(entity)) return entity;
  const values = new Map<string, unknown>(Object.entries(entity));
  const isReverse = (name: string, value: unknown) =>
    typeof value === 'string' && typeof values.get(value) === 'number' && String(values.get(value)) === name;
  return [...values].filter(([name, value]) => !isReverse(name, value)).map(([, value]) => value);
}

class Nothing {}

/** The rules that list values, and those that hold for values of any type. */
export const VALUE_RULES: readonly Rule[] = [
  { decorator: IsBoolean(), near: ['true', 'false'], contribute: () => exact({ type: 'boolean' }) },
  { decorator: IsObject(), near: [[{}], new Map()], contribute: () => exact({ type: 'object' }) },
  {
    decorator: IsNotEmptyObject(),
    near: [{ a: null }, { a: undefined }, { a: null, b: 1 }, [1]],
    contribute: ([constraint]) =>
      optionsOf(constraint).nullable === false
        ? exact({ type: 'object', not: { additionalProperties: { type: 'null' } } })
        : exact({ type: 'object', minProperties: 1 }),
  },
  {
    decorator: IsInstance(Nothing),
    near: [new Nothing()],
    contribute: () =>
      refused('JSON carries no instances', 'Nest a DTO with @ValidateNested() and @Type(() => Class).'),
  },
  { decorator: IsDefined(), near: [], contribute: () => exact({ not: { enum: [null] } }) },
  { decorator: IsEmpty(), near: [' '], contribute: () => exact({ enum: ['', null] }) },
  {
    decorator: IsNotEmpty(),
    near: [' '],
    contribute: (_, { siblings }) =>
      siblings.has(IS_STRING)
        ? exact({ type: 'string', minLength: 1 })
        : exact({ not: { enum: ['', null] } }),
  },
  {
    decorator: IsEnum({ a: 1 }),
    near: ['A', 'B'],
    contribute: ([entity]) =>
      typeof entity === 'object' && entity !== null
        ? oneOfValues(enumValues(entity))
        : refused('the enum is not an object', 'Give a TypeScript enum or an array of values.'),
  },
  { decorator: IsIn([1]), near: [], contribute: ([values]) => oneOfValues(listOf(values)) },
  { decorator: IsNotIn([1]), near: [], contribute: ([values]) => noneOfValues(listOf(values)) },
  { decorator: Equals(1), near: [], contribute: ([comparison]) => oneOfValues([comparison]) },
  { decorator: NotEquals(1), near: [], contribute: ([comparison]) => noneOfValues([comparison]) },
];
