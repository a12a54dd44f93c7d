/**
 * Reads members of objects whose type is not known.
 * Invariant: what is read is `unknown` until somebody looks at it.
 */

/** Reads a member of an object, own or inherited; a getter that throws throws here. */
export function memberOf(holder: object, name: string | symbol): unknown {
  return Reflect.get(holder, name);
}
