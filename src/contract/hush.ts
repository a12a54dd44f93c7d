/**
 * Hears the promises that a handler left in what it threw or answered, since a rejection that nobody hears
 * ends the process.
 * Invariant: it never throws, calls no getter, and looks at a bounded number of values.
 */
import { types } from 'node:util';

/** How many values are looked at. */
const MAX_VALUES = 1_000;

/** The first values that an object or an array holds itself. */
function partsOf(value: object): readonly unknown[] {
  const keys = Array.isArray(value)
    ? Array.from({ length: Math.min(value.length, MAX_VALUES) }, (_, at) => String(at))
    : Object.keys(value).slice(0, MAX_VALUES);
  return keys.map((key): unknown => Object.getOwnPropertyDescriptor(value, key)?.value);
}

/** Hears every promise in a value that is refused, and so is not waited for by anybody. */
export function hush(refused: unknown): void {
  const values = new Set([refused]);
  for (const value of values) {
    if (typeof value !== 'object' || value === null || types.isProxy(value)) continue;
    if (types.isArrayBufferView(value)) continue;
    try {
      if (types.isPromise(value)) Promise.resolve(value).catch(() => {});
      else for (const part of partsOf(value)) if (values.size < MAX_VALUES) values.add(part);
    } catch {
      // Only a promise whose class cannot be asked gets here.
    }
  }
}
