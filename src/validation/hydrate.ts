/**
 * Turns JSON that has passed the gate into an instance of its DTO.
 * Invariant: only declared properties are set, from a value that the gate accepted; nothing is converted but
 * RFC 3339 text to Date, and null under `@IsOptional()` leaves the initialiser in place.
 */
import type { Class } from '../contract/class';
import { modelOf } from '../schema/model';
import type { PropertyModel } from '../schema/property-model';
import { mayGenerateCode } from './code-generation';
import { type Generated, generate } from './generate';

/** How the arguments of one DTO are copied, where not as any others, and how its instance is made. */
export type Hydration<T> = Pick<Generated<T>, 'hydrate'> & Partial<Generated<T>>;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hydrateValue({ value: kind }: PropertyModel, value: unknown): unknown {
  if (kind.kind === 'class') return isRecord(value) ? hydrate(kind.cls, value) : value;
  if (kind.kind === 'date') return typeof value === 'string' ? new Date(value) : value;
  return value;
}

function hydrateProperty(property: PropertyModel, value: unknown): unknown {
  return property.list && Array.isArray(value)
    ? value.map((element) => hydrateValue(property, element))
    : hydrateValue(property, value);
}

/** Makes an instance by a loop over the properties, where code may not be generated. */
function hydrate<T extends object>(cls: Class<T>, value: object): T {
  const given = new Map<string, unknown>(Object.entries(value));
  const isSet = ({ name, optional }: PropertyModel) => {
    const one = given.get(name);
    return one !== undefined && !(one === null && optional);
  };
  const members = modelOf(cls)
    .properties.filter(isSet)
    .map((property) => [property.name, hydrateProperty(property, given.get(property.name))] as const);
  return Object.assign(new cls(), Object.fromEntries(members));
}

/** Prepares the hydration of a DTO. */
export function prepareHydration<T extends object>(cls: Class<T>): Hydration<T> {
  return mayGenerateCode() ? generate(cls) : { hydrate: (json) => hydrate(cls, json) };
}
