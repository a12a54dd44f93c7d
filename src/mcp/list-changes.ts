/**
 * Collects the changes of what is served, to tell clients of them.
 * Invariant: changes in quick succession are told once, and each only to whom it concerns.
 */
import type { Principal, ScopeDecision } from '../contract/principal';
import type { ToolSpec } from '../contract/tool';

/** For how long changes are collected, from the first on. */
const WINDOW_MS = 100;

/** Tells whether a principal may call any tool that came, went, or was replaced. */
export type Concerns = (principal: Principal | undefined) => boolean;

/** Decides whether a principal may call a tool. */
type Authorise = (spec: ToolSpec, principal: Principal | undefined) => ScopeDecision;

/** The changes that nobody was told of yet. */
export class ListChanges {
  private changed = new Set<ToolSpec>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly authorise: Authorise,
    private readonly tell: (concerns: Concerns) => void,
  ) {}

  /** Takes tools as they were before a change, and as they are after. */
  note(specs: readonly ToolSpec[]): void {
    if (specs.length === 0) return;
    for (const spec of specs) this.changed.add(spec);
    this.timer ??= setTimeout(() => this.flush(), WINDOW_MS).unref();
  }

  /** Tells nobody any more. */
  close(): void {
    clearTimeout(this.timer);
  }

  private flush(): void {
    const specs = [...this.changed];
    this.changed = new Set();
    this.timer = undefined;
    this.tell((principal) => specs.some((spec) => this.authorise(spec, principal).allowed));
  }
}
