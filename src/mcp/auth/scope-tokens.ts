/**
 * Which scopes can be asked for in OAuth.
 * Invariant: what is written into a header or into metadata is a scope-token, so that no name of a tool's scope can
 * break out of it.
 */
import type { ScopeChallenge } from '@modelcontextprotocol/server';

/** RFC 6749, section 3.3: printable ASCII without space, quote and backslash. */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/**
 * Whether clients may be told to ask for a scope. `offline_access` is between a client and its authorization server
 * and no scope of a resource (MCP, authorization).
 */
export function isAskable(scope: string): boolean {
  return SCOPE_TOKEN.test(scope) && scope !== 'offline_access';
}

/** The scopes that clients may be told to ask for, each once. */
export function askable(scopes: readonly string[]): string[] {
  return [...new Set(scopes)].filter(isAskable);
}

/**
 * What the SDK answers 403 `insufficient_scope` with: all scopes that the operation needs at once, and in words which
 * of them are missing (MCP, authorization, scope challenge handling).
 *
 * @returns undefined where asking is of no use: nothing is missing, or a missing scope is none that can be asked for.
 * The pipeline then refuses the call itself.
 */
export function toScopeChallenge(
  missing: readonly string[],
  all: readonly string[],
): ScopeChallenge | undefined {
  const [first, ...others] = askable([...all, ...missing]);
  if (missing.length === 0 || !missing.every(isAskable) || first === undefined) return undefined;
  return { scopes: [first, ...others], errorDescription: `Missing scopes: ${missing.join(' ')}` };
}
