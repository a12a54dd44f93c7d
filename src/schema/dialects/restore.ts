/**
 * Turns arguments in a dialect back into those that the gate takes.
 * Invariant: pure and total: nothing is changed in place, what cannot be restored is handed on as it is, for
 * the gate to judge, and nothing is thrown.
 */
import type { JsonSchema } from '../../contract/schema';
import { type DefinitionOf, Fitting, isRecord, MAX_DEPTH } from './fits';

/** What there is to undo in a value. */
export type Restorer = ObjectRestorer | ListRestorer | UnionRestorer | LinkRestorer;

/** Undoes nulls that stand for absent properties, and names. */
interface ObjectRestorer {
  readonly kind: 'object';
  /** Properties whose null means absent. */
  readonly nulls: ReadonlySet<string>;
  /** The own name of each renamed property. */
  readonly names: ReadonlyMap<string, string>;
  readonly children: ReadonlyMap<string, Restorer>;
  /** Undoes what is in undeclared properties. A name is declared both as it is shown and as it is. */
  readonly others?: { readonly declared: ReadonlySet<string>; readonly restorer: Restorer } | undefined;
}

/** Undoes what is in the items. */
interface ListRestorer {
  readonly kind: 'list';
  readonly items: Restorer;
}

/** Undoes what is in the branch that a value was made for. */
interface UnionRestorer {
  readonly kind: 'union';
  readonly branches: readonly { readonly schema: JsonSchema; readonly restorer: Restorer | undefined }[];
}

/** Leads to the restorer of a definition, which may lead back. */
interface LinkRestorer {
  readonly kind: 'link';
  readonly definition: { readonly restorer: Restorer | undefined };
}

/** Tells whether anything is undone, links followed. */
function isActive(restorer: Restorer | undefined, seen = new Set<Restorer>()): boolean {
  if (restorer === undefined || seen.has(restorer)) return false;
  seen.add(restorer);
  if (restorer.kind === 'link') return isActive(restorer.definition.restorer, seen);
  if (restorer.kind === 'list') return isActive(restorer.items, seen);
  if (restorer.kind === 'union') return restorer.branches.some((one) => isActive(one.restorer, seen));
  if (restorer.nulls.size > 0 || restorer.names.size > 0) return true;
  return [...restorer.children.values(), restorer.others?.restorer].some((child) => isActive(child, seen));
}

class Restoration {
  private readonly done = new Map<Restorer, Map<unknown, unknown>>();
  private readonly fittings: readonly Fitting[];

  constructor(definitionOf: DefinitionOf) {
    this.fittings = [new Fitting(definitionOf, false), new Fitting(definitionOf, true)];
  }

  restore(restorer: Restorer | undefined, value: unknown, depth: number): unknown {
    if (restorer === undefined || typeof value !== 'object' || value === null || depth > MAX_DEPTH)
      return value;
    const done = this.done.get(restorer) ?? new Map<unknown, unknown>();
    if (done.has(value)) return done.get(value);
    this.done.set(restorer, done);
    // A value within itself is handed on as it is.
    done.set(value, value);
    const restored = this.undo(restorer, value, depth + 1);
    done.set(value, restored);
    return restored;
  }

  private undo(restorer: Restorer, value: object, depth: number): unknown {
    if (restorer.kind === 'link') return this.restore(restorer.definition.restorer, value, depth);
    if (restorer.kind === 'union') {
      for (const fitting of this.fittings) {
        const branch = restorer.branches.find(({ schema }) => fitting.fits(schema, value));
        if (branch !== undefined) return this.restore(branch.restorer, value, depth);
      }
      return value;
    }
    if (restorer.kind === 'object') return isRecord(value) ? this.undoObject(restorer, value, depth) : value;
    if (!Array.isArray(value)) return value;
    const items = value.map((item) => this.restore(restorer.items, item, depth));
    return items.every((item, index) => item === value[index]) ? value : items;
  }

  private undoObject(
    { nulls, names, children, others }: ObjectRestorer,
    value: { readonly [key: string]: unknown },
    depth: number,
  ): unknown {
    const entries = Object.entries(value);
    const restored = entries
      .filter(([key, one]) => one !== null || !nulls.has(key))
      .map(([key, one]) => {
        const own = names.get(key);
        const name = own === undefined || Object.hasOwn(value, own) ? key : own;
        const restorer = others?.declared.has(key) === false ? others.restorer : children.get(key);
        return [name, this.restore(restorer, one, depth)] as const;
      });
    const isSame =
      restored.length === entries.length &&
      restored.every(([name, one], index) => name === entries[index]?.[0] && one === entries[index]?.[1]);
    // Makes own properties of all keys, `__proto__` too.
    return isSame ? value : Object.fromEntries(restored);
  }
}

/** Makes the function that restores arguments. Values nested deeper than 512 levels are handed on as they are. */
export function toRestore(
  restorer: Restorer | undefined,
  definitionOf: DefinitionOf,
): (args: unknown) => unknown {
  if (!isActive(restorer)) return (args) => args;
  return (args) => {
    try {
      return new Restoration(definitionOf).restore(restorer, args, 0);
    } catch {
      // Proxies and getters may throw; the gate knows how to refuse them.
      return args;
    }
  };
}
