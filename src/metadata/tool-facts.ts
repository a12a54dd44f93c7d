/**
 * The facts that decorators write: one for each decorator.
 * Invariant: values are frozen copies of what the author wrote, not yet judged; discovery judges them.
 */
import { Fact } from './own-facts';

/** What `@Tool` was given, unjudged. */
export type DeclaredTool = Readonly<Record<string, unknown>>;

/** What `@SideEffect` was given, unjudged. */
export interface DeclaredSideEffect {
  readonly kind: unknown;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Written by `@Tool`. */
export const toolFact = new Fact<DeclaredTool>('tool');

/** Written by `@Scopes`. */
export const scopesFact = new Fact<readonly unknown[]>('scopes');

/** Written by `@SideEffect`. */
export const sideEffectFact = new Fact<DeclaredSideEffect>('side-effect');

/** Written by `@Owner`. */
export const ownerFact = new Fact<unknown>('owner');

/** Written by `@Waive`. */
export const waiverFact = new Fact<Readonly<Record<string, unknown>>>('waive');

/** All facts that make a declaration, to ask of each whether it was written more than once. */
export const ALL_FACTS = [toolFact, scopesFact, sideEffectFact, ownerFact] as const;
