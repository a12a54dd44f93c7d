/**
 * The registry: every version of every tool, and the view of it that one principal's model gets.
 * Invariant: once sealed it changes only through `update`, whole or not at all.
 */
import { types } from 'node:util';
import { splitToolReference } from '../contract/names';
import {
  decideScopes,
  type Principal,
  type ScopeCover,
  type ScopeDecision,
  sameScope,
} from '../contract/principal';
import type { ToolDefinition, ToolSpec } from '../contract/tool';
import { DeclarationError, type DeclarationProblem, throwProblems } from '../errors/declaration-error';
import { reasonOf } from '../errors/reason';
import { describe } from '../schema/describe';
import { compensationProblems, duplicateProblem, ToolIndex } from './tool-index';

/** What a registry is made with. */
export interface ToolRegistryOptions {
  /** All scopes of the application; a tool that names another is refused. Left out: any scope goes. */
  readonly scopes?: readonly string[] | undefined;
  /** Which held scope covers which required one. Left out: each covers itself. */
  readonly covers?: ScopeCover | undefined;
}

/** What {@link ToolRegistry.update} hands out to change. */
export interface RegistryDraft {
  register(spec: ToolSpec): void;
  /** Takes a key off; throws a DeclarationError where there is none. */
  remove(key: string): void;
}

/** What changed: keys that came and keys that went. */
export interface RegistryChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** How a catalog is chosen. */
export interface CatalogOptions {
  /** For a name, the range whose highest version stands for it: `{ 'orders.lookup': '^1' }`. */
  readonly versions?: { readonly [name: string]: string } | undefined;
}

function sealed(key: string): DeclarationProblem {
  return {
    code: 'registry_sealed',
    place: { tool: key },
    message: 'the registry is closed to this change',
    mend: 'Change it through one registry.update(draft => draft.register(spec)).',
  };
}

function noSuchKey(key: string): DeclarationProblem {
  const mend = 'Remove by a key of registry.list().';
  return { code: 'unknown_tool', place: { tool: key }, message: 'there is no such key', mend };
}

/** Holds tools by `name@version`. */
export class ToolRegistry {
  private index: ToolIndex;
  private isSealed = false;
  private isUpdating = false;
  /** All scopes of the application; undefined: any may be. */
  readonly scopes: readonly string[] | undefined;
  /** Which held scope covers which required one. */
  readonly covers: ScopeCover;
  private readonly listeners = new Set<(change: RegistryChange) => void>();

  constructor(options: ToolRegistryOptions = {}) {
    this.scopes = options.scopes === undefined ? undefined : Object.freeze([...options.scopes]);
    this.index = new ToolIndex(options.scopes === undefined ? undefined : new Set(options.scopes));
    this.covers = options.covers ?? sameScope;
  }

  /**
   * Registers a spec.
   *
   * @throws DeclarationError when it is not legal, collides, or the registry is sealed.
   */
  register(spec: ToolSpec): void {
    throwProblems(this.add(spec));
  }

  /** Registers all specs that are legal and lists what is wrong with the others. */
  add(...specs: readonly ToolSpec[]): readonly DeclarationProblem[] {
    if (this.isSealed || this.isUpdating) return specs.map(({ key }) => sealed(key));
    return specs.flatMap((spec) => this.index.add(spec));
  }

  /** The tool of a key, with its handler. */
  get(key: string): ToolSpec | undefined {
    const { name, version } = splitToolReference(key);
    return version === undefined ? undefined : this.index.get(name, version);
  }

  /**
   * The highest version in a range, by the precedence of SemVer 2.0.0. Prereleases count only where the range
   * names one. A reference may carry the range itself, `orders.lookup@^1`, and may be a model name, as models
   * give it back.
   */
  resolve(reference: string, range?: string): ToolSpec | undefined {
    const { name, version } = splitToolReference(reference);
    const wanted = range ?? version ?? '*';
    return this.index.resolve(name, wanted) ?? this.index.resolve(this.index.nameOf(name) ?? name, wanted);
  }

  /** The registered versions of a name, lowest first, prereleases included. */
  versions(name: string): readonly string[] {
    return this.index.versions(name);
  }

  /** All specs, by name and then by version. */
  list(): readonly ToolSpec[] {
    return this.index.list();
  }

  /** Decides whether a principal may call a tool. */
  authorise(spec: ToolSpec, principal: Principal | undefined): ScopeDecision {
    return decideScopes(spec.scopes, principal, this.covers);
  }

