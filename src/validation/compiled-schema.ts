/**
 * What a compiled schema is, whoever checks by it.
 * Invariant: a value has errors exactly when it is not accepted.
 */
import type { ErrorObject } from 'ajv';

/** One error of a value, in Ajv's form, with the schema node that it comes from. */
export interface SchemaError
  extends Pick<ErrorObject, 'keyword' | 'instancePath' | 'params' | 'propertyName' | 'data'> {
  readonly parentSchema?: { readonly [keyword: string]: unknown } | undefined;
}

/** A schema that is ready to check values. */
export interface CompiledSchema {
  accepts(value: unknown): boolean;
  /** All errors of a value; none when it is accepted. */
  errors(value: unknown): readonly SchemaError[];
}
