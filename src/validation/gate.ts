/**
 * The gate of every call: the compiled schema, the very one that the model sees.
 * Invariant: a violation names a place and a rule, in the rule's own words, and never repeats a value.
 */
import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import { childPointer, cutPointer, propertyOf } from '../contract/pointer';
import type { JsonSchema, Violation } from '../contract/schema';
import type { Provenance } from '../schema/compose';
import type { Emitted } from '../schema/emit';
import { wordsOf } from '../schema/words';

const MAX_VIOLATIONS = 20;
const MAX_KEY_LENGTH = 64;

/** An instance for each schema: one that is shared would hold every schema for ever. */
function compile(schema: JsonSchema): ValidateFunction {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    allErrors: true,
    verbose: true,
    // JSON Schema 2020-12, Validation, section 7: a format is an annotation.
    validateFormats: false,
    // Emitted schemas are valid, and compiling the meta-schema would cost more than all the rest.
    validateSchema: false,
    meta: false,
  });
  return ajv.compile(schema);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Words for what the structure of a DTO demands, and no rule of its own states. */
function structuralViolation({ keyword, instancePath: path, params, parentSchema }: ErrorObject): Violation {
  const property = propertyOf(path);
  if (parentSchema?.format === 'date-time') {
    return { path, rule: 'isDate', message: `${property} must be a date-time such as 2026-01-31T09:30:00Z` };
  }
  if (keyword === 'minimum' || keyword === 'maximum') {
    return { path, rule: 'isInt', message: `${property} must be an integer that JSON carries exactly` };
  }
  const type = [params.type].flat()[0];
  const rule = type === 'array' ? 'isArray' : type === 'object' ? 'nestedValidation' : keyword;
  const article = type === 'array' || type === 'object' || type === 'integer' ? 'an' : 'a';
  return { path, rule, message: `${property} must be ${article} ${type}` };
}

function toViolation(error: ErrorObject, provenance: Provenance): Violation | undefined {
  const { keyword, params, parentSchema } = error;
  const instancePath = cutPointer(error.instancePath);
  if (keyword === 'required') {
    const path = childPointer(instancePath, params.missingProperty);
    return { path, rule: 'isDefined', message: `${params.missingProperty} should not be null or undefined` };
  }
  if (keyword === 'additionalProperties' || keyword === 'propertyNames') {
    const key = String(params.additionalProperty ?? params.propertyName).slice(0, MAX_KEY_LENGTH);
    const path = childPointer(instancePath, key);
    return { path, rule: 'whitelistValidation', message: `property ${key} should not exist` };
  }
  // The rest of what a nullable node or a key's name reports is said by another error already.
  const isEcho = keyword === 'anyOf' || error.propertyName !== undefined || params.type === 'null';
  if (isEcho) return undefined;
  const origin = isObject(parentSchema) ? provenance.get(parentSchema)?.get(keyword) : undefined;
  if (origin === undefined) return structuralViolation({ ...error, instancePath });
  const rule = origin.use.recorded.name ?? keyword;
  return { path: instancePath, rule, message: wordsOf(origin.use, origin.property, error.data) };
}

/** Checks values against one emitted schema; compiles it on first use. */
export class Gate {
  private validate: ValidateFunction | undefined;

  constructor(readonly emitted: Emitted) {}

  /** Compiles the schema now. */
  warm(): void {
    this.validate ??= compile(this.emitted.schema);
  }

  /** Lists the violations of a value, up to 20; none when the schema accepts it. */
  check(value: unknown): readonly Violation[] {
    this.validate ??= compile(this.emitted.schema);
    try {
      if (this.validate(value)) return [];
    } catch {
      // Ajv compares elements by their own toString and valueOf, where they have any.
      return [{ path: '', rule: 'isJson', message: 'the values cannot be compared' }];
    }
    const found = new Map<string, Violation>();
    for (const error of this.validate.errors ?? []) {
      const violation = toViolation(error, this.emitted.provenance);
      if (violation === undefined) continue;
      found.set(`${violation.path} ${violation.rule}`, violation);
      if (found.size === MAX_VIOLATIONS) break;
    }
    return [...found.values()];
  }
}
