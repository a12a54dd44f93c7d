/**
 * Hears the promises that a handler left in what it threw or answered, since a rejection that nobody hears
 * ends the process.
 * Invariant: it never throws, calls no getter, and looks at a bounded number of values.
 */
import { types } from 'node:util';

/** How many values are looked at. */
const MAX_VALUES = 1_000;

function hear(promise: object): void {
  Promise.resolve(promise).catch(() => {});
}

/** The first values that an object or an array holds itself. */
function partsOf(value: object): readonly unknown[] {
  const keys = Array.isArray(value) ? Array(Math.min(value.length, MAX_VALUES)).keys() : Object.keys(value);
  const parts: unknown[] = [];
  for (const key of keys) {
    if (parts.length === MAX_VALUES) break;
    const member = Object.getOwnPropertyDescriptor(value, key);
    parts.push(member?.value);
  }
  return parts;
}

/** Hears every promise in a value that is refused, and so is not waited for by anybody. */
export function hush(refused: unknown): void {
  const left: unknown[] = [refused];
  for (let looked = 0; looked < MAX_VALUES && left.length > 0; looked += 1) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null || types.isProxy(value)) continue;
    try {
      if (types.isPromise(value)) hear(value);
      else if (!types.isArrayBufferView(value)) left.push(...partsOf(value));
    } catch {
      // Only a promise whose class cannot be asked gets here.
    }
  }
}