  /**
   * The tools that a principal's model gets: one version for each name, by default the highest that is no
   * prerelease, without those that the principal may not call.
   *
   * @throws DeclarationError when `versions` names a tool or a range that is not there.
   */
  catalog(principal?: Principal, options: CatalogOptions = {}): readonly ToolDefinition[] {
    return this.select(options)
      .filter((spec) => this.authorise(spec, principal).allowed)
      .map(describe);
  }

  /**
   * One version for each name, whoever calls.
   *
   * @throws DeclarationError when `versions` names a tool or a range that is not there.
   */
  select({ versions = {} }: CatalogOptions = {}): readonly ToolSpec[] {
    const pins = new Map(Object.entries(versions));
    const missing = [...pins].filter(([name, range]) => this.resolve(name, range) === undefined);
    if (missing.length > 0) throw new DeclarationError(missing.map((pin) => this.unknownPin(...pin)));
    return this.index.names().flatMap((name) => this.resolve(name, pins.get(name)) ?? []);
  }

  /** Closes the registry to `register`; what is there stays open to `update`. */
  seal(): void {
    this.isSealed = true;
  }

  /**
   * Changes a registry, sealed or not: all that `change` does, or nothing. Afterwards there is one event.
   *
   * @throws DeclarationError with everything that is wrong, also when it is called within another update;
   * TypeError when `change` is asynchronous; whatever `change` throws. Nothing has changed then.
   */
  update(change: (draft: RegistryDraft) => void): void {
    if (this.isUpdating) throw new DeclarationError([sealed('an update within an update')]);
    this.isUpdating = true;
    let event: RegistryChange;
    try {
      event = this.apply(change);
    } finally {
      this.isUpdating = false;
    }
    this.tell(event);
  }

  /** Calls a listener after every update that changed something; returns what ends that. */
  onChange(listener: (change: RegistryChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private apply(change: (draft: RegistryDraft) => void): RegistryChange {
    const before = new Map(this.list().map((spec) => [spec.key, spec]));
    const after = new Map(before);
    const problems: DeclarationProblem[] = [];
    let isOpen = true;
    const whileOpen = (key: string, act: () => void): void => {
      if (!isOpen) throw new DeclarationError([sealed(key)]);
      act();
    };
    const register = (spec: ToolSpec) => {
      const twin = after.get(spec.key);
      if (twin === undefined) after.set(spec.key, spec);
      else problems.push(duplicateProblem(spec, twin));
    };
    const remove = (key: string) => {
      if (!after.delete(key)) problems.push(noSuchKey(key));
    };
    try {
      const answer: unknown = change({
        register: (spec) => whileOpen(spec.key, () => register(spec)),
        remove: (key) => whileOpen(key, () => remove(key)),
      });
      if (types.isPromise(answer)) {
        // Its later changes are refused, and nobody else is there to hear of it.
        answer.catch(() => {});
        throw new TypeError(
          'registry.update takes a function that is not asynchronous: await first, then update.',
        );
      }
    } finally {
      isOpen = false;
    }
    const next = this.index.empty();
    problems.push(...[...after.values()].flatMap((spec) => next.add(spec)));
    problems.push(...compensationProblems([...after.values()]));
    throwProblems(problems);
    this.index = next;
    return {
      added: [...after].filter(([key, spec]) => before.get(key) !== spec).map(([key]) => key),
      removed: [...before].filter(([key, spec]) => after.get(key) !== spec).map(([key]) => key),
    };
  }

  private tell(event: RegistryChange): void {
    if (event.added.length + event.removed.length === 0) return;
    for (const listener of [...this.listeners]) {
      try {
        listener(event);
      } catch (error) {
        // The change stands, so that it must not look as if it had failed.
        process.emitWarning(`a listener of registry changes threw: ${reasonOf(error)}`);
      }
    }
  }

  private unknownPin(name: string, range: string): DeclarationProblem {
    const known = this.versions(name);
    return known.length === 0
      ? {
          code: 'unknown_tool',
          place: { tool: name },
          message: 'there is no such tool',
          mend: 'Correct the name.',
        }
      : {
          code: 'unknown_version',
          place: { tool: name },
          message: `no version lies in ${range}`,
          mend: `Pin one of ${known.join(', ')}.`,
        };
  }
}
