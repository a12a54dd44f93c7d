/**
 * Who may call what: the decision of every call, worked out for all principals and all tools.
 * Invariant: it is decided as a call is, by the application's own hierarchy of scopes; what is unsure is denied.
 */
import { decideScopes, type ScopeCover } from '../../contract/principal';
import type { ToolSpec } from '../../contract/tool';
import { byText } from './findings';
import type { Grant, Grants } from './grants';

/** A principal with all that it holds. */
export interface Holder {
  readonly id: string;
  /** Its own and those of its roles, each once. */
  readonly scopes: readonly string[];
  readonly roles: readonly string[];
  /** How many entries of the grants name it. */
  readonly entries: number;
}

/** How a caller comes by a scope that a tool asks for: `held` is what covers `required`, which may be the same. */
export interface ScopeWay {
  readonly required: string;
  readonly held: string;
}

/** A principal that may call a tool, and how it comes by each scope that the tool asks for. */
export interface ToolAccess {
  readonly holder: Holder;
  readonly ways: readonly ScopeWay[];
}

function sorted(texts: Iterable<string>): readonly string[] {
  return [...new Set(texts)].sort(byText);
}

/** Puts the entries of each principal together. */
export function toHolders({ principals, roles = {} }: Grants): readonly Holder[] {
  const scopesOf = new Map(Object.entries(roles));
  const byId = new Map<string, Grant[]>();
  for (const grant of principals) byId.set(grant.id, [...(byId.get(grant.id) ?? []), grant]);
  const inOrder = [...byId].sort(([one], [other]) => byText(one, other));
  return inOrder.map(([id, entries]) => {
    const named = sorted(entries.flatMap((grant) => grant.roles ?? []));
    const own = entries.flatMap((grant) => grant.scopes ?? []);
    const scopes = sorted([...own, ...named.flatMap((role) => scopesOf.get(role) ?? [])]);
    return { id, scopes, roles: named, entries: entries.length };
  });
}

/** Tells whether a call of a tool acts on the world. */
export function hasEffect({ sideEffect }: ToolSpec): boolean {
  return sideEffect.kind !== 'none';
}

/** What is needed to decide: the tools, who holds what, and which scope covers which. */
export interface AccessOptions {
  readonly specs: readonly ToolSpec[];
  readonly holders: readonly Holder[];
  readonly covers: ScopeCover;
}

/** The answers for a set of tools and principals. */
export class Access {
  readonly specs: readonly ToolSpec[];
  readonly holders: readonly Holder[];
  /** Every scope that some tool asks for. */
  readonly required: readonly string[];
  /** Every scope that somebody holds. */
  readonly held: readonly string[];
  private readonly known = new Map<string, Map<string, boolean>>();
  private readonly accesses: ReadonlyMap<ToolSpec, readonly ToolAccess[]>;
  private readonly reach = new Map<Holder, readonly ToolSpec[]>();

  constructor(private readonly options: AccessOptions) {
    this.specs = options.specs;
    this.holders = options.holders;
    this.required = sorted(this.specs.flatMap(({ scopes }) => scopes ?? []));
    this.held = sorted(this.holders.flatMap(({ scopes }) => scopes));
    this.accesses = new Map(this.specs.map((spec) => [spec, this.decide(spec)]));
    for (const [spec, callers] of this.accesses) {
      for (const { holder } of callers) this.reach.set(holder, [...this.toolsOf(holder), spec]);
    }
  }

  /** Tells whether a scope that somebody holds covers one that is asked for. */
  covers(held: string, required: string): boolean {
    const known = this.known.get(held) ?? new Map<string, boolean>();
    this.known.set(held, known);
    const before = known.get(required);
    if (before !== undefined) return before;
    const { allowed } = decideScopes([required], { id: '', scopes: [held] }, this.options.covers);
    known.set(required, allowed);
    return allowed;
  }

  /** The principals that may call a tool, where it asks for scopes. */
  callersOf(spec: ToolSpec): readonly ToolAccess[] {
    return this.accesses.get(spec) ?? [];
  }

  /** The tools that ask for scopes, all of which a principal holds. */
  toolsOf(holder: Holder): readonly ToolSpec[] {
    return this.reach.get(holder) ?? [];
  }

  /** The tools that a scope helps to open, by name or by the hierarchy. */
  openedBy(held: string): readonly ToolSpec[] {
    return this.specs.filter(({ scopes }) => scopes?.some((required) => this.covers(held, required)));
  }

  private decide({ scopes }: ToolSpec): readonly ToolAccess[] {
    if (scopes === undefined || scopes.length === 0) return [];
    return this.holders.flatMap((holder) => {
      const ways = scopes.flatMap((required) => this.way(holder, required) ?? []);
      return ways.length === scopes.length ? [{ holder, ways }] : [];
    });
  }

  private way({ scopes }: Holder, required: string): ScopeWay | undefined {
    // A scope counts as held by name only where the application's own hierarchy says that it covers itself.
    const covering = scopes.filter((held) => this.covers(held, required));
    const held = covering.find((one) => one === required) ?? covering[0];
    return held === undefined ? undefined : { required, held };
  }
}
