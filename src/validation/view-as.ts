/**
 * An object seen as an instance of a class: the class's prototype under the object's own members, so that a getter
 * of the class finds the others that it reads.
 * Invariant: making a view runs no getter and no setter, and what a getter writes stays in the view.
 */
import type { Class } from '../contract/class';
import { memberOf } from '../metadata/members';

/** Longer chains of prototypes are those of proxies that make them up. */
const MAX_CHAIN = 32;

/** The object and its prototypes up to Object's, the nearest last. */
function chainOf(object: object): readonly object[] {
  const chain: object[] = [];
  let link: unknown = object;
  while (typeof link === 'object' && link !== null && link !== Object.prototype && chain.length < MAX_CHAIN) {
    chain.unshift(link);
    link = Object.getPrototypeOf(link);
  }
  return chain;
}

/** A member as the view has it: values are its own, and accessors are read of the object itself. */
function seen(object: object, key: string | symbol, descriptor: PropertyDescriptor): PropertyDescriptor {
  const { enumerable = false } = descriptor;
  return 'value' in descriptor
    ? { value: descriptor.value, enumerable, writable: true, configurable: true }
    : { get: () => memberOf(object, key), enumerable, configurable: true };
}

/** A view of an object, which stands for an instance of a class that it is none of. */
export function viewAs(cls: Class, object: object): object {
  const view: object = Object.create(cls.prototype);
  for (const link of chainOf(object)) {
    for (const key of [...Object.getOwnPropertyNames(link), ...Object.getOwnPropertySymbols(link)]) {
      if (link !== object && key === 'constructor') continue;
      const descriptor = Object.getOwnPropertyDescriptor(link, key);
      // Defined rather than set, so that no setter runs and `__proto__` is a name like others.
      if (descriptor !== undefined) Object.defineProperty(view, key, seen(object, key, descriptor));
    }
  }
  return view;
}
