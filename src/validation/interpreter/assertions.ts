/**
 * The keywords of JSON Schema that look at one value and apply no further schema.
 * Invariant: what they find wrong they say in Ajv's form, one entry for each error.
 */
import codePointsOf from 'ajv/dist/runtime/ucs2length';
import type { JsonSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';
import { memberOf } from '../../metadata/members';
import type { SchemaError } from '../compiled-schema';
import { isMultipleOf } from '../multiple-of';

type Params = SchemaError['params'];

/** What is wrong with a value by one keyword; nothing where the keyword holds. */
export type Assertion = (
  stated: JsonValue | undefined,
  value: unknown,
  schema: JsonSchema,
) => readonly Params[];

/** A keyword, and the type of the values that it looks at; it looks at all where none is named. */
export type Listed<Rule> = readonly [keyword: string, type: string | undefined, rule: Rule];

const HOLDS: readonly Params[] = [];

/** The type of a value in the words of JSON Schema. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isOfType(value: unknown, type: unknown): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;
}

/** The keys of an object that are its own. */
export function keysOf(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

/** An own member of an object, or an element. */
export function ownOf(holder: unknown, key: string | number): unknown {
  const isOwn = typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key);
  return isOwn ? memberOf(holder, String(key)) : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Tells whether two values are the same JSON. */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeOf(one) !== typeOf(other) || typeof one !== 'object' || one === null) return false;
  const keys = keysOf(one);
  if (keys.length !== keysOf(other).length) return false;
  return keys.every((key) => ownOf(other, key) !== undefined && isEqual(ownOf(one, key), ownOf(other, key)));
}

/** The elements that Ajv compares: where all must be of scalar types, those that are. */
function comparedOf(list: readonly unknown[], items: unknown): readonly unknown[] {
  const stated = ownOf(items, 'type');
  const types = stated === undefined ? [] : [stated].flat();
  const isScalar = types.length > 0 && !types.includes('object') && !types.includes('array');
  return isScalar ? list.filter((one) => types.some((type) => isOfType(one, type))) : list;
}

function isUnique(list: readonly unknown[]): boolean {
  if (new Set(list).size < list.length) return false;
  const earlier: unknown[] = [];
  for (const one of list) {
    if (typeof one !== 'object' || one === null) continue;
    if (earlier.some((other) => isEqual(one, other))) return false;
    earlier.push(one);
  }
  return true;
}

function compared(comparison: string, holds: (value: number, limit: number) => boolean): Assertion {
  return (limit, value) =>
    typeof value !== 'number' || typeof limit !== 'number' || holds(value, limit)
      ? HOLDS
      : [{ comparison, limit }];
}

/** A bound of how many units, elements or members there are. */
function counted(count: (value: unknown, limit: number) => number, isLeast: boolean): Assertion {
  return (limit, value) => {
    if (typeof limit !== 'number') return HOLDS;
    const found = count(value, limit);
    return (isLeast ? found >= limit : found <= limit) ? HOLDS : [{ limit }];
  };
}

/** How many code points a text has; its units tell where they are few, or many, enough. */
function lengthOf(value: unknown, limit: number): number {
  if (typeof value !== 'string') return 0;
  const isClear = value.length < limit || value.length >= 2 * limit + 2;
  return isClear ? value.length : codePointsOf(value);
}

const elementsOf = (value: unknown) => listOf(value).length;
const membersOf = (value: unknown) => keysOf(value).length;

function missing(names: unknown, value: unknown): readonly Params[] {
  const absent = listOf(names).filter((name) => typeof name === 'string' && ownOf(value, name) === undefined);
  return absent.map((missingProperty) => ({ missingProperty }));
}

const missingDependents: Assertion = (stated, value) =>
  keysOf(stated).flatMap((name) =>
    ownOf(value, name) === undefined ? [] : missing(ownOf(stated, name), value),
  );

/** The keywords in the order in which Ajv looks at them. */
export const ASSERTIONS: readonly Listed<Assertion>[] = [
  ['maximum', 'number', compared('<=', (value, limit) => value <= limit)],
  ['minimum', 'number', compared('>=', (value, limit) => value >= limit)],
  ['exclusiveMaximum', 'number', compared('<', (value, limit) => value < limit)],
  ['exclusiveMinimum', 'number', compared('>', (value, limit) => value > limit)],
  [
    'multipleOf',
    'number',
    (multipleOf, value) =>
      typeof value !== 'number' || typeof multipleOf !== 'number' || isMultipleOf(value, multipleOf)
        ? HOLDS
        : [{ multipleOf }],
  ],
  ['maxLength', 'string', counted(lengthOf, false)],
  ['minLength', 'string', counted(lengthOf, true)],
  [
    'type',
    undefined,
    (type, value) => ([type].flat().some((one) => isOfType(value, one)) ? HOLDS : [{ type }]),
  ],
  ['const', undefined, (allowedValue, value) => (isEqual(value, allowedValue) ? HOLDS : [{ allowedValue }])],
  [
    'enum',
    undefined,
    (allowedValues, value) =>
      listOf(allowedValues).some((one) => isEqual(value, one)) ? HOLDS : [{ allowedValues }],
  ],
  ['maxItems', 'array', counted(elementsOf, false)],
  ['minItems', 'array', counted(elementsOf, true)],
  [
    'uniqueItems',
    'array',
    (stated, value, { items }) =>
      stated !== true || isUnique(comparedOf(listOf(value), items)) ? HOLDS : [{}],
  ],
  ['maxProperties', 'object', counted(membersOf, false)],
  ['minProperties', 'object', counted(membersOf, true)],
  ['required', 'object', missing],
  ['dependentRequired', 'object', missingDependents],
];
