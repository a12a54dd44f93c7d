/**
 * Checks values against a schema without generated code: for processes that may not generate any, and for
 * schemas that Ajv compiles wrongly or not at all.
 * Invariant: the verdict is that of JSON Schema 2020-12; the errors are those that Ajv lists, save those of names
 * and of elements that `contains` passed over.
 */
import type { JsonSchema } from '../contract/schema';
import type { CompiledSchema } from './compiled-schema';
import { CHECKS } from './interpreter/applicators';
import { Place, Prepared, Run } from './interpreter/run';

/** Prepares a schema for the interpreter. */
export function interpretSchema(schema: JsonSchema): CompiledSchema {
  const prepared = new Prepared(schema, CHECKS);
  return {
    accepts: (value) => new Run(prepared, false).apply(schema, value, new Place()),
    errors: (value) => {
      const run = new Run(prepared, true);
      return run.apply(schema, value, new Place()) ? [] : run.errors;
    },
  };
}
