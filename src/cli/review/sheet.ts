/**
 * The review sheet of a tool: what a reviewer reads instead of its code, in Markdown.
 * Invariant: it says all that the definition says, and no text of the tool can change its structure.
 */
import type { JsonSchema } from '../../contract/schema';
import type { ToolSpec } from '../../contract/tool';
import type { Finding } from '../check/find';
import { code, shown, toRows } from '../markdown';
import { factsOf } from './facts';
import { type Field, fieldsOf } from './fields';
import { reviewQuestions } from './questions';

function toRow(field: Field): readonly string[] {
  const { path, type, required, constraints, description, examples } = field;
  const presence = required === undefined ? '' : required ? 'required' : 'optional';
  const initial = field.default === undefined ? '' : `, default ${code(JSON.stringify(field.default))}`;
  return [
    code(path === '' ? 'the whole' : path),
    shown(type),
    `${presence}${initial}`,
    constraints.map(code).join(', '),
    shown(description),
    examples.map((example) => code(JSON.stringify(example))).join(', '),
  ];
}

function fieldsSection(title: string, schema: JsonSchema | undefined): string {
  if (schema === undefined) return `## ${title}\n\nNot declared.\n`;
  const fields = fieldsOf(schema);
  const about = schema.description === undefined ? '' : `${shown(String(schema.description))}\n\n`;
  if (fields.length === 0) return `## ${title}\n\n${about}No fields.\n`;
  const head = ['field', 'type', 'presence', 'rules', 'description', 'examples'];
  return `## ${title}\n\n${about}${toRows([head, head.map(() => '---'), ...fields.map(toRow)])}`;
}

function rulesSection({ input, output }: ToolSpec): string {
  const rules = [
    ...input.validatorOnlyRules.map((rule) => ({ ...rule, part: 'input' })),
    ...output.validatorOnlyRules.map((rule) => ({ ...rule, part: 'output' })),
  ];
  if (rules.length === 0) return '';
  const lines = rules.map(
    ({ part, schemaPath, rule, text }) => `- ${part} ${code(schemaPath)}, ${code(rule)}: ${shown(text)}\n`,
  );
  return `\n## Rules that the schema does not state\n\nThey are enforced all the same.\n\n${lines.join('')}`;
}

/** Writes the review sheet of a tool, with those of the findings that are about it. */
export function toSheet(spec: ToolSpec, findings: readonly Finding[]): string {
  const facts = factsOf(spec).map(([name, fact]) => [name, shown(fact)]);
  const questions = reviewQuestions(spec, findings).map((question) => `- [ ] ${shown(question)}\n`);
  return [
    `# ${shown(spec.key)}\n\n${shown(spec.description)}\n\n`,
    `${toRows([['', ''], ['---', '---'], ...facts])}\n`,
    `${fieldsSection('Input', spec.input.schema)}\n`,
    fieldsSection('Output', spec.output.schema),
    rulesSection(spec),
    `\n## What to look at\n\n${questions.join('')}`,
  ].join('');
}
