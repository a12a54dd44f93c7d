/**
 * Who may call what: the decision of every call, worked out for all principals and all tools.
 * Invariant: it is decided as a call is, by the application's own hierarchy of scopes; what is unsure is denied.
 */
import { decideScopes, type ScopeCover } from '../../contract/principal';
import type { ToolSpec } from '../../contract/tool';
import { byText } from './findings';
import type { Grants } from './grants';
import { grouped } from './grouped';

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

/** What all principals that hold the same scopes may do. */
interface Reach {
  readonly ways: ReadonlyMap<string, ScopeWay>;
  readonly tools: Set<ToolSpec>;
}

function sorted(texts: Iterable<string>): readonly string[] {
  return [...new Set(texts)].sort(byText);
}

/** Puts the entries of each principal together. */
export function toHolders({ principals, roles = {} }: Grants): readonly Holder[] {
  const scopesOf = new Map(Object.entries(roles));
  const byId = grouped(principals.map((grant) => [grant.id, grant]));
  const inOrder = [...byId].sort(([one], [other]) => byText(one, other));
  return inOrder.map(([id, entries]) => {
    const named = sorted(entries.flatMap((grant) => grant.roles ?? []));
    const own = entries.flatMap((grant) => grant.scopes ?? []);
    const scopes = sorted([...own, ...named.flatMap((role) => scopesOf.get(role) ?? [])]);
    return { id, scopes, roles: named, entries: entries.length };
  });
}

/** By which of its scopes a principal comes by each that is asked for. */
function waysOf(
  { scopes }: Holder,
  covered: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, ScopeWay> {
  const ways = new Map<string, ScopeWay>();
  for (const held of scopes) {
    for (const required of covered.get(held) ?? []) {
      // A scope counts as held by name only where the application's own hierarchy says that it covers itself.
      if (held === required || !ways.has(required)) ways.set(required, { required, held });
    }
  }
  return ways;
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

/** The answers for a set of tools and principals; what principals of the same scopes may do is worked out once. */
export class Access {
  readonly specs: readonly ToolSpec[];
  readonly holders: readonly Holder[];
  /** Every scope that some tool asks for. */
  readonly required: readonly string[];
  /** Every scope that somebody holds. */
  readonly held: readonly string[];
  private readonly known = new Map<string, Map<string, boolean>>();
  private readonly named: ReadonlyMap<string, readonly Holder[]>;
  private readonly reaches = new Map<Holder, Reach>();
  private readonly accesses = new Map<ToolSpec, readonly ToolAccess[]>();

  constructor(private readonly options: AccessOptions) {
    this.specs = options.specs;
    this.holders = options.holders;
    this.required = sorted(this.specs.flatMap(({ scopes }) => scopes ?? []));
    this.named = grouped(
      this.holders.flatMap((holder) => holder.scopes.map((scope) => [scope, holder] as const)),
    );
    this.held = [...this.named.keys()].sort(byText);
    this.findReaches();
    for (const spec of this.specs) this.accesses.set(spec, this.decide(spec));
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
  toolsOf(holder: Holder): ReadonlySet<ToolSpec> {
    return this.reaches.get(holder)?.tools ?? new Set();
  }

  /** The principals that hold a scope by name. */
  holdersOf(scope: string): readonly Holder[] {
    return this.named.get(scope) ?? [];
  }

  /** The tools that a scope helps to open, by name or by the hierarchy. */
  openedBy(held: string): readonly ToolSpec[] {
    return this.specs.filter(({ scopes }) => scopes?.some((required) => this.covers(held, required)));
  }

  private findReaches(): void {
    const covered = new Map(
      this.held.map((held) => [held, this.required.filter((required) => this.covers(held, required))]),
    );
    const byScopes = new Map<string, Reach>();
    for (const holder of this.holders) {
      const key = JSON.stringify(holder.scopes);
      const reach = byScopes.get(key) ?? { ways: waysOf(holder, covered), tools: new Set<ToolSpec>() };
      byScopes.set(key, reach);
      this.reaches.set(holder, reach);
    }
  }

  private decide(spec: ToolSpec): readonly ToolAccess[] {
    const { scopes } = spec;
    if (scopes === undefined || scopes.length === 0) return [];
    const decided = new Map<Reach, readonly ScopeWay[]>();
    return this.holders.flatMap((holder) => {
      const reach = this.reaches.get(holder);
      if (reach === undefined || !scopes.every((required) => reach.ways.has(required))) return [];
      const ways = decided.get(reach) ?? scopes.flatMap((required) => reach.ways.get(required) ?? []);
      decided.set(reach, ways);
      reach.tools.add(spec);
      return [{ holder, ways }];
    });
  }
}
