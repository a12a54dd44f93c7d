/**
 * Turns JSON that has passed the gate into an instance through class-transformer, for a DTO whose properties
 * `@Transform` makes or `@Expose` names.
 * Invariant: class-transformer sees only JSON that the gate accepted, without the nulls that mean absent; what a
 * conversion throws is a violation, and none of its words get out.
 */
import { plainToInstance } from 'class-transformer';
import type { Class } from '../contract/class';
import { childPointer, cutPointer, propertyOf } from '../contract/pointer';
import { MAX_VIOLATIONS, type ParseOutcome } from '../contract/schema';
import { memberOf } from '../metadata/members';
import { modelOf } from '../schema/model';
import type { PropertyModel } from '../schema/property-model';
import { classFor } from '../schema/property-type';

/** Copies an object without the nulls of its optional properties, whose initialisers then stay. */
function withoutNulls(cls: Class, json: object): object {
  const entries = modelOf(cls).properties.flatMap((property): (readonly [string, unknown])[] => {
    const value = memberOf(json, property.key);
    const isAbsent = !Object.hasOwn(json, property.key) || (value === null && property.optional);
    return isAbsent ? [] : [[property.key, pruned(property, value)]];
  });
  return Object.fromEntries(entries);
}

function pruned(property: PropertyModel, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => pruned(property, one));
  if (typeof value !== 'object' || value === null) return value;
  const cls = classFor(property.value, value);
  return cls === undefined ? value : withoutNulls(cls, value);
}

/** Its model has made an instance of a class that has no problems. */
function takesNothing<T extends object>(cls: Class<T>): cls is Class<T> & (new () => T) {
  return modelOf(cls).problems.length === 0;
}

/** @throws whatever a conversion throws. */
function make<T extends object>(cls: Class<T>, json: object): T {
  if (!takesNothing(cls)) throw new TypeError(`${cls.name} has problems and cannot be made.`);
  return plainToInstance(cls, json, { exposeDefaultValues: true });
}

/** The pointers of the values whose conversion throws by itself, the innermost ones. */
function culprits(cls: Class, json: object, path: string): readonly string[] {
  return modelOf(cls).properties.flatMap((property) => {
    const value = memberOf(json, property.key);
    const at = childPointer(path, property.key);
    const within = Array.isArray(value)
      ? value.flatMap((one: unknown, index) => culpritsIn(property, one, childPointer(at, index)))
      : culpritsIn(property, value, at);
    if (within.length > 0 || value === undefined) return within;
    try {
      make(cls, { [property.key]: value });
      return [];
    } catch {
      return [at];
    }
  });
}

function culpritsIn(property: PropertyModel, value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const cls = classFor(property.value, value);
  return cls === undefined ? [] : culprits(cls, value, path);
}

/** Makes an instance of a DTO out of a value that its schema accepts. */
export function convert<T extends object>(cls: Class<T>, json: object): ParseOutcome<T> {
  const given = withoutNulls(cls, json);
  try {
    return { ok: true, value: make(cls, given) };
  } catch {
    const found = culprits(cls, given, '');
    const violations = (found.length === 0 ? [''] : found.slice(0, MAX_VIOLATIONS)).map((path) => ({
      path: cutPointer(path),
      rule: 'transform',
      message: `${propertyOf(path)} cannot be converted`,
    }));
    return { ok: false, violations };
  }
}
