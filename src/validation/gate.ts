/**
 * The gate of every call: the compiled schema, the very one that the model sees.
 * Invariant: a violation names a place and a rule, in the rule's own words, and never repeats a value.
 */
import { childPointer, cutPointer, propertyOf } from '../contract/pointer';
import type { Violation } from '../contract/schema';
import type { JsonValue } from '../errors/body';
import type { Provenance } from '../schema/compose';
import type { Emitted } from '../schema/emit';
import { wordsOf } from '../schema/words';
import { type CompiledSchema, compileSchema, type SchemaError } from './compile';

const MAX_VIOLATIONS = 20;
const MAX_KEY_LENGTH = 64;

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Words for what the structure of a DTO demands, and no rule of its own states. */
function structuralViolation({ keyword, instancePath: path, params, parentSchema }: SchemaError): Violation {
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

function toViolation(error: SchemaError, provenance: Provenance): Violation | undefined {
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
  private compiled: CompiledSchema | undefined;

  constructor(readonly emitted: Emitted) {}

  /** Compiles the schema now. */
  warm(): void {
    this.compiled ??= compileSchema(this.emitted.schema);
  }

  /** Tells whether the schema accepts a value. */
  accepts(value: JsonValue): boolean {
    this.compiled ??= compileSchema(this.emitted.schema);
    try {
      return this.compiled.accepts(value);
    } catch {
      return false;
    }
  }

  /** Lists the violations of a value that the schema does not accept, up to 20. */
  explain(value: JsonValue): readonly Violation[] {
    this.compiled ??= compileSchema(this.emitted.schema);
    const found = new Map<string, Violation>();
    try {
      for (const error of this.compiled.errors(value)) {
        const violation = toViolation(error, this.emitted.provenance);
        if (violation === undefined) continue;
        found.set(`${violation.path} ${violation.rule}`, violation);
        if (found.size === MAX_VIOLATIONS) break;
      }
    } catch {
      // Ajv compares elements by their own toString and valueOf, where they have any.
      return [{ path: '', rule: 'isJson', message: 'the values cannot be compared' }];
    }
    return [...found.values()];
  }
}
