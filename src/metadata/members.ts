/**
 * Reads members of objects whose type is not known.
 * Invariant: what is read is `unknown` until somebody looks at it.
 */

/**
 * Reads a member of an object, own or inherited; a getter that throws throws here. A getter sees `self` as its object.
 */
export function memberOf(holder: object, name: string | symbol, self: object = holder): unknown {
  return Reflect.get(holder, name, self);
}
