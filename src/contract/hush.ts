/**
 * Looks after what a handler left in what it threw or answered and nobody takes: promises, since a rejection that
 * nobody hears ends the process, and Responses, whose connections stay open until their bodies are read.
 * Invariant: it never throws, calls no getter but those that tell a Response, and looks at a bounded number of values.
 */
import { types } from 'node:util';
import { cancelUnreadBody } from './unread-body';

/** How many values are looked at. */
const MAX_VALUES = 1_000;

/** What errors hold without listing it. */
const UNLISTED = ['cause', 'errors'];

/** The first values that an object or an array holds itself. */
function partsOf(value: object): readonly unknown[] {
  const keys = Array.isArray(value)
    ? Array.from({ length: Math.min(value.length, MAX_VALUES) }, (_, at) => String(at))
    : [...UNLISTED, ...Object.keys(value).slice(0, MAX_VALUES)];
  return keys.map((key): unknown => Object.getOwnPropertyDescriptor(value, key)?.value);
}

/**
 * Hears every promise in a value that is refused, and so is not waited for by anybody, and cancels the bodies of
 * Responses that nobody has begun to read.
 */
export function hush(refused: unknown): void {
  const values = new Set([refused]);
  for (const value of values) {
    if (typeof value !== 'object' || value === null || types.isProxy(value)) continue;
    if (types.isArrayBufferView(value)) continue;
    try {
      if (types.isPromise(value)) Promise.resolve(value).catch(() => {});
      else {
        cancelUnreadBody(value);
        for (const part of partsOf(value)) if (values.size < MAX_VALUES) values.add(part);
      }
    } catch {
      // Only a promise whose class cannot be asked gets here.
    }
  }
}
