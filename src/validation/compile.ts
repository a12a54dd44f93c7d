/**
 * Compiles a JSON Schema into a check.
 * Invariant: `accepts` and `errors` follow the same schema: a value has errors exactly when it is not accepted.
 */
import Ajv, { type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
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

/** An instance for each function, since one that is shared would hold every schema for ever. */
function compileWith(schema: JsonSchema, draft: Draft, options: Options): ValidateFunction {
  const all = { ...OPTIONS, ...options };
  return (draft === '7' ? new Ajv(all) : new Ajv2020(all)).compile(schema);
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
