/**
 * Finds, for a violation that class-validator does not see, the stricter reading that it comes from.
 * Invariant: it looks at the value itself; a violation that no reading explains is a disagreement.
 */
import type { JsonValue, STRICTER_READINGS, Violation } from 'toolcrib';
import { type DtoSpec, isList, type PropertySpec } from './spec';

/** The name of a stricter reading. */
export type Reading = keyof typeof STRICTER_READINGS;

/** The keys of a JSON Pointer, or of one in a URI fragment. */
export function tokensOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What stands at a place of a document: its value, and the property that declares it, if any. */
interface Place {
  readonly value: JsonValue | undefined;
  readonly property: PropertySpec | undefined;
  /** How many levels below its property the place is. */
  readonly below: number;
  readonly key: string;
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map<string, JsonValue>(Object.entries(value)).get(key);
}

/** The DTO that a value of a property is one of. */
function heldBy({ holds }: PropertySpec, value: JsonValue | undefined): DtoSpec | undefined {
  if (holds?.kind !== 'union') return holds?.dto;
  const name = memberOf(value, holds.by);
  return typeof name === 'string' ? new Map(Object.entries(holds.variants)).get(name) : undefined;
}

/** Follows a pointer through a document and its DTO at once. */
function locate(spec: DtoSpec, document: JsonValue, pointer: string): Place {
  let place: Place = { value: document, property: undefined, below: 0, key: '' };
  let dto: DtoSpec | undefined = spec;
  for (const key of tokensOf(pointer)) {
    const value = memberOf(place.value, key);
    const declared: PropertySpec | undefined = new Map(Object.entries(dto?.properties ?? {})).get(key);
    const property: PropertySpec | undefined = declared ?? (dto === undefined ? place.property : undefined);
    place = { value, property, below: declared === undefined ? place.below + 1 : 0, key };
    const isHolder: boolean = property !== undefined && place.below === (isList(property) ? 1 : 0);
    dto = isHolder && property !== undefined ? heldBy(property, value) : undefined;
  }
  return place;
}

const RFC3339 =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Tells whether a text is an RFC 3339 date-time (section 5.6) of a day that exists. */
function isRfc3339(value: JsonValue | undefined): boolean {
  const day = typeof value === 'string' ? RFC3339.exec(value)?.[1] : undefined;
  if (day === undefined) return false;
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(`${day}T`);
}

function has({ uses }: PropertySpec, pattern: RegExp): boolean {
  return uses.some(({ form }) => pattern.test(form.name));
}

function isPrototypeKey(key: string): boolean {
  return Object.getOwnPropertyNames(Object.prototype).includes(key);
}

function hasPrototypeKey(value: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, one]) => isPrototypeKey(key) || hasPrototypeKey(one));
}

/** Tells a property whose rules are about a converted value, or hold under a condition. */
function isOpen(property: PropertySpec): boolean {
  return property.onlyBeside !== undefined || has(property, /^(?:ValidateIf|Transform)\(/);
}

/** The property of which the schema can say nothing that a place is, or is within. */
function openAround(spec: DtoSpec, document: JsonValue, pointer: string): Place | undefined {
  const tokens = pointer.split('/');
  const places = tokens.map((_, at) => locate(spec, document, tokens.slice(0, at + 1).join('/')));
  return places.find(({ property }) => property !== undefined && isOpen(property));
}

/** Tells whether a place is, or is within, a property of which the schema can say nothing. */
export function isWithinOpen(spec: DtoSpec, document: JsonValue, pointer: string): boolean {
  return openAround(spec, document, pointer) !== undefined;
}

/** The stricter reading behind one violation; undefined when there is none. */
export function readingOf(
  spec: DtoSpec,
  document: JsonValue,
  { path, rule }: Violation,
): Reading | undefined {
  const { value, property, below, key } = locate(spec, document, path);
  if (rule === 'whitelistValidation') return isPrototypeKey(key) ? 'no_prototype_keys' : undefined;
  if (typeof value === 'number' && !Number.isFinite(value)) return 'finite_numbers';
  // Where any JSON value may stand, a wrong key is told along with what else the value might have been.
  if (hasPrototypeKey(openAround(spec, document, path)?.value)) return 'no_prototype_keys';
  if (property === undefined) return undefined;
  const isSpared =
    property.optional === true ||
    property.initial !== undefined ||
    has(property, /^IsOptional$/) ||
    (property.holds === undefined && property.uses.every(({ form }) => form.name === 'Allow'));
  if (value === undefined) return rule === 'isDefined' && !isSpared ? 'required' : undefined;
  if (isList(property) && below === 0) return Array.isArray(value) ? undefined : 'each_means_array';
  if (property.holds !== undefined) return Array.isArray(value) ? 'nested_is_object' : undefined;
  if (has(property, /@Type\(/)) return isRfc3339(value) ? undefined : 'rfc3339_dates';
  if (has(property, /^IsInt$|^IsDivisibleBy/) && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return 'exact_integers';
  }
  const isName = typeof value === 'string' && /^[ABC]$/.test(value);
  return has(property, /^IsEnum\((?:numeric|mixed)/) && isName ? 'numeric_enum' : undefined;
}
