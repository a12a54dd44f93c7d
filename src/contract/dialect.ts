/**
 * The dialects of JSON Schema that model providers take, and what a tool looks like in one.
 * Invariant: whatever a dialect gives up stands in `changes`, and `restore` undoes what a model cannot see.
 */
import type { ToolDefinition } from './tool';

/** Every dialect: JSON Schema 2020-12 itself, and what the tool APIs of the providers take. */
export const DIALECT_NAMES = ['json-schema', 'openai-strict', 'anthropic', 'gemini'] as const;

/** One of {@link DIALECT_NAMES}. */
export type DialectName = (typeof DIALECT_NAMES)[number];

/** Everything that a dialect can do to a keyword. */
export const SCHEMA_CHANGE_KINDS = [
  /** It left the schema and stands in words in the description. */
  'moved_to_description',
  /** It stays, and stands in words too, since the provider's strict mode would take it away. */
  'described',
  /** It left the schema without words. */
  'dropped',
  /** An optional property is listed as required. */
  'made_required',
  /** Null is admitted, and means that the property is absent; `restore` takes it out again. */
  'made_nullable',
  /** A reference was replaced by what it leads to. */
  'inlined',
  /** It says the same, or admits more, in another form. */
  'rewritten',
  /** A property has another name for the model; `restore` gives back its own. */
  'renamed',
  /** It admits a little less. */
  'narrowed',
] as const;

/** One of {@link SCHEMA_CHANGE_KINDS}. */
export type SchemaChangeKind = (typeof SCHEMA_CHANGE_KINDS)[number];

/** One difference between the schema that the gate enforces and the one that the model reads. */
export interface SchemaChange {
  /** JSON Pointer (RFC 6901) of the node in the schema that the gate enforces; empty for the root. */
  readonly pointer: string;
  readonly keyword: string;
  readonly change: SchemaChangeKind;
  /** The words, the new name or the new form, where there is one. */
  readonly text?: string;
}

/** How a tool is described. */
export interface DescribeOptions {
  readonly dialect: DialectName;
}

/** A tool as the model of one provider sees it. */
export interface DialectDescription {
  /** The definition, with its input schema in the dialect. */
  readonly definition: ToolDefinition;
  /** Every difference of the input schema; empty where there is none. */
  readonly changes: readonly SchemaChange[];
  /** Turns arguments that the model made into those that the gate takes. Pure, and never throws. */
  readonly restore: (args: unknown) => unknown;
}
