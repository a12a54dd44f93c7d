/**
 * What several schemas say of one value together, sorted by what it is about.
 * Invariant: nothing of the sources is missing; types, values, properties and bounds are intersected, and the
 * rest is listed as it stands.
 */
import { isDeepStrictEqual } from 'node:util';
import { childPointer } from '../../contract/pointer';
import { isSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';
import { ANNOTATIONS, listedSources, namedSources, type Source, type Stated, toSource } from './source';

/** Several ways to satisfy a schema. */
export interface Union {
  readonly keyword: 'anyOf' | 'oneOf';
  readonly at: string;
  readonly branches: readonly Source[];
}

/** Everything that holds for one value. */
export interface Conjunction {
  readonly annotations: readonly Stated[];
  /** Undefined: any type. */
  readonly types: ReadonlySet<string> | undefined;
  /** What `enum` and `const` leave. */
  readonly values: readonly JsonValue[] | undefined;
  readonly properties: ReadonlyMap<string, readonly Source[]>;
  readonly required: ReadonlySet<string>;
  /** No undeclared property is taken. */
  readonly isClosed: boolean;
  readonly additional: readonly Source[];
  readonly items: readonly Source[];
  readonly unions: readonly Union[];
  /** Every other keyword. */
  readonly rest: readonly Stated[];
  /** The first node that a keyword stands in. */
  placeOf(keyword: string): string | undefined;
}

/** Keywords that only hold schemas or name them. */
const STORED: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  '$schema',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$dynamicRef',
  'allOf',
  '$ref',
]);
const SORTED: ReadonlySet<string> = new Set([
  'type',
  'enum',
  'const',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'oneOf',
]);

function meetTypes(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  const meet = (type: string): readonly string[] => {
    if (other.has(type)) return [type];
    if (type === 'integer' && other.has('number')) return ['integer'];
    return type === 'number' && other.has('integer') ? ['integer'] : [];
  };
  return new Set([...one].flatMap(meet));
}

function typesIn(value: JsonValue): ReadonlySet<string> {
  const listed = Array.isArray(value) ? value : [value];
  const types = listed.filter((type) => typeof type === 'string');
  return new Set(types.includes('number') ? types.filter((type) => type !== 'integer') : types);
}

function meetValues(
  one: readonly JsonValue[] | undefined,
  other: readonly JsonValue[],
): readonly JsonValue[] {
  // Zero is zero, whatever its sign.
  const isIn = (value: JsonValue) => other.some((held) => held === value || isDeepStrictEqual(held, value));
  return one === undefined ? other : one.filter(isIn);
}

function hasPatterns({ schema }: Source): boolean {
  return isSchema(schema) && 'patternProperties' in schema;
}

function closes(source: Source): boolean {
  return isSchema(source.schema) && source.schema.additionalProperties === false && !hasPatterns(source);
}

function unionsOf(source: Source): readonly Union[] {
  const keywords = ['anyOf', 'oneOf'] as const;
  return keywords.flatMap((keyword) => {
    const branches = listedSources(source, keyword);
    return branches.length === 0 ? [] : [{ keyword, at: source.at, branches }];
  });
}

/** Sorts what flat sources say. None of them holds `$ref` or `allOf`. */
export function conjoin(sources: readonly Source[]): Conjunction {
  const stated: readonly Stated[] = sources.flatMap(({ schema, at }) =>
    isSchema(schema) ? Object.entries(schema).map(([keyword, value]) => ({ keyword, value, at })) : [],
  );
  const all = (keyword: string) => stated.filter((one) => one.keyword === keyword);
  const types = all('type')
    .map(({ value }) => typesIn(value))
    .reduce<ReadonlySet<string> | undefined>(
      (met, one) => (met === undefined ? one : meetTypes(met, one)),
      undefined,
    );
  const values = [...all('enum'), ...all('const')].reduce<readonly JsonValue[] | undefined>(
    (met, { keyword, value }) =>
      meetValues(met, keyword === 'enum' && Array.isArray(value) ? value : [value]),
    undefined,
  );
  const closed = sources.filter(closes).map((source) => namedSources(source, 'properties'));
  const properties = new Map<string, Source[]>();
  for (const source of sources) {
    for (const [name, one] of namedSources(source, 'properties')) {
      if (closed.every((declared) => declared.has(name))) {
        properties.set(name, [...(properties.get(name) ?? []), one]);
      }
    }
  }
  const open = sources.filter((source) => !hasPatterns(source));
  for (const [name, declared] of properties) {
    // What one source declares is undeclared in another.
    for (const source of open.filter((one) => !namedSources(one, 'properties').has(name))) {
      const { schema, at } = source;
      const additional = isSchema(schema) ? schema.additionalProperties : undefined;
      if (isSchema(additional))
        declared.push({ schema: additional, at: childPointer(at, 'additionalProperties') });
    }
  }
  const held = (keyword: string, within = sources) =>
    within.flatMap(({ schema, at }) =>
      isSchema(schema) ? (toSource(schema[keyword], childPointer(at, keyword)) ?? []) : [],
    );
  const patterned = new Set(sources.filter(hasPatterns).map(({ at }) => at));
  return {
    placeOf: (keyword) => all(keyword)[0]?.at,
    annotations: stated.filter(({ keyword }) => ANNOTATIONS.has(keyword)),
    types,
    values,
    properties,
    required: new Set(
      all('required').flatMap(({ value }) =>
        Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [],
      ),
    ),
    isClosed: closed.length > 0,
    additional: held('additionalProperties', open).filter(({ schema }) => schema !== false),
    items: held('items'),
    unions: sources.flatMap(unionsOf),
    rest: stated.filter(
      ({ keyword, value, at }) =>
        // Before 2020-12 a list of schemas was what prefixItems is.
        (keyword === 'items' && Array.isArray(value)) ||
        // It leaves out what the patterns beside it name.
        (keyword === 'additionalProperties' && value !== true && patterned.has(at)) ||
        !(ANNOTATIONS.has(keyword) || STORED.has(keyword) || SORTED.has(keyword)),
    ),
  };
}
