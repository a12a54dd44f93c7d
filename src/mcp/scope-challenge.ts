/**
 * What a caller is told of scopes that they lack.
 * Invariant: the toolkit decides and records every denial; a challenge names only scopes that OAuth can name.
 */
import type { ScopeChallenge } from '@modelcontextprotocol/server';
import type { Principal } from '../contract/principal';
import type { ToolSpec } from '../contract/tool';
import type { TraceContext } from '../contract/trace-context';
import { toScopeChallenge } from './auth/scope-tokens';
import type { ServedToolkit } from './served-toolkit';

/**
 * Lets the toolkit deny a call, so that the denial is recorded as any. The caller comes without scopes, so that the
 * call cannot run, whatever else has changed since it was decided.
 */
export async function recordDenial(
  toolkit: ServedToolkit,
  spec: ToolSpec,
  principal: Principal | undefined,
  traceContext: TraceContext,
): Promise<void> {
  const stripped = principal === undefined ? undefined : { id: principal.id, scopes: [] };
  await toolkit.invoke(spec.key, {}, { principal: stripped, traceContext });
}

/** The challenge that answers a call. Undefined: the caller may call, or no scope that they could ask for would help. */
export async function scopeChallenge(
  toolkit: ServedToolkit,
  spec: ToolSpec,
  principal: Principal | undefined,
  traceContext: TraceContext,
): Promise<ScopeChallenge | undefined> {
  const { allowed, missing } = toolkit.registry.authorise(spec, principal);
  const challenge = allowed ? undefined : toScopeChallenge(missing, spec.scopes ?? []);
  if (challenge !== undefined) await recordDenial(toolkit, spec, principal, traceContext);
  return challenge;
}
