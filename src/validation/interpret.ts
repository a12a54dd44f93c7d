/**
 * Checks values against a schema by interpretation, for processes that may not generate code.
 * Invariant: the verdict and the errors are those that Ajv gives: same keyword, same place, same schema node. Ajv
 * alone also lists the elements that `contains` passed over.
 */
import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import { isSchema, type JsonSchema } from '../contract/schema';
import type { JsonValue } from '../errors/body';
import { memberOf } from '../metadata/members';
import type { CompiledSchema, SchemaError } from './compiled-schema';

/** Keywords whose value is a map of schemas by name. */
const MAPS: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'],
]);

/** Keywords that hold values, which may look like schemas and are none. */
const VALUES: ReadonlySet<string> = new Set(['enum', 'const', 'required', 'dependentRequired', 'type']);

/** Keywords that only sum up: what stands under them has errors of its own. */
const SUMMARIES: ReadonlySet<string> = new Set([
  ...['$ref', 'properties', 'patternProperties', 'prefixItems', 'allOf', 'dependentSchemas'],
]);

/** Keywords about the names of an object, with what Ajv calls the name. */
const ABOUT_NAMES: ReadonlyMap<string, string> = new Map([
  ['propertyNames', 'propertyName'],
  ['additionalProperties', 'additionalProperty'],
  ['unevaluatedProperties', 'unevaluatedProperty'],
]);

const toLimit = (limit: unknown) => ({ limit });

/** What Ajv says about a keyword, where anybody reads it. */
const PARAMS = new Map<string, (stated: unknown) => SchemaError['params']>([
  ['type', (type) => ({ type })],
  ['const', (allowedValue) => ({ allowedValue })],
  ['enum', (allowedValues) => ({ allowedValues })],
  ['pattern', (pattern) => ({ pattern })],
  ['multipleOf', (multipleOf) => ({ multipleOf })],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(
    (keyword) => [keyword, toLimit] as const,
  ),
  ['minimum', (limit) => ({ comparison: '>=', limit })],
  ['maximum', (limit) => ({ comparison: '<=', limit })],
  ['exclusiveMinimum', (limit) => ({ comparison: '>', limit })],
  ['exclusiveMaximum', (limit) => ({ comparison: '<', limit })],
]);

/** The parts of a schema that are read as schemas, or as lists of them. */
function withoutAnnotations(node: JsonValue): JsonValue {
  if (Array.isArray(node)) return node.map(withoutAnnotations);
  if (!isSchema(node)) return node;
  const entries = Object.entries(node).flatMap(([keyword, value]): (readonly [string, JsonValue])[] => {
    // The interpreter holds values to formats, which are annotations here; examples and defaults are no schemas.
    if (['format', 'default', 'examples'].includes(keyword)) return [];
    if (VALUES.has(keyword)) return [[keyword, value]];
    if (!MAPS.has(keyword) || !isSchema(value)) return [[keyword, withoutAnnotations(value)]];
    const named = Object.entries(value).map(([name, one]) => [name, withoutAnnotations(one)] as const);
    return [[keyword, Object.fromEntries(named)]];
  });
  return Object.fromEntries(entries);
}

const LONE = /\p{Surrogate}/gu;
const STAND_IN = /[\u{F0000}-\u{F07FF}]/gu;
const SURROGATES_AT = 0xd800;
const STAND_INS_AT = 0xf0000;

/** Gives lone surrogates in names a stand-in, since the interpreter writes names as URIs, which have none. */
function wellFormed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  const toStandIn = (unit: string) => String.fromCodePoint(unit.charCodeAt(0) - SURROGATES_AT + STAND_INS_AT);
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, one]) => [name.replaceAll(LONE, toStandIn), wellFormed(one)]),
  );
}

/** The tokens of a location, which is a JSON Pointer written as a URI fragment. */
function tokensOf(location: string): string[] {
  const toSurrogate = (point: string) =>
    String.fromCharCode((point.codePointAt(0) ?? 0) - STAND_INS_AT + SURROGATES_AT);
  const tokens = location.split('/').slice(1);
  return tokens.map((token) =>
    decodeURIComponent(token).replaceAll(STAND_IN, toSurrogate).replaceAll('~1', '/').replaceAll('~0', '~'),
  );
}

function toPointer(location: string): string {
  const escaped = tokensOf(location).map((token) => token.replaceAll('~', '~0').replaceAll('/', '~1'));
  return escaped.map((token) => `/${token}`).join('');
}

function childOf(holder: unknown, key: string): unknown {
  return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key)
    ? memberOf(holder, key)
    : undefined;
}

