/**
 * Finds keys that cannot be passed on safely.
 * Invariant: it walks without recursion, and sees every key of every object.
 */
import type { JsonValue } from '../../errors/body';

/** Tells whether any object inside JSON has a key of some kind. */
export function hasKey(json: JsonValue, isMeant: (key: string) => boolean): boolean {
  const stack: JsonValue[] = [json];
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value) && Object.keys(value).some(isMeant)) return true;
    for (const inner of Object.values(value)) stack.push(inner);
  }
  return false;
}

/** Tells the key that sets a prototype where it is assigned to another object. */
export function isProto(key: string): boolean {
  return key === '__proto__';
}

/** Tells a key that holds half a surrogate pair, which has no form in UTF-8 or in a URI. */
export function isHalfPaired(key: string): boolean {
  return /\p{Surrogate}/u.test(key);
}
