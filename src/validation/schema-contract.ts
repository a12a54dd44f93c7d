/**
 * Makes contracts from raw JSON Schemas, for tools that are imported rather than declared.
 * Invariant: a contract exists only for a schema that is bounded and needs nothing from outside, and its `parse`
 * accepts exactly what the schema accepts, within the limits, save the key `__proto__`.
 */
import {
  type InputContract,
  type InputLimits,
  type InputOutcome,
  isSchema,
  type JsonSchema,
  MAX_VIOLATIONS,
  type OutputContract,
  type ParseOutcome,
  type Refused,
  type Violation,
} from '../contract/schema';
import type { JsonValue } from '../errors/body';
import { type CompiledSchema, compileSchema } from './compile';
import { hasKey, isProto } from './imported/keys';
import { SCHEMA_LIMITS } from './imported/limits';
import { type TakenSchema, takeSchema } from './imported/take-schema';
import { toSchemaViolation } from './imported/words';
import { snapshot } from './snapshot';
import { toJson } from './to-json';

/** What a contract made from a schema gives: a JSON object, as the schema accepts it. */
export type JsonObject = { readonly [key: string]: JsonValue };

function refuse(rule: string, message: string): Refused {
  return { ok: false, violations: [{ path: '', rule, message }] };
}

const UNEXPLAINED: Violation = { path: '', rule: 'schema', message: 'the value does not fit the schema' };

function violationsOf(compiled: CompiledSchema, value: JsonValue): readonly Violation[] {
  const found = new Map<string, Violation>();
  for (const error of compiled.errors(value)) {
    const violation = toSchemaViolation(error);
    if (violation === undefined) continue;
    found.set(`${violation.path} ${violation.rule} ${violation.message}`, violation);
    if (found.size === MAX_VIOLATIONS) break;
  }
  return found.size === 0 ? [UNEXPLAINED] : [...found.values()];
}

/** Checks values against one schema from outside; compiles it on first use. */
class SchemaGate {
  private compiled: CompiledSchema | undefined;

  constructor(private readonly taken: TakenSchema) {}

  warm(): CompiledSchema {
    this.compiled ??= compileSchema(this.taken.gateForm, 'imported');
    return this.compiled;
  }

  check(value: JsonValue): Refused | undefined {
    const compiled = this.warm();
    if (hasKey(value, isProto)) return refuse('propertyNames', 'no property may be called __proto__');
    if (this.taken.steps.exceeds(value)) {
      return refuse('maxSteps', `the check of the value must take at most ${SCHEMA_LIMITS.maxSteps} steps`);
    }
    try {
      return compiled.accepts(value) ? undefined : { ok: false, violations: violationsOf(compiled, value) };
    } catch {
      // Ajv compares elements by their own valueOf, where they have any, and recurses as deep as schema and value.
      return refuse('isJson', 'the value cannot be checked');
    }
  }
}

/**
 * The input contract of a raw JSON Schema, draft 2020-12 (also where `$schema` is left out) or 7.
 * `default` and `format` are annotations: nothing is filled in, and no format is checked.
 *
 * @throws DeclarationError with what keeps the schema from being taken.
 */
export function schemaInputContract(given: unknown): InputContract<JsonObject> {
  const taken = takeSchema(given, 'object');
  const gate = new SchemaGate(taken);
  return Object.freeze({
    schema: taken.schema,
    validatorOnlyRules: Object.freeze([]),
    warm: () => void gate.warm(),
    async parse(raw: unknown, limits?: InputLimits): Promise<InputOutcome<JsonObject>> {
      const copied = snapshot(raw ?? {}, limits);
      if (!copied.ok) return copied;
      const json = copied.value;
      const refused = gate.check(json);
      if (refused !== undefined) return refused;
      return isSchema(json)
        ? { ok: true, value: json, json }
        : refuse('type', 'value must be of type object');
    },
  });
}

/**
 * The output contract of a raw JSON Schema, draft 2020-12 (also where `$schema` is left out) or 7.
 *
 * @throws DeclarationError with what keeps the schema from being taken.
 */
export function schemaOutputContract(given: unknown): OutputContract & { readonly schema: JsonSchema } {
  const taken = takeSchema(given, 'any');
  const gate = new SchemaGate(taken);
  const check = async (json: JsonValue): Promise<ParseOutcome<JsonValue>> =>
    gate.check(json) ?? { ok: true, value: json };
  return Object.freeze({
    schema: taken.schema,
    validatorOnlyRules: Object.freeze([]),
    warm: () => void gate.warm(),
    async parse(output: unknown, maxBytes?: number): Promise<ParseOutcome<JsonValue>> {
      const converted = toJson(output, { maxBytes });
      return converted.ok ? check(converted.value) : converted;
    },
    check,
  });
}
