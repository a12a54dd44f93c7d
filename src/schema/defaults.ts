/**
 * Reads the initialisers of a DTO by making instances of it.
 * Invariant: a default that two instances disagree on, that is of the moment, or that JSON cannot carry, is
 * applied but not shown.
 */
import { types } from 'node:util';
import type { Class } from '../contract/class';
import type { JsonValue } from '../errors/body';

/** What instances of a DTO start with. */
export interface Defaults {
  /** Names of all own properties of a new instance. */
  readonly keys: readonly string[];
  /** Names of the properties that an instance computes, or that cannot be written. */
  readonly computed: ReadonlySet<string>;
  /** Names of the properties that have an initialiser. */
  readonly initialised: ReadonlySet<string>;
  /** The initialisers that may be shown in a schema. */
  readonly shown: ReadonlyMap<string, JsonValue>;
}

const DAY_MS = 86_400_000;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T/;

function isNow(time: number): boolean {
  return Math.abs(time - Date.now()) < DAY_MS;
}

/** Tells whether JSON shows a value for what it is, and will on another day. */
function isLasting(value: unknown): boolean {
  if (typeof value === 'number') return !isNow(value);
  if (typeof value === 'string') return !(ISO_TIME.test(value) && isNow(Date.parse(value)));
  if (typeof value !== 'object' || value === null) return true;
  const tag = Object.prototype.toString.call(value);
  return (tag === '[object Object]' || tag === '[object Array]') && Object.values(value).every(isLasting);
}

/** What may be shown of an initialiser as JSON. */
function toJson(value: unknown): string | undefined {
  try {
    const json = JSON.stringify(value);
    return isLasting(value) ? json : undefined;
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
  if (types.isProxy(first)) throw new TypeError('the constructor makes a proxy');
  const descriptors = Object.entries(Object.getOwnPropertyDescriptors(first));
  const computed = descriptors.filter(([, { writable }]) => writable !== true).map(([key]) => key);
  const second = new Map<string, unknown>(Object.entries(new cls()));
  const initialised = new Set<string>();
  const shown = new Map<string, JsonValue>();
  for (const [key, value] of Object.entries(first)) {
    if (value === undefined || value === null) continue;
    initialised.add(key);
    const json = toJson(value);
    if (json !== undefined && json === toJson(second.get(key))) shown.set(key, JSON.parse(json));
  }
  return { keys: Object.keys(first), computed: new Set(computed), initialised, shown };
}
