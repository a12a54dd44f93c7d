/**
 * Gets the instance whose methods a tool runs.
 * Invariant: a container, where there is one, has the only say in how its classes are made.
 */
import { type Class, isClass } from '../contract/class';
import { reasonOf } from '../errors/reason';
import type { Container, ContainerToken } from './options';

/** An instance, or why there is none. */
export type MadeInstance = { readonly instance: object } | { readonly problem: string };

async function resolve(container: Container, cls: Class): Promise<unknown> {
  // The container knows what the constructor takes.
  const token = cls as ContainerToken;
  return 'get' in container && typeof container.get === 'function'
    ? container.get(token)
    : 'resolve' in container && container.resolve(token);
}

/** A class without a constructor of its own has its parent's, which its length does not tell. */
function takesArguments(cls: Class): boolean {
  if (cls.length > 0) return true;
  const parent: unknown = Object.getPrototypeOf(cls);
  const hasOwn = /\bconstructor\s*\(/.test(Function.prototype.toString.call(cls));
  return !hasOwn && isClass(parent) && takesArguments(parent);
}

/** Makes the instance of a class, by the container or without arguments. */
export async function makeInstance(cls: Class, container: Container | undefined): Promise<MadeInstance> {
  try {
    if (container !== undefined) {
      const resolved = await resolve(container, cls);
      return typeof resolved === 'object' && resolved !== null
        ? { instance: resolved }
        : { problem: 'the container has none' };
    }
    return takesArguments(cls) ? { problem: 'its constructor takes arguments' } : { instance: new cls() };
  } catch (error) {
    return { problem: `making one threw: ${reasonOf(error)}` };
  }
}
