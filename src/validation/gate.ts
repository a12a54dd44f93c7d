/**
 * The gate of every call: the compiled schema, which accepts what the one that the model sees accepts.
 * Invariant: a violation names a place and a rule, in the rule's own words, and never repeats a value.
 */
import type { Class } from '../contract/class';
import { oncePer } from '../contract/once';
import { childPointer, cutPointer, propertyOf } from '../contract/pointer';
import { MAX_VIOLATIONS, type Violation } from '../contract/schema';
import { INSIDE, type Provenance } from '../schema/compose';
import { type Emitted, emit, emitProperty } from '../schema/emit';
import type { PropertyModel } from '../schema/property-model';
import { wordsOf } from '../schema/words';
import { type CompiledSchema, compileSchema, type SchemaError } from './compile';

const MAX_KEY_LENGTH = 64;
const NONE: readonly Violation[] = Object.freeze([]);

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const UNEXPLAINED: Violation = { path: '', rule: 'schema', message: 'the value does not fit the schema' };

/** Words for what the structure of a DTO demands, and no rule of its own states. */
function structuralViolation(
  { keyword, instancePath: path, params, parentSchema }: SchemaError,
  whole: string,
): Violation {
  const property = path === '' ? whole : propertyOf(path);
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

function toViolation(error: SchemaError, provenance: Provenance, whole: string): Violation | undefined {
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
  const origins = isObject(parentSchema) ? provenance.get(parentSchema) : undefined;
  const origin = origins?.get(keyword);
  // The rest of what a nullable node, a key's name or a rule's keyword reports is said by another error already.
  const isEcho =
    keyword === 'anyOf' || keyword === 'if' || error.propertyName !== undefined || params.type === 'null';
  if (origins === INSIDE || (isEcho && origin === undefined)) return undefined;
  if (origin === undefined) return structuralViolation({ ...error, instancePath }, whole);
  const rule = origin.use.name;
  return { path: instancePath, rule, message: wordsOf(origin.use, origin.property, error.data) };
}

/** Checks values against one emitted schema; compiles it on first use. */
export class Gate {
  private compiled: CompiledSchema | undefined;

  /** @param whole what the value as a whole is called in words. */
  constructor(
    readonly emitted: Emitted,
    private readonly whole = 'value',
  ) {}

  /** Compiles the schema now. */
  warm(): void {
    this.compiled ??= compileSchema(this.emitted.gate.schema);
  }

  /** Lists the violations of a value, up to 20; none when the schema accepts it. */
  check(value: unknown): readonly Violation[] {
    this.compiled ??= compileSchema(this.emitted.gate.schema);
    const { unions, provenance } = this.emitted.gate;
    let errors: readonly SchemaError[];
    try {
      if (this.compiled.accepts(value)) return NONE;
      errors = this.compiled.errors(value);
    } catch {
      // Ajv compares elements by their own toString and valueOf, where they have any.
      return [{ path: '', rule: 'isJson', message: 'the values cannot be compared' }];
    }
    const found = new Map<string, Violation>();
    for (const error of errors) {
      const violation = tagViolation(error, unions) ?? toViolation(error, provenance, this.whole);
      if (violation === undefined) continue;
      found.set(`${violation.path} ${violation.rule}`, violation);
      if (found.size === MAX_VIOLATIONS) break;
    }
    // What no rule explains is refused all the same.
    return found.size === 0 ? [UNEXPLAINED] : [...found.values()];
  }
}

/** What is wrong with the tag of a union, if that is what an error is about. */
function tagViolation(error: SchemaError, unions: Emitted['gate']['unions']): Violation | undefined {
  const { keyword, instancePath, parentSchema } = error;
  const isMissing = keyword === 'required';
  const place = isMissing ? parentSchema?.then : keyword === 'enum' ? parentSchema : undefined;
  const kind = isObject(place) ? unions.get(place) : undefined;
  if (kind === undefined) return undefined;
  const path = isMissing ? childPointer(instancePath, kind.tag) : instancePath;
  const message = `${kind.tag} must be one of the following values: ${[...kind.variants.keys()].join(', ')}`;
  return { path: cutPointer(path), rule: 'isIn', message };
}

/** The gate of a DTO. The class must be free of problems. Tools and toolkits share it, and it is compiled once. */
export const gateOfClass: (cls: Class) => Gate = oncePer((cls) => new Gate(emit({ kind: 'class', cls })));

/** The gate of one property's value by itself, for a property that is not always held to its rules. */
export const gateOfProperty: (property: PropertyModel) => Gate = oncePer(
  (property) => new Gate(emitProperty(property), property.key),
);
