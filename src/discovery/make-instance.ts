/**
 * Gets the instance whose methods a tool runs.
 * Invariant: a container, where there is one, has the only say in how its classes are made.
 */
import type { Class } from '../contract/class';
import { reasonOf } from '../errors/reason';
import type { Container } from './options';

/** An instance, or why there is none. */
export type MadeInstance = { readonly instance: object } | { readonly problem: string };

async function resolve(container: Container, cls: Class): Promise<unknown> {
  return container.get === undefined ? container.resolve(cls) : container.get(cls);
}

/** Makes the instance of a class, by the container or without arguments. */
export async function makeInstance(cls: Class, container: Container | undefined): Promise<MadeInstance> {
  try {
    const resolved = container === undefined ? undefined : await resolve(container, cls);
    if (typeof resolved === 'object' && resolved !== null) return { instance: resolved };
    if (cls.length > 0) {
      return {
        problem: container === undefined ? 'its constructor takes arguments' : 'the container has none',
      };
    }
    return { instance: new cls() };
  } catch (error) {
    return { problem: `making one threw: ${reasonOf(error)}` };
  }
}
