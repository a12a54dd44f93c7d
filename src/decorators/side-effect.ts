/**
 * `@SideEffect`: what a call does to the world.
 * Invariant: left out means destructive; it is never inherited by subclasses.
 */
import type { SideEffectKind } from '../contract/tool';
import { sideEffectFact } from '../metadata/tool-facts';
import { type ClassOrMethodDecorator, toFactTarget } from './place';

/** The finer points of a side effect. */
export interface SideEffectOptions {
  /** Calling again with the same arguments changes nothing more. */
  readonly idempotent?: boolean;
  /** The tool reaches systems outside the application's own; left out: false. */
  readonly openWorld?: boolean;
}

/**
 * Declares the side effect. On a service class it is the default of its methods.
 *
 * @throws TypeError when the compiler emits standard decorators.
 */
export function SideEffect(kind: SideEffectKind, options: SideEffectOptions = {}): ClassOrMethodDecorator {
  const declared = Object.freeze({ kind, options: Object.freeze({ ...options }) });
  return (...args) => sideEffectFact.write(toFactTarget('SideEffect', args), declared);
}
