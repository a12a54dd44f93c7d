/**
 * Walks the nodes of a schema.
 * Invariant: only what JSON Schema 2020-12 takes for a schema is a node; a property that is named like a
 * keyword is none.
 */
import { childFragment } from '../../contract/pointer';
import { isSchema, type JsonSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';

const HOLD_ONE = [
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
];
const HOLD_MANY = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
];

/** One node of a schema. */
export interface Located {
  /** JSON Pointer from the root, as a URI fragment (RFC 6901, section 6). */
  readonly path: string;
  readonly node: JsonSchema;
}

function partsOf({ path, node }: Located): readonly (readonly [path: string, part: JsonValue | undefined])[] {
  const single = HOLD_ONE.map((keyword) => [childFragment(path, keyword), node[keyword]] as const);
  const several = HOLD_MANY.flatMap((keyword) => {
    const held = node[keyword];
    if (typeof held !== 'object' || held === null) return [];
    const parent = childFragment(path, keyword);
    return Object.entries(held).map(([key, part]) => [childFragment(parent, key), part] as const);
  });
  return [...single, ...several];
}

/** All nodes, the root first. Boolean schemas, which hold nothing, are left out. */
export function subschemasOf(node: JsonSchema, path = '#'): readonly Located[] {
  const here = { path, node };
  const parts = partsOf(here).flatMap(([at, part]) => (isSchema(part) ? subschemasOf(part, at) : []));
  return [here, ...parts];
}
