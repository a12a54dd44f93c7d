/**
 * Where tools may come from.
 * Invariant: a source only names classes or instances; what is a tool is decided by decorators alone.
 */
import type { Class } from '../contract/class';

/** What a container is asked for: the class itself. */
export type ContainerToken = new (...args: unknown[]) => object;

/** Any container that makes instances by `get` or `resolve`, synchronously or not. `get` is preferred. */
export type Container = { get(token: ContainerToken): unknown } | { resolve(token: ContainerToken): unknown };

/** What {@link discoverTools} takes. Sources add up. */
export interface DiscoverOptions {
  /** Globs of files, relative to `cwd`; `!` excludes. Either kind of slash separates. */
  readonly patterns?: readonly string[];
  /** Modules, as `import` or `require` give them. */
  readonly modules?: readonly object[];
  /** Classes; each must be a tool or a service. */
  readonly classes?: readonly Class[];
  /** Ready instances of such classes. */
  readonly instances?: readonly object[];
  /** Makes the instances of discovered classes; without one, a class is made without arguments. */
  readonly container?: Container;
  /** Loads a file by its absolute path; left out: `import()`. */
  readonly load?: (file: string) => unknown;
  /** What patterns are relative to; left out: the process's working directory. */
  readonly cwd?: string;
}
