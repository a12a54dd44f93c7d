/**
 * The closed list of readings in which schema and gate differ from class-validator alone, and the keywords
 * that make two of them visible in the schema.
 * Invariant: schema and gate agree everywhere; any difference from class-validator is one of these.
 */
import { RESERVED_NAMES } from '../contract/names';
import type { JsonSchema } from '../contract/schema';

/** All readings that differ from class-validator's own: stricter ones, and one looser. */
export const STRICTER_READINGS = Object.freeze({
  each_means_array: 'A rule with each: true takes an array, never a bare value.',
  nested_is_object: 'A nested DTO takes an object, never an array in its place.',
  required: 'A declared property that is neither optional nor initialised is required.',
  no_prototype_keys: 'No object admits an undeclared key that Object.prototype has.',
  numeric_enum: 'A numeric enum takes its numbers, never the names of its members.',
  rfc3339_dates: 'A Date takes RFC 3339 date-time text that exists in the calendar.',
  exact_integers: 'An integer lies within the range that JSON carries exactly, ±(2^53−1).',
  finite_numbers: 'A number is finite; 1e400, which JSON.parse reads as infinity, is refused.',
  no_conversion:
    '@Type(() => Number), String or Boolean names the type of the JSON value, and converts nothing.',
  known_discriminators: 'A union takes the tags that it lists, and never falls back to its base class.',
  throwing_rule: 'A rule that throws has refused.',
  empty_dto: 'Looser: a DTO without properties takes {}, which class-validator refuses.',
});

/** Keeps free-form objects from carrying keys that Object.prototype has. */
export const FREE_FORM_KEYS: JsonSchema = Object.freeze({
  not: Object.freeze({ enum: Object.freeze([...RESERVED_NAMES].sort()) }),
});

/** Narrows an integer's bounds to what JSON carries exactly (RFC 8259, section 6). */
export function boundInteger(node: JsonSchema): JsonSchema {
  if ('enum' in node) return node;
  const { MIN_SAFE_INTEGER: lowest, MAX_SAFE_INTEGER: highest } = Number;
  const bound = (keyword: string, none: number) => Number(node[keyword] ?? none);
  const isAbove = bound('exclusiveMinimum', Number.NEGATIVE_INFINITY) >= lowest;
  const isBelow = bound('exclusiveMaximum', Number.POSITIVE_INFINITY) <= highest;
  return {
    ...node,
    ...(isAbove && !('minimum' in node) ? {} : { minimum: Math.max(bound('minimum', lowest), lowest) }),
    ...(isBelow && !('maximum' in node) ? {} : { maximum: Math.min(bound('maximum', highest), highest) }),
  };
}
