/**
 * Finds, for a violation that class-validator does not see, the stricter reading that it comes from.
 * Invariant: it looks at the value itself; a violation that no reading explains is drift.
 */
import type { JsonValue, STRICTER_READINGS, Violation } from 'toolcrib';
import type { DtoSpec, PropertySpec } from './dto-spec';

/** The name of a stricter reading. */
export type Reading = keyof typeof STRICTER_READINGS;

/** What stands at a place of a document: its value, and the property that declares it, if any. */
interface Place {
  readonly value: JsonValue | undefined;
  readonly property: PropertySpec | undefined;
  /** The place is one element of the property's array. */
  readonly isElement: boolean;
  readonly key: string;
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map<string, JsonValue>(Object.entries(value)).get(key);
}

/** Follows a pointer through a document and its DTO at once. */
function locate(spec: DtoSpec, document: JsonValue, pointer: string): Place {
  const keys = pointer.split('/').slice(1);
  let place: Place = { value: document, property: undefined, isElement: false, key: '' };
  let dto: DtoSpec | undefined = spec;
  for (const token of keys) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    const value = memberOf(place.value, key);
    const isElement = place.property?.each === true && !place.isElement;
    const declared: PropertySpec | undefined = isElement
      ? place.property
      : new Map(Object.entries(dto?.properties ?? {})).get(key);
    place = { value, property: declared, isElement, key };
    const isWhole: boolean = declared !== undefined && (isElement || !declared.each);
    dto = isWhole && declared?.shape.kind === 'nested' ? declared.shape.dto : undefined;
  }
  return place;
}

/** Tells whether a text is an RFC 3339 date-time (section 5.6) of a day that exists. */
function isRfc3339(value: JsonValue | undefined): boolean {
  const parts = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(String(value));
  if (typeof value !== 'string' || parts === null || Number.isNaN(Date.parse(value))) return false;
  return new Date(`${parts[1]}T00:00:00Z`).toISOString().startsWith(`${parts[1]}T`);
}

const ENUM_NAMES: readonly JsonValue[] = ['Low', 'High', 'A', 'B'];

/** The stricter reading behind one violation; undefined when there is none. */
export function readingOf(
  spec: DtoSpec,
  document: JsonValue,
  { path, rule }: Violation,
): Reading | undefined {
  const { value, property, isElement, key } = locate(spec, document, path);
  if (rule === 'whitelistValidation') {
    return Object.getOwnPropertyNames(Object.prototype).includes(key) ? 'no_prototype_keys' : undefined;
  }
  if (property === undefined) return undefined;
  const { shape, each, optional, initialised } = property;
  if (value === undefined) return rule === 'isDefined' && !optional && !initialised ? 'required' : undefined;
  if (each && !isElement) return Array.isArray(value) ? undefined : 'each_means_array';
  if (shape.kind === 'nested') return Array.isArray(value) ? 'nested_is_object' : undefined;
  if (shape.kind === 'date') return isRfc3339(value) ? undefined : 'rfc3339_dates';
  if (rule === 'isInt' && Number.isInteger(value) && !Number.isSafeInteger(value)) return 'exact_integers';
  if (rule === 'isEnum' && ENUM_NAMES.includes(value)) return 'numeric_enum';
  return undefined;
}
