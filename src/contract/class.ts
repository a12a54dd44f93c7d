/**
 * How classes are typed throughout: by the instance they make, whatever their constructor takes.
 * Invariant: no `any`, so that an instance type is never lost on the way.
 */

/** A concrete class whose instances are `T`. */
export type Class<T = object> = new (...args: never[]) => T;

/** The input class of tools that take no arguments; its schema is an empty closed object. */
export class NoInput {}

/** Tells whether a value can be made instances of. */
export function isClass(value: unknown): value is Class {
  return typeof value === 'function' && typeof value.prototype === 'object' && value.prototype !== null;
}
