/**
 * The two drafts of JSON Schema that an imported schema may be written in, and where each has subschemas.
 * Invariant: what is listed here is all that the gate reads of a schema; every other keyword is for the model.
 */
import { DIALECT, type JsonSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';

/** A draft that is understood. */
export type Draft = '2020-12' | '7';

const DRAFTS: ReadonlyMap<string, Draft> = new Map([
  [DIALECT, '2020-12'],
  ['http://json-schema.org/draft-07/schema', '7'],
]);

/** The draft that a schema says it is written in; 2020-12 when it says nothing. */
export function draftOf({ $schema }: JsonSchema): Draft | undefined {
  if ($schema === undefined) return '2020-12';
  return typeof $schema === 'string' ? DRAFTS.get($schema.replace(/#$/, '')) : undefined;
}

const ASSERTIONS_OF_7 = [
  ...['type', 'const', 'enum', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems'],
  ...['maxProperties', 'minProperties', 'required'],
];

/** Keywords whose value is read as it stands. */
export const ASSERTIONS: { readonly [draft in Draft]: ReadonlySet<string> } = {
  '7': new Set(ASSERTIONS_OF_7),
  '2020-12': new Set([...ASSERTIONS_OF_7, 'maxContains', 'minContains', 'dependentRequired']),
};

const APPLICATORS_OF_7 = [
  ...['items', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'],
  ...['allOf', 'anyOf', 'oneOf', 'properties', 'patternProperties', 'dependencies'],
];

/** Keywords whose value is a schema, a list of schemas, or schemas by name, that apply to values. */
export const APPLICATORS: { readonly [draft in Draft]: ReadonlySet<string> } = {
  '7': new Set([...APPLICATORS_OF_7, 'additionalItems']),
  '2020-12': new Set([
    ...APPLICATORS_OF_7,
    ...['prefixItems', 'unevaluatedItems', 'unevaluatedProperties', 'dependentSchemas'],
  ]),
};

const DEFINITIONS: { readonly [draft in Draft]: ReadonlySet<string> } = {
  '7': new Set(['definitions']),
  '2020-12': new Set(['$defs', 'definitions', 'contentSchema']),
};

const BY_NAME = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'],
]);

/** Tells whether the value of a keyword is an object of schemas by name. */
export function isByName(keyword: string): boolean {
  return BY_NAME.has(keyword);
}

/** A subschema and the reference tokens that lead to it. */
export interface Subschema {
  readonly tokens: readonly string[];
  readonly value: JsonValue;
}

/** What stands in the places of a schema that its draft reads as subschemas. */
export function subschemasOf(schema: JsonSchema, draft: Draft): readonly Subschema[] {
  return Object.entries(schema).flatMap(([keyword, value]): readonly Subschema[] => {
    if (!APPLICATORS[draft].has(keyword) && !DEFINITIONS[draft].has(keyword)) return [];
    if (Array.isArray(value) || (isByName(keyword) && typeof value === 'object' && value !== null)) {
      return Object.entries(value).map(([name, inner]) => ({ tokens: [keyword, name], value: inner }));
    }
    return [{ tokens: [keyword], value }];
  });
}
