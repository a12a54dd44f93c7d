/**
 * Compiles a JSON Schema into a check.
 * Invariant: `accepts` and `errors` follow the same schema: a value has errors exactly when it is not accepted.
 */
import Ajv2020, { type ErrorObject } from 'ajv/dist/2020';
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

/** Where a schema comes from: the emitter, or outside, in its gate form. */
type Origin = 'emitted' | 'imported';

/** Compiles a schema. An instance for each, since one that is shared would hold every schema for ever. */
export function compileSchema(schema: JsonSchema, origin: Origin = 'emitted'): CompiledSchema {
  const isEmitted = origin === 'emitted';
  const ajv = new Ajv2020({
    strict: isEmitted,
    allowUnionTypes: true,
    // Or `required: ['constructor']` would hold of every object.
    ownProperties: !isEmitted,
    // Or a definition that is named a thousand times would be written out a thousand times.
    inlineRefs: isEmitted,
    allErrors: true,
    verbose: true,
    // JSON Schema 2020-12, Validation, section 7: a format is an annotation.
    validateFormats: false,
    // Emitted schemas are valid, and compiling the meta-schema would cost more than all the rest.
    validateSchema: false,
    meta: false,
  });
  const validate = ajv.compile(schema);
  return {
    accepts: (value) => validate(value),
    errors: (value) => (validate(value) ? [] : (validate.errors ?? [])),
  };
}
