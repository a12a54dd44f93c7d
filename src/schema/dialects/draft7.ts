/**
 * Reads a schema of draft 7 as 2020-12 does, where the two differ on references.
 * Invariant: what draft 7 ignores beside a `$ref` is gone, and noted; all places stay what they were.
 */
import { childPointer } from '../../contract/pointer';
import { isSchema, type JsonSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';
import type { Ledger } from './ledger';

const DRAFT_7 = /^http:\/\/json-schema\.org\/draft-07\/schema#?$/;
const BY_NAME = ['properties', 'patternProperties', 'dependencies', 'definitions'];
const APPLIED = ['items', 'additionalItems', 'contains', 'additionalProperties', 'propertyNames'];
const COMBINED = ['not', 'if', 'then', 'else', 'allOf', 'anyOf', 'oneOf'];
const HOLDERS = new Set([...BY_NAME, ...APPLIED, ...COMBINED]);
/** References may lead into definitions wherever they stand. */
const STAYS = new Set(['$ref', '$schema', 'definitions', '$defs']);

function withoutNeighbours(schema: JsonSchema, at: string, ledger: Ledger): JsonSchema {
  const isReference = typeof schema.$ref === 'string';
  const written = Object.entries(schema).flatMap(([keyword, value]): readonly [string, JsonValue][] => {
    if (isReference && !STAYS.has(keyword)) {
      ledger.note(at, keyword, 'dropped', 'beside $ref');
      return [];
    }
    return [
      [keyword, HOLDERS.has(keyword) ? held(keyword, value, childPointer(at, keyword), ledger) : value],
    ];
  });
  return Object.fromEntries(written);
}

function held(keyword: string, value: JsonValue, at: string, ledger: Ledger): JsonValue {
  const inner = (one: JsonValue, place: string) =>
    isSchema(one) ? withoutNeighbours(one, place, ledger) : one;
  if (Array.isArray(value)) return value.map((one, index) => inner(one, childPointer(at, index)));
  if (!BY_NAME.includes(keyword) || !isSchema(value)) return inner(value, at);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, inner(one, childPointer(at, name))]),
  );
}

/** Takes what draft 7 ignores out of a schema that says to be of it; any other is given back as it is. */
export function readDraft7(root: JsonSchema, ledger: Ledger): JsonSchema {
  return DRAFT_7.test(String(root.$schema)) ? withoutNeighbours(root, '', ledger) : root;
}
