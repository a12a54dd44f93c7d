/**
 * Every form of a decorator in the dialects of the providers.
 * Invariant: each schema is sound by the meta-schema and Ajv's strict mode, and a dialect either carries it through
 * the provider's own package or refuses it.
 */
import Ajv2020 from 'ajv/dist/2020';
import { inputContract, isDeclarationError, type JsonSchema } from 'toolcrib';
import { FORMS, MORE_FORMS } from '../../drift/forms/all';
import { forget, makeDto } from '../../drift/spec';
import { carriedIn } from '../../fixtures/in-dialect';
import {
  declaredByGenAi,
  declaredByGoogle,
  toStrictJsonSchema,
  transformJSONSchema,
} from '../../fixtures/provider-transforms';
import { compileStrictly } from '../../fixtures/strict-schema';

/** The schema of a DTO of one form; undefined where the form is refused. */
function schemaOf(form: (typeof FORMS)[number], each: boolean): JsonSchema | undefined {
  const { cls, all } = makeDto({ properties: { v: { uses: [{ form, each }] } }, inherited: 0 });
  try {
    return inputContract(cls).schema;
  } catch (error) {
    if (isDeclarationError(error)) return undefined;
    throw error;
  } finally {
    forget(all);
  }
}

const SCHEMAS = [...FORMS, ...MORE_FORMS].flatMap((form) =>
  [false, true].flatMap((each) => {
    const schema = schemaOf(form, each);
    return schema === undefined ? [] : [{ name: `${form.name}${each ? ' each' : ''}`, schema }];
  }),
);
const metaSchema = new Ajv2020({ validateFormats: false });

it('is sound', () => {
  expect(SCHEMAS.length).toBeGreaterThan(250);
  for (const { name, schema } of SCHEMAS) {
    expect({ name, isValid: metaSchema.validateSchema(schema) }).toEqual({ name, isValid: true });
    expect(() => compileStrictly(schema)).not.toThrow();
  }
});

it.each([
  ['openai-strict', toStrictJsonSchema],
  ['gemini', declaredByGenAi],
  ['gemini', declaredByGoogle],
] as const)('goes through the package unchanged in %s, or is refused', (dialect, convert) => {
  let carried = 0;
  for (const { name, schema } of SCHEMAS) {
    const shown = carriedIn(dialect, schema)?.definition.inputSchema;
    if (shown === undefined) continue;
    carried += 1;
    expect({ name, shown: convert(JSON.parse(JSON.stringify(shown))) }).toEqual({ name, shown });
  }
  expect(carried).toBeGreaterThan(150);
});

it('goes through the package in anthropic', () => {
  for (const { name, schema } of SCHEMAS) {
    const shown = carriedIn('anthropic', schema)?.definition.inputSchema;
    expect({ name, isCarried: shown !== undefined }).toEqual({ name, isCarried: true });
    if (shown !== undefined)
      expect(() => transformJSONSchema(JSON.parse(JSON.stringify(shown)))).not.toThrow();
  }
});
