/**
 * Who is calling, and what they may call.
 * Invariant: deny when unsure; without a principal there are no scopes, and a tool without a scope decision
 * is closed to everybody.
 */

/** The caller of a tool: an id and the OAuth scopes (RFC 6749, section 3.3) that they hold. */
export interface Principal {
  readonly id: string;
  readonly scopes: readonly string[];
}

/** Tells whether something is a principal: an id, and scopes that are all text. */
export function isPrincipal(value: unknown): value is Principal {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'scopes' in value &&
    Array.isArray(value.scopes) &&
    value.scopes.every((scope) => typeof scope === 'string')
  );
}

/** Tells whether the scope that somebody holds covers a required one, for scopes with a hierarchy. */
export type ScopeCover = (held: string, required: string) => boolean;

/** The cover that applies unless an application gives its own: a scope covers itself alone. */
export const sameScope: ScopeCover = (held, required) => held === required;

/** Whether a principal may call a tool, and if not, what they lack. */
export interface ScopeDecision {
  readonly allowed: boolean;
  /** The required scopes that are not held; empty when the tool has no scope decision at all. */
  readonly missing: readonly string[];
}

/** The scopes of a principal; one whose scopes cannot be read has none. */
function scopesOf(principal: Principal | undefined): readonly unknown[] {
  try {
    const scopes: unknown = principal?.scopes;
    return Array.isArray(scopes) ? [...scopes] : [];
  } catch {
    return [];
  }
}

/** Asks the application's cover; one that throws has denied. */
function isCovered(held: unknown, required: string, covers: ScopeCover): boolean {
  try {
    return typeof held === 'string' && covers(held, required) === true;
  } catch {
    return false;
  }
}

/** Decides whether a principal holds all required scopes; without a list of them nobody does. */
export function decideScopes(
  required: readonly string[] | undefined,
  principal: Principal | undefined,
  covers: ScopeCover,
): ScopeDecision {
  if (required === undefined) return { allowed: false, missing: [] };
  const held = scopesOf(principal);
  const missing = required.filter((scope) => !held.some((one) => isCovered(one, scope, covers)));
  return { allowed: missing.length === 0, missing };
}
