/**
 * The types that a value may have, and how a dialect lists them.
 * Invariant: types that no listed value has are left out, and nothing else.
 */
import type { JsonValue } from '../../errors/body';
import type { Conjunction } from './conjunction';
import type { DialectRules } from './rules';

/** The types of JSON. */
export const TYPES: readonly string[] = ['null', 'boolean', 'number', 'string', 'array', 'object'];

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Tells whether a value is of a type, as JSON Schema reads it. */
export function isOfType(value: JsonValue, type: string): boolean {
  return typeOf(value) === type || (type === 'integer' && Number.isInteger(value));
}

/** The types that are left; undefined: any. */
export function typesOf({ types, values }: Conjunction): readonly string[] | undefined {
  if (values === undefined) return types === undefined ? undefined : [...types];
  const own = types === undefined ? [...new Set(values.map(typeOf))] : [...types];
  return own.filter((type) => values.some((value) => isOfType(value, type)));
}

/** Splits types into groups that one node each can stand for; holders of other values come first. */
export function splitTypes(
  types: readonly string[],
  { properties, items, additional, isClosed }: Conjunction,
  { hasTypeUnions }: DialectRules,
): readonly (readonly string[])[] {
  if (!hasTypeUnions) return types.map((type) => [type]);
  const isShaped = properties.size > 0 || items.length > 0 || additional.length > 0 || isClosed;
  const holders = types.filter((type) => ['object', 'array'].includes(type));
  if (types.length === 1 || holders.length === 0 || !isShaped) return [types];
  const scalars = types.filter((type) => !holders.includes(type));
  return [...holders.map((type) => [type]), ...(scalars.length === 0 ? [] : [scalars])];
}
