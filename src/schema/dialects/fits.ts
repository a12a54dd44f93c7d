/**
 * Finds the branch of a union that a value was made for.
 * Invariant: types, keys and listed values decide, bounds do not; cost grows with the value, not with its paths.
 * A branch that declares every key goes before one that only takes undeclared ones.
 */
import { isDeepStrictEqual } from 'node:util';
import { isSchema, type JsonSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';

/** How deep values are looked into. */
export const MAX_DEPTH = 512;

/** Gives the schema of a definition. */
export type DefinitionOf = (ref: string) => JsonSchema | undefined;

/** Tells a plain record from arrays, instances and everything else. */
export function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // The prototype of another realm's objects is another one.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isOf(value: unknown, type: JsonValue): boolean {
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isRecord(value) : typeof value === type;
}

function isSame(listed: JsonValue, value: unknown): boolean {
  return listed === value || (typeof listed === 'object' && isDeepStrictEqual(listed, value));
}

/** Judges values by the schemas of a dialect. */
export class Fitting {
  private readonly known = new Map<JsonSchema, Map<unknown, boolean>>();

  /** Where `isOpen` is false, an object that declares properties takes no others, whatever its schema says. */
  constructor(
    private readonly definitionOf: DefinitionOf,
    private readonly isOpen: boolean,
  ) {}

  /** Tells whether a value has the shape of a schema. */
  fits(schema: JsonSchema, value: unknown, depth = 0): boolean {
    if (typeof value !== 'object' || value === null) return this.judge(schema, value, depth);
    const known = this.known.get(schema) ?? new Map<unknown, boolean>();
    const verdict = known.get(value);
    if (verdict !== undefined) return verdict;
    this.known.set(schema, known);
    // What is met again within itself has no end, and no schema takes it.
    known.set(value, false);
    const judged = depth < MAX_DEPTH && this.judge(schema, value, depth + 1);
    known.set(value, judged);
    return judged;
  }

  private judge(schema: JsonSchema, value: unknown, depth: number): boolean {
    const { type, enum: values, const: only, $ref: ref, anyOf } = schema;
    if (value === null && schema.nullable === true) return true;
    if (typeof ref === 'string') {
      const target = this.definitionOf(ref);
      // A reference adds a level, or a chain of them would never end.
      return target !== undefined && depth < MAX_DEPTH && this.judge(target, value, depth + 1);
    }
    if (Array.isArray(anyOf)) {
      return anyOf.some((branch) => isSchema(branch) && this.fits(branch, value, depth));
    }
    const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
    if (types.length > 0 && !types.some((one) => isOf(value, one))) return false;
    if (Array.isArray(values) && !values.some((one) => isSame(one, value))) return false;
    if (only !== undefined && !isSame(only, value)) return false;
    if (Array.isArray(value)) return this.judgeItems(schema, value, depth);
    return isRecord(value) ? this.judgeProperties(schema, value, depth) : true;
  }

  private judgeItems({ items }: JsonSchema, value: readonly unknown[], depth: number): boolean {
    return !isSchema(items) || value.every((item) => this.fits(items, item, depth));
  }

  private judgeProperties(
    { properties = {}, required, additionalProperties: additional }: JsonSchema,
    value: { readonly [key: string]: unknown },
    depth: number,
  ): boolean {
    if (Array.isArray(required) && !required.every((key) => Object.hasOwn(value, String(key)))) return false;
    if (!isSchema(properties)) return true;
    const isOpen = additional !== false && (this.isOpen || Object.keys(properties).length === 0);
    return Object.entries(value).every(([key, one]) => {
      if (!Object.hasOwn(properties, key) && !isOpen) return false;
      const property = Object.hasOwn(properties, key) ? properties[key] : additional;
      return !isSchema(property) || this.fits(property, one, depth);
    });
  }
}
