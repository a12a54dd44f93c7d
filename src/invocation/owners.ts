/**
 * Which invoker runs the tools of an instance.
 * Invariant: the link is weak, it is shared by all copies of this package, and the first toolkit that
 * discovered an instance keeps it until it is closed.
 */
import { memberOf } from '../metadata/members';
import type { Invoker } from './invoker';

const KEY = Symbol.for('toolcrib.owners');

type Owners = WeakMap<object, Pick<Invoker, 'invoke' | 'isOpen'>>;

function owners(): Owners {
  const known = memberOf(globalThis, KEY);
  if (known instanceof WeakMap) return known;
  const made: Owners = new WeakMap();
  Object.defineProperty(globalThis, KEY, { value: made });
  return made;
}

/** The invoker of the open toolkit that discovered an instance. */
export function ownerOf(instance: object): Pick<Invoker, 'invoke' | 'isOpen'> | undefined {
  return owners().get(instance);
}

/** Takes the link of an instance away. */
export function disown(instance: object): void {
  owners().delete(instance);
}

/** Links an instance with the invoker of a toolkit that discovered it, unless an open one has it. */
export function own(instance: object, invoker: Invoker): void {
  if (ownerOf(instance)?.isOpen !== true) owners().set(instance, invoker);
}
