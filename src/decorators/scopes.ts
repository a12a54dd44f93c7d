/**
 * `@Scopes`: what a caller must hold.
 * Invariant: no `@Scopes` means that nobody may call; only `@Scopes()` says on purpose that anyone may.
 */
import { scopesFact } from '../metadata/tool-facts';
import { type ClassOrMethodDecorator, toFactTarget } from './place';

/**
 * Requires all the given scopes. On a service class it is the default of its methods, and on any class it is
 * inherited by subclasses that have none of their own.
 *
 * @throws TypeError when the compiler emits standard decorators.
 */
export function Scopes(...scopes: readonly string[]): ClassOrMethodDecorator {
  const declared = Object.freeze([...scopes]);
  return (...args) => scopesFact.write(toFactTarget('Scopes', args), declared);
}
