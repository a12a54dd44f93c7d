/**
 * The parts of a schema that hold for one value together, each with its place.
 * Invariant: a list of sources means all of them at once, as `allOf` does; places are JSON Pointers.
 */
import { childPointer } from '../../contract/pointer';
import { isSchema, type JsonSchema, MCP_HEADER } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';

/** One schema that holds for a value, and where it stands. */
export interface Source {
  readonly schema: JsonSchema | boolean;
  readonly at: string;
}

/** One keyword, what it says, and the node that it stands in. */
export interface Stated {
  readonly keyword: string;
  readonly value: JsonValue;
  readonly at: string;
}

/** Keywords that tell of a value without judging it. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  MCP_HEADER,
]);

/** Makes a source of what a keyword holds; undefined where that is no schema. */
export function toSource(held: JsonValue | undefined, at: string): Source | undefined {
  return typeof held === 'boolean' || isSchema(held) ? { schema: held, at } : undefined;
}

/** The sources of a keyword that holds a list of schemas. */
export function listedSources({ schema, at }: Source, keyword: string): readonly Source[] {
  const held = isSchema(schema) ? schema[keyword] : undefined;
  if (!Array.isArray(held)) return [];
  const parent = childPointer(at, keyword);
  return held.flatMap((part, index) => toSource(part, childPointer(parent, index)) ?? []);
}

/** The sources of a keyword that holds schemas by name. */
export function namedSources({ schema, at }: Source, keyword: string): ReadonlyMap<string, Source> {
  const held = isSchema(schema) ? schema[keyword] : undefined;
  if (!isSchema(held)) return new Map();
  const parent = childPointer(at, keyword);
  const named = Object.entries(held).map(
    ([name, part]) => [name, toSource(part, childPointer(parent, name))] as const,
  );
  return new Map(named.flatMap(([name, source]) => (source === undefined ? [] : [[name, source] as const])));
}

/** Leaves keywords out of a source; undefined when nothing is left. */
export function without({ schema, at }: Source, isLeftOut: (keyword: string) => boolean): Source | undefined {
  if (!isSchema(schema)) return schema ? undefined : { schema, at };
  const kept = Object.entries(schema).filter(([keyword]) => !isLeftOut(keyword));
  return kept.length === 0 ? undefined : { schema: Object.fromEntries(kept), at };
}

/** The first reference that holds for the value itself, be it within `allOf`. */
export function referenceIn(sources: readonly Source[]): { ref: string; at: string } | undefined {
  for (const source of sources) {
    if (!isSchema(source.schema)) continue;
    if (typeof source.schema.$ref === 'string') return { ref: source.schema.$ref, at: source.at };
    const inner = referenceIn(listedSources(source, 'allOf'));
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Follows a JSON Pointer within the document; undefined where it leads to no schema, or into one with an id. */
export function follow(root: JsonSchema, ref: string): Source | undefined {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined;
  let pointer: string;
  try {
    pointer = decodeURIComponent(ref.slice(1));
  } catch {
    return undefined;
  }
  const tokens = pointer.split('/').slice(1);
  let held: JsonValue | undefined = root;
  for (const token of tokens) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof held !== 'object' || held === null || !Object.hasOwn(held, key)) return undefined;
    if (held !== root && isSchema(held) && typeof held.$id === 'string') return undefined;
    held = Object.entries(held).find(([name]) => name === key)?.[1];
  }
  return toSource(held, pointer);
}

/** Tells sources apart, wherever they were put together. */
export function keyOf(sources: readonly Source[]): string {
  return JSON.stringify(sources.map(({ schema, at }) => [at, schema]));
}
