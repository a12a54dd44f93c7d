/**
 * Which invoker runs the tools of an instance.
 * Invariant: the link is weak, it is shared by all copies of this package, and the first toolkit that
 * discovered an instance keeps it until it is closed.
 */
import { memberOf } from '../metadata/members';
import type { Invoker } from './invoker';

const KEY = Symbol.for('toolcrib.owners');

type Owner = Pick<Invoker, 'invoke' | 'isOpen'>;
type Owners = WeakMap<object, readonly Owner[]>;

function owners(): Owners {
  const known = memberOf(globalThis, KEY);
  if (known instanceof WeakMap) return known;
  const made: Owners = new WeakMap();
  Object.defineProperty(globalThis, KEY, { value: made });
  return made;
}

/** The invoker of the first open toolkit that discovered an instance, or of a closed one where none is open. */
export function ownerOf(instance: object): Owner | undefined {
  const all = owners().get(instance);
  return all?.find(({ isOpen }) => isOpen) ?? all?.[0];
}

/** Links an instance with the invoker of a toolkit that discovered it. */
export function own(instance: object, invoker: Invoker): void {
  const open = (owners().get(instance) ?? []).filter(({ isOpen }) => isOpen);
  owners().set(instance, [...open, invoker]);
}
