/**
 * What a schema node demands, in words for a reviewer.
 * Invariant: every keyword that constrains is told; one that has no words here stands as it is.
 */
import { isSchema, type JsonSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';
import { DATE_SCHEMA } from '../../schema/rules/dates';
import { FREE_FORM_KEYS } from '../../schema/stricter';

/** Keywords that are told elsewhere: as the type, as other fields, or as words. */
const TOLD_ELSEWHERE: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$ref',
  '$defs',
  'type',
  'enum',
  'const',
  'properties',
  'required',
  'items',
  'allOf',
  'anyOf',
  'oneOf',
  'description',
  'default',
  'examples',
]);

const UNITS: readonly (readonly [lowest: string, highest: string, unit: string])[] = [
  ['minLength', 'maxLength', 'characters'],
  ['minItems', 'maxItems', 'elements'],
  ['minProperties', 'maxProperties', 'properties'],
];

const SIGNS: readonly (readonly [keyword: string, sign: string])[] = [
  ['minimum', '≥'],
  ['exclusiveMinimum', '>'],
  ['maximum', '≤'],
  ['exclusiveMaximum', '<'],
];

/** Writes JSON values in a list. */
export function listed(values: readonly JsonValue[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}

function rangeOf(node: JsonSchema, [lowest, highest, unit]: (typeof UNITS)[number]): readonly string[] {
  const [from, to] = [node[lowest], node[highest]];
  if (from !== undefined && to !== undefined)
    return [from === to ? `${from} ${unit}` : `${from} to ${to} ${unit}`];
  if (from !== undefined) return [`at least ${from} ${unit}`];
  return to === undefined ? [] : [`at most ${to} ${unit}`];
}

function boundOf(node: JsonSchema, [keyword, sign]: (typeof SIGNS)[number]): readonly string[] {
  const bound = node[keyword];
  // An integer's own bounds are those of JSON, and nobody's decision.
  const isNone = bound === undefined || Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER;
  return isNone ? [] : [`${sign} ${JSON.stringify(bound)}`];
}

function wordsOf(keyword: string, value: JsonValue): readonly string[] {
  const json = JSON.stringify(value);
  if (keyword === 'pattern') return value === DATE_SCHEMA.pattern ? [] : [`pattern ${value}`];
  if (keyword === 'format') return [value === DATE_SCHEMA.format ? 'RFC 3339 date-time' : `format ${value}`];
  if (keyword === 'uniqueItems') return value === true ? ['no element twice'] : [];
  if (keyword === 'propertyNames' && json === JSON.stringify(FREE_FORM_KEYS)) return [];
  if (keyword === 'additionalProperties') return value === false ? [] : ['further properties'];
  if (keyword === 'not' && isSchema(value) && Array.isArray(value.enum)) {
    return [`none of ${listed(value.enum)}`];
  }
  return [`${keyword} ${json}`];
}

const TOLD_IN_ORDER: ReadonlySet<string> = new Set([...UNITS.flat(), ...SIGNS.map(([keyword]) => keyword)]);

/** What a node demands beside its type, one demand each. */
export function constraintsOf(node: JsonSchema): readonly string[] {
  const others = Object.entries(node).filter(
    ([keyword]) => !TOLD_IN_ORDER.has(keyword) && !TOLD_ELSEWHERE.has(keyword),
  );
  return [
    ...UNITS.flatMap((unit) => rangeOf(node, unit)),
    ...SIGNS.flatMap((sign) => boundOf(node, sign)),
    ...others.flatMap(([keyword, value]) => wordsOf(keyword, value)),
  ];
}
