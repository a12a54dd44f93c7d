/**
 * `toolcrib show`: what the model sees of one tool, and what holds for it.
 * Invariant: with `json` it is the definition itself, and nothing else.
 */
import type { JsonSchema } from '../../contract/schema';
import { describe } from '../../schema/describe';
import type { OpenToolkit } from '../configuration';
import { findTool } from '../find-tool';
import type { Io } from '../io';
import { listed } from '../review/constraint';
import { factsOf } from '../review/facts';
import { type Field, fieldsOf } from '../review/fields';
import { oneLine, toJsonText, toTable } from '../text';

function toLines(field: Field): string {
  const { path, type, required, constraints, description, examples } = field;
  const presence = required === undefined ? [] : [required ? 'required' : 'optional'];
  const initial = field.default === undefined ? [] : [`default ${JSON.stringify(field.default)}`];
  const rules = [type, ...presence, ...initial, ...constraints].join('; ');
  const lines = [
    `  ${path === '' ? 'the whole' : path}: ${rules}`,
    ...(description === '' ? [] : [`      ${description}`]),
    ...(examples.length === 0 ? [] : [`      for example ${listed(examples)}`]),
  ];
  return lines.map((line) => `${line.match(/^ */)}${oneLine(line)}\n`).join('');
}

function fieldsText(schema: JsonSchema | undefined): string {
  if (schema === undefined) return '  not declared\n';
  return fieldsOf(schema).map(toLines).join('') || '  no fields\n';
}

/**
 * Prints a tool.
 *
 * @throws CliError `unknown_tool` or `unknown_version`.
 */
export function show(
  toolkit: OpenToolkit,
  { tool, json }: { readonly tool: string; readonly json: boolean },
  io: Io,
): number {
  const spec = findTool(toolkit, tool);
  if (json) {
    io.stdout(toJsonText(describe(spec)));
    return 0;
  }
  io.stdout(`${spec.key}: ${oneLine(spec.description)}\n\n${toTable(factsOf(spec), '  ')}`);
  io.stdout(`\ninput\n${fieldsText(spec.input.schema)}\noutput\n${fieldsText(spec.output.schema)}`);
  return 0;
}
