/**
 * Makes the document that shows one tool as the model of a provider sees it, and what that gave up.
 * Invariant: the same tool gives the same document; either all tools can be carried, or all that cannot is named.
 */
import type { DialectName, SchemaChange } from '../../contract/dialect';
import type { JsonSchema } from '../../contract/schema';
import type { ToolSpec } from '../../contract/tool';
import { describeAll } from '../../schema/describe';

/** One tool in a dialect. */
export interface DialectDocument {
  /** The registry's key. */
  readonly tool: string;
  readonly dialect: DialectName;
  /** The model name. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly changes: readonly SchemaChange[];
}

/**
 * Makes the documents of tools, in their order.
 *
 * @throws DeclarationError `outside_dialect` with everything that the dialect cannot carry, of all tools.
 */
export function toDialectDocuments(
  specs: readonly ToolSpec[],
  dialect: DialectName,
): readonly DialectDocument[] {
  return describeAll(specs, { dialect }).map(({ definition, changes }) => {
    const { name, description, inputSchema, _meta } = definition;
    return { tool: _meta.key, dialect, name, description, inputSchema, changes };
  });
}
