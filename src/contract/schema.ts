/**
 * The contracts between a tool and its callers: a schema, and a `parse` that enforces the same thing.
 * Invariant: the rest of the system knows a DTO or an imported schema only through these.
 */
import type { JsonValue } from '../errors/body';
import type { Class } from './class';

/** What `$schema` says of every schema here. */
export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Where an argument is mirrored in a header (MCP 2026-07-28, Streamable HTTP › Custom Headers); it judges nothing. */
export const MCP_HEADER = 'x-mcp-header';

/** A JSON Schema 2020-12 as plain data. */
export type JsonSchema = { readonly [keyword: string]: JsonValue };

/** Tells a schema that is an object from a boolean one and from every other value. */
export function isSchema(value: JsonValue | undefined): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One broken rule of one value. Never holds the value. */
export interface Violation {
  /** JSON Pointer (RFC 6901) of the value; empty for the whole. */
  readonly path: string;
  /** The rule's name, as class-validator spells it: `matches`, `isInt`. */
  readonly rule: string;
  readonly message: string;
}

/** A rule that JSON Schema cannot express: the schema admits more, `parse` enforces it. */
export interface ValidatorOnlyRule {
  /** JSON Pointer into the schema (RFC 6901, as a fragment): `#/properties/email`. */
  readonly schemaPath: string;
  readonly rule: string;
  /** The rule in words. */
  readonly text: string;
}

/** Bounds of one call's arguments, checked before anything else is done with them. */
export interface InputLimits {
  /** How deep objects and arrays may nest: 1,000 levels at most, and 200 where code may not be generated. */
  readonly maxDepth: number;
  /** How many values, containers included, there may be in all. */
  readonly maxElements: number;
  /** How many bytes of UTF-8 all texts and property names may take together. */
  readonly maxBytes: number;
}

/** The bounds that apply unless a toolkit sets others. */
export const DEFAULT_INPUT_LIMITS: InputLimits = Object.freeze({
  maxDepth: 64,
  maxElements: 20_000,
  maxBytes: 1_048_576,
});

/** How many violations of one value are told at most. */
export const MAX_VIOLATIONS = 20;

/** Every violation of a refused value, up to {@link MAX_VIOLATIONS}. */
export interface Refused {
  readonly ok: false;
  readonly violations: readonly Violation[];
  /** What an author's own code threw meanwhile; for the log alone. */
  readonly cause?: unknown;
}

/** The outcome of a `parse`: the value, or every violation up to a limit. */
export type ParseOutcome<T> = { readonly ok: true; readonly value: T } | Refused;

/** The outcome of an input's `parse`; `json` is what was checked, apart from what the caller still holds. */
export type InputOutcome<T> = { readonly ok: true; readonly value: T; readonly json: JsonValue } | Refused;

/** What a tool takes. `parse` turns raw arguments into the value that the handler receives. */
export interface InputContract<T = unknown> {
  /** The DTO that it was made from; left out where it was made from a schema. */
  readonly dto?: Class;
  readonly schema: JsonSchema;
  readonly validatorOnlyRules: readonly ValidatorOnlyRule[];
  /** Compiles what `parse` needs, so that the first call does not pay for it. */
  warm(): void;
  /** Gives a promise where rules run after the schema's check. */
  parse(raw: unknown, limits?: InputLimits): InputOutcome<T> | Promise<InputOutcome<T>>;
}

/** What a tool answers. `parse` turns the handler's output into JSON that conforms to the schema. */
export interface OutputContract {
  /** The DTO that it was made from, or that a list of was; left out where it was made from none. */
  readonly dto?: Class;
  /** Left out when the author declared no output. */
  readonly schema: JsonSchema | undefined;
  readonly validatorOnlyRules: readonly ValidatorOnlyRule[];
  /** Compiles what `parse` needs, so that the first call does not pay for it. */
  warm(): void;
  /** What would take more than `maxBytes` of UTF-8 as JSON is refused. */
  parse(output: unknown, maxBytes?: number): Promise<ParseOutcome<JsonValue>>;
  /** Holds JSON to the schema and the rules as it is: nothing of it is written anew. */
  check(json: JsonValue): Promise<ParseOutcome<JsonValue>>;
}
