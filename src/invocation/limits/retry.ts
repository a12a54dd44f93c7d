/**
 * Makes the attempts of a call: one, or several where that can do no harm.
 * Invariant: a call that may have had an effect is never repeated, unless its author declared it idempotent.
 */
import type { ToolResult } from '../../contract/result';
import type { SideEffectDeclaration } from '../../contract/tool';
import type { JsonValue } from '../../errors/body';
import type { CallState } from '../call-state';
import type { Breaker } from './breaker';
import type { RetryLimit } from './options';
import { wait } from './wait';

type Result = ToolResult<JsonValue>;

/** Tells whether a call may run again. */
export function isRepeatable({ kind, idempotent }: SideEffectDeclaration): boolean {
  return kind === 'none' || idempotent;
}

/** A random part of a bound that doubles, so that callers who failed together do not return together. */
function jitter(attempt: number, { baseDelayMs, maxDelayMs }: Required<RetryLimit>): number {
  return Math.random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));
}

/** Makes one attempt, unless the breaker refuses it. */
export function attemptOnce(
  call: CallState,
  next: () => Promise<Result>,
  breaker: Breaker | undefined,
  attempt = 1,
): Promise<Result> {
  // The stage itself answers calls that were stopped, and does not begin them.
  if (call.context.signal.aborted) return next();
  const refusal = breaker?.refusal();
  if (breaker !== undefined) call.notes.set('breaker', refusal === undefined ? breaker.stateOfCall : 'open');
  if (refusal !== undefined) return Promise.resolve(refusal);
  call.notes.set('attempt', attempt);
  return breaker === undefined ? next() : breaker.run(call, next);
}

/** Makes attempts until one is final, the attempts are spent, or there is no time for another. */
export async function attemptRepeatedly(
  call: CallState,
  next: () => Promise<Result>,
  breaker: Breaker | undefined,
  limit: Required<RetryLimit>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await attemptOnce(call, next, breaker, attempt);
    if (result.success || !result.error.retryable || attempt >= limit.maxAttempts) return result;
    // What the breaker has refused, or would refuse, is not waited for: the caller hears it at once.
    if (breaker?.refusal() !== undefined) return result;
    const { retryAfterMs = 0 } = result.error;
    const delayMs = Math.ceil(retryAfterMs + jitter(attempt, limit));
    if (retryAfterMs > limit.maxDelayMs || delayMs >= call.remainingMs) return result;
    await wait(delayMs, call.context.signal);
  }
}
