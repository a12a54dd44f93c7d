/**
 * Where a decorator was applied: to a class, or to a method.
 * Invariant: only TypeScript's experimental decorators are taken; the standard ones, which cannot carry
 * class-validator's metadata, are refused with the compiler flag to set.
 */
import type { FactTarget } from '../metadata/own-facts';

/** A decorator that goes on a class and on a method. */
export type ClassOrMethodDecorator = (target: object, member?: string | symbol, descriptor?: object) => void;

/**
 * Makes a fact's target out of a decorator's arguments.
 *
 * @throws TypeError when the compiler emitted standard decorators, or the decorator sits on neither a class
 * nor a method.
 */
export function toFactTarget(decorator: string, args: readonly unknown[]): FactTarget {
  const [target, member, descriptor] = args;
  if (typeof member === 'object' && member !== null) {
    throw new TypeError(
      `@${decorator}: the compiler emitted standard decorators. Set "experimentalDecorators": true in tsconfig.json, as class-validator needs it too.`,
    );
  }
  const isAlone = member === undefined && descriptor === undefined;
  if (typeof target === 'function' && isAlone) return { holder: target };
  const method = typeof descriptor === 'object' && descriptor !== null && 'value' in descriptor;
  const isHolder = (typeof target === 'object' && target !== null) || typeof target === 'function';
  if (isHolder && method && (typeof member === 'string' || typeof member === 'symbol')) {
    return { holder: target, member };
  }
  throw new TypeError(
    `@${decorator} goes on a class or on a method, not on ${String(member ?? 'this')}. Write a property or an accessor as a method.`,
  );
}
