/**
 * The inputs that a DTO's own examples make.
 * Invariant: they are what the model is shown, read from the schema itself; nothing is made up.
 */
import { isSchema, type JsonSchema } from '../contract/schema';
import type { JsonValue } from '../errors/body';

function examplesIn({ examples }: JsonSchema): readonly JsonValue[] {
  return Array.isArray(examples) ? examples : [];
}

/** The definition that a node refers to. */
function referred(root: JsonSchema, { $ref }: JsonSchema): JsonSchema | undefined {
  const definitions = root.$defs;
  if (typeof $ref !== 'string' || !isSchema(definitions)) return undefined;
  const definition = definitions[$ref.replace('#/$defs/', '')];
  return isSchema(definition) ? definition : undefined;
}

/** An example of a node: its own first one, or one made of its parts'. */
function exampleOf(root: JsonSchema, node: JsonSchema, within: readonly JsonSchema[]): JsonValue | undefined {
  const [own] = examplesIn(node);
  if (own !== undefined) return own;
  if (isSchema(node.items)) {
    const element = exampleOf(root, node.items, within);
    return element === undefined ? undefined : [element];
  }
  const target = referred(root, node);
  if (target === undefined || within.includes(target)) return undefined;
  return examplesIn(target)[0] ?? assemble(root, target, [...within, target]);
}

/** An object of its fields' examples; undefined when a required one has none, or none of them has any. */
function assemble(root: JsonSchema, node: JsonSchema, within: readonly JsonSchema[]): JsonValue | undefined {
  const fields = isSchema(node.properties) ? Object.entries(node.properties) : [];
  const required: readonly JsonValue[] = Array.isArray(node.required) ? node.required : [];
  const found = fields.flatMap(([name, field]): readonly (readonly [string, JsonValue])[] => {
    if (!isSchema(field)) return [];
    const example = required.includes(name) ? exampleOf(root, field, within) : examplesIn(field)[0];
    return example === undefined ? [] : [[name, example]];
  });
  const isWhole = required.every((name) => found.some(([known]) => known === name));
  return isWhole && (found.length > 0 || fields.length === 0) ? Object.fromEntries(found) : undefined;
}

/** The inputs of a schema's `examples`; where it has none, the one that its fields' examples make together. */
export function exampleInputs(schema: JsonSchema): readonly JsonValue[] {
  const own = examplesIn(schema);
  if (own.length > 0) return own;
  const assembled = assemble(schema, schema, [schema]);
  return assembled === undefined ? [] : [assembled];
}
