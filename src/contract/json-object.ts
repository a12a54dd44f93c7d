/**
 * Tells the objects of JSON from everything else.
 * Invariant: a list is no object.
 */

/** Tells an object that is no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
