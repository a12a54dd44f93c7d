/**
 * Freezes plain data as a whole.
 * Invariant: what is frozen already is taken for frozen throughout, so that shared parts cost nothing again.
 */
import type { JsonValue } from '../errors/body';

/** Freezes a JSON value and everything in it, and gives it back. */
export function deepFreeze<T extends JsonValue>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
