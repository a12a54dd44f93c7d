/**
 * Makes the document that stands for one tool outside of the process: its input schema, with the output's
 * embedded (JSON Schema 2020-12, Core, section 9.3).
 * Invariant: a document needs no other, the same tool gives the same one, and what it shows satisfies it.
 */
import Ajv2020 from 'ajv/dist/2020';
import { DIALECT, type JsonSchema } from '../../contract/schema';
import type { ToolSpec } from '../../contract/tool';
import type { JsonValue } from '../../errors/body';
import { reasonOf } from '../../errors/reason';
import { toDocument, uriOf } from '../../schema/document';
import { CliError, type CliProblem } from '../cli-error';
import { subschemasOf } from './subschemas';

function newAjv(): Ajv2020 {
  // JSON Schema 2020-12, Validation, section 7: a format is an annotation.
  return new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
}

function shownValues({ default: initial, examples }: JsonSchema): readonly (readonly [string, JsonValue])[] {
  const listed: readonly JsonValue[] = Array.isArray(examples) ? examples : [];
  return [
    ...(initial === undefined ? [] : [['default', initial] as const]),
    ...listed.map((example) => ['example', example] as const),
  ];
}

/** What is wrong with a document as such; it is then not looked into further. */
function formalProblem(
  ajv: Ajv2020,
  document: JsonSchema,
  { key, input, output }: ToolSpec,
): string | undefined {
  const other = [input.schema.$schema, output.schema?.$schema].find((one) => (one ?? DIALECT) !== DIALECT);
  if (other !== undefined) return `the dialect ${other} is not ${DIALECT}`;
  try {
    if (!ajv.validateSchema(document)) return ajv.errorsText(ajv.errors, { dataVar: '#' });
    ajv.addSchema(document, uriOf(key, 'input'));
    ajv.getSchema(uriOf(key, 'input'));
    ajv.getSchema(uriOf(key, 'output'));
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function problemsOf(ajv: Ajv2020, spec: ToolSpec, document: JsonSchema): readonly CliProblem[] {
  const { key } = spec;
  const formal = formalProblem(ajv, document, spec);
  if (formal !== undefined) {
    const mend = 'Mend the schema of its contract.';
    return [{ code: 'illegal_schema', place: { tool: key }, message: formal, mend }];
  }
  const parts = [
    { name: 'inputSchema', id: uriOf(key, 'input'), schema: spec.input.schema },
    { name: 'outputSchema', id: uriOf(key, 'output'), schema: spec.output.schema },
  ];
  return parts.flatMap(({ name, id, schema }) =>
    (schema === undefined ? [] : subschemasOf(schema)).flatMap(({ path, node }) =>
      shownValues(node).flatMap(([what, value]) => {
        const validate = ajv.getSchema(id + path);
        if (validate?.(value) === true) return [];
        return {
          code: `illegal_${what}`,
          place: { tool: key, schemaPath: `#/${name}${path.slice(1)}` },
          message: `the ${what} does not satisfy the schema: ${ajv.errorsText(validate?.errors, { dataVar: what })}`,
          mend: `Correct the ${what}, or the rules that it breaks.`,
        };
      }),
    ),
  );
}

/**
 * Makes the documents of tools, in their order.
 *
 * @throws CliError `illegal_export` with every schema that is none, and every default or example that its own
 * schema refuses.
 */
export function toDocuments(specs: readonly ToolSpec[]): readonly JsonSchema[] {
  const ajv = newAjv();
  const documents = specs.map((spec) => ({ spec, document: toDocument(spec) }));
  const problems = documents.flatMap(({ spec, document }) => problemsOf(ajv, spec, document));
  if (problems.length > 0) {
    throw new CliError('illegal_export', 'nothing was exported, since not all schemas hold:', { problems });
  }
  return documents.map(({ document }) => document);
}
