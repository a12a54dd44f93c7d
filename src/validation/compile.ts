/**
 * Compiles a JSON Schema into a check.
 * Invariant: `accepts` and `errors` follow the same schema: a value has errors exactly when it is not accepted.
 */
import Ajv, {
  _,
  type CodeKeywordDefinition,
  type ErrorObject,
  type Options,
  type ValidateFunction,
} from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import codePointsOf from 'ajv/dist/runtime/ucs2length';
import type { JsonSchema } from '../contract/schema';

/** One error of a value, in Ajv's form, with the schema node that it comes from. */
export type SchemaError = Pick<
  ErrorObject,
  'keyword' | 'instancePath' | 'params' | 'parentSchema' | 'propertyName' | 'data'
>;

/** A schema that is ready to check values. */
export interface CompiledSchema {
  accepts(value: unknown): boolean;
  /** All errors of a value; none when it is accepted. */
  errors(value: unknown): readonly SchemaError[];
}

/** The drafts of JSON Schema that can be compiled. */
export type Draft = '2020-12' | '7';

const OPTIONS: Options = {
  strict: true,
  allowUnionTypes: true,
  // JSON Schema 2020-12, Validation, section 7: a format is an annotation.
  validateFormats: false,
  // Emitted schemas are valid, and compiling the meta-schema would cost more than all the rest.
  validateSchema: false,
  meta: false,
};

/** The two bounds of a text's length; its code points are counted only where the units do not tell. */
const LENGTH: CodeKeywordDefinition = {
  keyword: ['maxLength', 'minLength'],
  before: 'pattern',
  type: 'string',
  schemaType: 'number',
  error: {
    message: 'must have another length',
    params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
  },
  code(context) {
    const { gen, keyword, data, schemaCode: limit } = context;
    const count = _`${gen.scopeValue('func', { ref: codePointsOf })}(${data})`;
    const units = _`${data}.length`;
    context.fail(
      keyword === 'maxLength'
        ? _`${units} > ${limit} && ${count} > ${limit}`
        : _`${units} < ${limit} || (${units} < 2 * ${limit} && ${count} < ${limit})`,
    );
  },
};

/** An instance for each function, since one that is shared would hold every schema for ever. */
function compileWith(schema: JsonSchema, draft: Draft, options: Options): ValidateFunction {
  const all = { ...OPTIONS, ...options };
  const ajv = draft === '7' ? new Ajv(all) : new Ajv2020(all);
  return ajv.removeKeyword('maxLength').removeKeyword('minLength').addKeyword(LENGTH).compile(schema);
}

/** Compiles a schema: a check that ends at the first error now, and one that lists them all when first asked. */
export function compileSchema(schema: JsonSchema, draft: Draft = '2020-12'): CompiledSchema {
  const accepts = compileWith(schema, draft, {});
  let explain: ValidateFunction | undefined;
  return {
    accepts: (value) => accepts(value),
    errors: (value) => {
      explain ??= compileWith(schema, draft, { allErrors: true, verbose: true });
      return explain(value) ? [] : (explain.errors ?? []);
    },
  };
}
