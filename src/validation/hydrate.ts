/**
 * Turns JSON that has passed the gate into an instance of its DTO.
 * Invariant: only declared properties are set, from a value that the gate accepted; nothing is converted but
 * RFC 3339 text to Date, and null under `@IsOptional()` leaves the initialiser in place.
 */
import type { Class } from '../contract/class';
import { memberOf } from '../metadata/members';
import { modelsOf } from '../schema/model';
import { isOpen, type PropertyModel, type Way } from '../schema/property-model';
import { classFor } from '../schema/property-type';
import { mayGenerateCode } from './code-generation';
import { gateOfProperty } from './gate';
import { type Generated, generate } from './generate';

/** How the instance of a DTO is made, and its arguments are copied where not as any others. */
export type Hydration<T> = Pick<Generated<T>, 'hydrate'> & Partial<Generated<T>>;

const WRITABLE = { writable: true, enumerable: true, configurable: true };

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hydrateValue({ value: kind, way }: PropertyModel, value: unknown): unknown {
  if (kind.kind === 'date') return typeof value === 'string' ? new Date(value) : value;
  const cls = isRecord(value) ? classFor(kind, value) : undefined;
  return isRecord(value) && cls !== undefined ? hydrate(cls, value, way) : value;
}

function hydrateProperty(property: PropertyModel, value: unknown): unknown {
  // Where its condition does not hold, a property may be anything.
  if (isOpen(property) && gateOfProperty(property).check(value).length > 0) return value;
  return property.list && Array.isArray(value)
    ? value.map((element) => hydrateValue(property, element))
    : hydrateValue(property, value);
}

/** Makes an instance by a loop over the properties, where code may not be generated. */
function hydrate<T extends object>(cls: Class<T>, json: object, way: Way): T {
  const instance = new cls();
  for (const property of modelsOf(way)(cls).properties) {
    const one = Object.hasOwn(json, property.key) ? memberOf(json, property.key) : undefined;
    if (one === undefined || (one === null && property.optional)) continue;
    // A getter may stand in the place of what is written.
    const value = hydrateProperty(property, one);
    Object.defineProperty(instance, property.name, { ...WRITABLE, value });
  }
  return instance;
}

/** Prepares the hydration of a DTO. */
export function prepareHydration<T extends object>(cls: Class<T>, way: Way = 'in'): Hydration<T> {
  return way === 'in' && mayGenerateCode() ? generate(cls) : { hydrate: (json) => hydrate(cls, json, way) };
}
