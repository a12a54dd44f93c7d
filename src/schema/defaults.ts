/**
 * Reads the initialisers of a DTO by making instances of it.
 * Invariant: a default that two instances disagree on, that is of the moment, or that JSON cannot carry, is
 * applied but not shown.
 */
import type { Class } from '../contract/class';
import type { JsonValue } from '../errors/body';

/** What instances of a DTO start with. */
export interface Defaults {
  /** Names of all own properties of a new instance. */
  readonly keys: readonly string[];
  /** Names of the properties that have an initialiser. */
  readonly initialised: ReadonlySet<string>;
  /** The initialisers that may be shown in a schema. */
  readonly shown: ReadonlyMap<string, JsonValue>;
}

const DAY_MS = 86_400_000;

/** Tells whether a value may be one of the moment, which two instances made at once agree on. */
function isOfTheMoment(value: unknown): boolean {
  return value instanceof Date || (typeof value === 'number' && Math.abs(value - Date.now()) < DAY_MS);
}

/** What may be shown of an initialiser as JSON. */
function toJson(value: unknown): string | undefined {
  const tag = Object.prototype.toString.call(value);
  if (typeof value === 'object' && tag !== '[object Object]' && tag !== '[object Array]') return undefined;
  if (isOfTheMoment(value)) return undefined;
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/**
 * Makes two instances and compares them.
 *
 * @throws whatever the constructor throws, and a TypeError when it makes an instance that cannot be extended.
 */
export function readDefaults(cls: Class): Defaults {
  const first: object = new cls();
  if (!Object.isExtensible(first)) throw new TypeError('the constructor makes an instance that is frozen');
  const second = new Map<string, unknown>(Object.entries(new cls()));
  const initialised = new Set<string>();
  const shown = new Map<string, JsonValue>();
  for (const [key, value] of Object.entries(first)) {
    if (value === undefined || value === null) continue;
    initialised.add(key);
    const json = toJson(value);
    if (json !== undefined && json === toJson(second.get(key))) shown.set(key, JSON.parse(json));
  }
  return { keys: Object.keys(first), initialised, shown };
}
