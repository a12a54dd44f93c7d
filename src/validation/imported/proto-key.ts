/**
 * Finds the one key that no program can pass on safely.
 * Invariant: it walks without recursion.
 */
import type { JsonValue } from '../../errors/body';

/** Tells whether JSON holds the key `__proto__` anywhere: assigned to another object, it sets a prototype. */
export function hasProtoKey(json: JsonValue): boolean {
  const stack: JsonValue[] = [json];
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) return true;
    for (const inner of Object.values(value)) stack.push(inner);
  }
  return false;
}
