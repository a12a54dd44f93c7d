/**
 * The document that stands for one tool outside of the process: its input schema, with the output's embedded
 * (JSON Schema 2020-12, Core, section 9.3).
 * Invariant: a document needs no other, and the same tool gives the same one.
 */
import { DIALECT, isSchema, type JsonSchema } from '../contract/schema';
import type { ToolSpec } from '../contract/tool';
import { describe } from './describe';

/** An absolute URI for one of a tool's schemas. */
export function uriOf(key: string, part: 'input' | 'output'): string {
  return `urn:toolcrib:${key}:${part}`;
}

/**
 * Makes the document of a tool. Its title is the tool's key, and its description the tool's, then the input's
 * own. The output's schema stands in `$defs` under its `$id`.
 */
export function toDocument(spec: ToolSpec): JsonSchema {
  const { title: _title, description, $defs, ...rest } = spec.input.schema;
  const id = uriOf(spec.key, 'output');
  const output = spec.output.schema === undefined ? {} : { [id]: { $id: id, ...spec.output.schema } };
  const definitions = { ...(isSchema($defs) ? $defs : {}), ...output };
  return {
    $schema: DIALECT,
    title: spec.key,
    description: [describe(spec).description, ...(description === undefined ? [] : [description])].join('\n'),
    ...(spec.deprecated === false ? {} : { deprecated: true }),
    ...rest,
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
  };
}
