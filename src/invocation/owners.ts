/**
 * Which invoker runs the tools of an instance.
 * Invariant: the link is weak, and the newest toolkit that discovered an instance has it.
 */
import type { Invoker } from './invoker';

const OWNERS = new WeakMap<object, Invoker>();

/** Links an instance with the invoker of the toolkit that discovered it. */
export function own(instance: object, invoker: Invoker): void {
  OWNERS.set(instance, invoker);
}

/** The invoker of the toolkit that discovered an instance. */
export function ownerOf(instance: object): Invoker | undefined {
  return OWNERS.get(instance);
}
