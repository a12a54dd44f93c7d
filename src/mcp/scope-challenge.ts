/**
 * What a caller is told of scopes that they lack.
 * Invariant: the toolkit decides and records every denial; a challenge names only scopes that OAuth can name.
 */
import type { ScopeChallenge } from '@modelcontextprotocol/server';
import type { Principal } from '../contract/principal';
import type { ToolSpec } from '../contract/tool';
import type { ServedToolkit } from './served-toolkit';

/** RFC 6749, section 3.3: what a scope may consist of. */
const SCOPE_TOKEN = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/** Lets the toolkit deny a call, so that the denial is recorded as any. Nothing of the arguments is looked at. */
export async function recordDenial(
  toolkit: ServedToolkit,
  spec: ToolSpec,
  principal: Principal | undefined,
): Promise<void> {
  await toolkit.invoke(spec.key, {}, { principal });
}

/**
 * The challenge that answers a call: all scopes that the tool needs, so that one step up is enough (MCP 2026-07-28,
 * Authorization › Scope Challenge Handling). Undefined: the caller may call, or no scope would help.
 */
export async function scopeChallenge(
  toolkit: ServedToolkit,
  spec: ToolSpec,
  principal: Principal | undefined,
): Promise<ScopeChallenge | undefined> {
  const { allowed, missing } = toolkit.registry.authorise(spec, principal);
  const [first, ...rest] = (spec.scopes ?? []).filter((scope) => SCOPE_TOKEN.test(scope));
  if (allowed || first === undefined) return undefined;
  await recordDenial(toolkit, spec, principal);
  return {
    scopes: [first, ...rest],
    errorDescription: `the tool requires ${missing.filter((scope) => SCOPE_TOKEN.test(scope)).join(' ')}`,
  };
}