function isNode(value: unknown): value is { readonly [keyword: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Tells whether two of the elements that have the one type they may have are equal; Ajv looks at no others. */
function repeats(items: unknown, list: unknown): boolean {
  const types = isNode(items) && items.type !== undefined ? [items.type].flat() : [];
  const isScalar = types.length > 0 && !types.includes('object') && !types.includes('array');
  if (!isScalar || !Array.isArray(list)) return true;
  const typed = list.filter((one: unknown) => {
    const type = one === null ? 'null' : typeof one;
    return types.includes(type) || (types.includes('integer') && Number.isInteger(one));
  });
  return new Set(typed).size < typed.length;
}

/** Reads the output of one refusal, unit by unit. */
class Reader {
  private readonly told = new Set<string>();

  constructor(
    private readonly root: JsonSchema,
    private readonly value: unknown,
    private readonly units: readonly OutputUnit[],
  ) {}

  read(): SchemaError[] {
    return this.units.flatMap((unit, at) => this.errors(unit, this.units[at - 1], this.units[at + 1]));
  }

  private errors(unit: OutputUnit, previous?: OutputUnit, next?: OutputUnit): readonly SchemaError[] {
    const { keyword } = unit;
    const instancePath = toPointer(unit.instanceLocation);
    const data = tokensOf(unit.instanceLocation).reduce(childOf, this.value);
    if (keyword === 'false') {
      const isTold =
        previous !== undefined && (ABOUT_NAMES.has(previous.keyword) || this.isFurther(previous));
      return isTold ? [] : [{ keyword: 'false schema', instancePath, data, params: {} }];
    }
    const place = tokensOf(unit.keywordLocation).slice(0, -1);
    // What is wrong with a name or with all elements, the error of the object or the array says.
    if (SUMMARIES.has(keyword) || this.isUnder(place, ['contains', 'propertyNames'])) return [];
    const parentSchema = this.nodeAt(place);
    const stated = parentSchema?.[keyword];
    const error = { keyword, instancePath, parentSchema, data };
    const name = ABOUT_NAMES.get(keyword);
    if (name !== undefined) {
      // A schema that is not `false` has errors of its own.
      if (keyword !== 'propertyNames' && stated !== false) return [];
      return [{ ...error, params: { [name]: tokensOf(next?.instanceLocation ?? '').at(-1) } }];
    }
    const once = `${unit.keywordLocation} ${unit.instanceLocation}`;
    switch (keyword) {
      case 'items':
        if (!this.isFurther(unit) || this.isTold(once)) return [];
        return [{ ...error, params: { limit: [parentSchema?.prefixItems].flat().length } }];
      case 'required':
        return this.isTold(once) ? [] : this.missing(stated, data).map((params) => ({ ...error, params }));
      case 'dependentRequired':
      case 'dependencies': {
        if (this.isTold(once) || !isNode(stated)) return [];
        const asked = Object.entries(stated).filter(([property]) => childOf(data, property) !== undefined);
        const missing = asked.flatMap(([, names]) => this.missing(names, data));
        return missing.map((params) => ({ ...error, params }));
      }
      case 'uniqueItems':
        return repeats(parentSchema?.items, data) ? [{ ...error, params: {} }] : [];
      case 'minContains':
      case 'maxContains':
        return [{ ...error, keyword: 'contains', params: {} }];
      case 'if':
        return [{ ...error, params: { failingKeyword: unit.error.includes('"then"') ? 'then' : 'else' } }];
      default:
        return [{ ...error, params: PARAMS.get(keyword)?.(stated) ?? {} }];
    }
  }

  private missing(names: unknown, data: unknown): { readonly missingProperty: string }[] {
    const asked: readonly unknown[] = Array.isArray(names) ? names : [];
    return asked.flatMap((name) =>
      typeof name === 'string' && childOf(data, name) === undefined ? [{ missingProperty: name }] : [],
    );
  }

  private isTold(once: string): boolean {
    if (this.told.has(once)) return true;
    this.told.add(once);
    return false;
  }

  /** Tells the unit of an element beyond the last that a schema names. */
  private isFurther({ keyword, keywordLocation }: OutputUnit): boolean {
    if (keyword !== 'items') return false;
    const node = this.nodeAt(tokensOf(keywordLocation).slice(0, -1));
    return node?.items === false && node.prefixItems !== undefined;
  }

  /** Tells whether a place is within one of some keywords; what follows a map's keyword is a name. */
  private isUnder(place: readonly string[], keywords: readonly string[]): boolean {
    return place.some((token, at) => keywords.includes(token) && !MAPS.has(place[at - 1] ?? ''));
  }

  /** The schema node at a place. The interpreter goes through references, and writes them down. */
  private nodeAt(place: readonly string[]): { readonly [keyword: string]: unknown } | undefined {
    const found = place.reduce<unknown>((node, token) => {
      const child = childOf(node, token);
      const isReference = token === '$ref' && typeof child === 'string';
      return isReference ? tokensOf(child).reduce<unknown>(childOf, this.root) : child;
    }, this.root);
    return isNode(found) ? found : undefined;
  }
}

/** Prepares a schema for the interpreter. */
export function interpretSchema(schema: JsonSchema): CompiledSchema {
  // The interpreter writes into the schema that it is given.
  const copied: Schema = JSON.parse(JSON.stringify(withoutAnnotations(schema)));
  const [quick, whole] = [true, false].map((isShort) => new Validator(copied, '2020-12', isShort));
  const run = (validator: Validator | undefined, value: unknown) => {
    try {
      return validator?.validate(value);
    } catch (error) {
      if (error instanceof URIError) return validator?.validate(wellFormed(value));
      throw error;
    }
  };
  return {
    accepts: (value) => run(quick, value)?.valid === true,
    errors: (value) => new Reader(schema, value, run(whole, value)?.errors ?? []).read(),
  };
}
