/**
 * The guards that record calls: their beginning before they claim anything, how they ended, and who was turned away.
 * Invariant: where a record has to be there first, nothing of the call has begun before it is.
 */
import type { AuditEvent } from '../../contract/audit';
import type { ToolResult } from '../../contract/result';
import type { JsonValue } from '../../errors/body';
import type { CallState } from '../call-state';
import { Stopped } from '../deadline';
import { type Failure, failure, STORE_RETRY_AFTER_MS } from '../failure';
import { armDeadline, type StageGuard, specOf } from '../stages';
import { stoppedFailure } from '../stopped';
import { toEvent } from './events';
import type { AuditTrail } from './trail';

type Result = ToolResult<JsonValue>;

function hasNoEffect(call: CallState): boolean {
  return specOf(call).sideEffect.kind === 'none';
}

function unwritten(call: CallState): Failure {
  const message = `${specOf(call).name} was not run, since the audit trail cannot record it for now. Try again later.`;
  return failure('unavailable', message, { retryable: true, retryAfterMs: STORE_RETRY_AFTER_MS });
}

/** Unknown is what a person has to settle in the ledger. */
function endOf({ effect }: CallState, result: Result): Pick<AuditEvent, 'outcome' | 'code'> {
  if (result.success) return { outcome: 'succeeded' };
  const { code } = result.error;
  const isKnown = effect.state === 'none' || (effect.state === 'certain' && code === 'invalid_output');
  return { outcome: isKnown && code !== 'outcome_unknown' ? 'failed' : 'unknown', code };
}

/** Makes what records that the caller of a tool lacks its scopes, where that is decided. */
export function denied(trail: AuditTrail): (call: CallState) => void | Promise<void> {
  return (call) => {
    // A call that has begun has an end that says so.
    if (call.isAudited) return undefined;
    call.isAudited = true;
    return trail.note(toEvent(call, 'denied', { code: 'insufficient_scope' }));
  };
}

/** Makes what records of failed calls who was turned away: those whose beginning was recorded have an end of their own. */
export function turnedAway(trail: AuditTrail): (call: CallState, code: string) => void | Promise<void> {
  return (call, code) => {
    if (call.isAudited || call.spec === undefined) return undefined;
    if (code === 'insufficient_scope') return trail.note(toEvent(call, 'denied', { code }));
    return hasNoEffect(call) ? undefined : trail.note(toEvent(call, 'call_refused', { code }));
  };
}

/** Makes the guard that records calls with side effects; it stands before the one that claims. */
export function auditGuard(trail: AuditTrail, { timeoutMs }: { readonly timeoutMs: number }): StageGuard {
  /** Writes ahead; gives the answer of a call that may not go on without. */
  const begin = (call: CallState): Failure | undefined | Promise<Failure | undefined> => {
    const event = toEvent(call, 'call_started');
    const refuse = (error: unknown): Failure => {
      const message = 'a call could not be recorded and was not run';
      trail.tell('warn', { event, error, message, code: 'unavailable' });
      return unwritten(call);
    };
    if (!trail.refuses(specOf(call).sideEffect.kind)) {
      call.isAudited = true;
      const noting = trail.note(event);
      return noting?.then(() => undefined);
    }
    const writeAhead = async (writing: Promise<void>): Promise<Failure | undefined> => {
      try {
        await call.deadline.watch(() => writing);
        call.isAudited = true;
        return undefined;
      } catch (error) {
        if (!(error instanceof Stopped)) return refuse(error);
        const answer = error.why === 'cancelled' ? stoppedFailure(call, error) : refuse(error);
        call.isAudited = true;
        // The record may be there yet, and is then that of a call that never ran.
        const { code } = answer.error;
        writing.then(
          () => trail.give(toEvent(call, 'call_ended', { outcome: 'failed', code })),
          () => trail.give(toEvent(call, 'call_refused', { code })),
        );
        return answer;
      }
    };
    try {
      const writing = trail.write(event);
      if (writing !== undefined) return writeAhead(writing);
      call.isAudited = true;
      return undefined;
    } catch (error) {
      return refuse(error);
    }
  };

  // The answer does not wait for it: what the trail is for is that nothing begins unseen.
  const end = (call: CallState, result: Result): void =>
    trail.give(toEvent(call, 'call_ended', endOf(call, result)));

  const record = async (call: CallState, next: () => Promise<Result>): Promise<Result> => {
    if (call.deadline.isOver) return stoppedFailure(call, call.deadline.toStopped());
    // The wait for the record counts: the caller wants an answer in time.
    armDeadline(call, timeoutMs);
    const beginning = begin(call);
    const refused = beginning instanceof Promise ? await beginning : beginning;
    if (refused !== undefined) return refused;
    let result: Result;
    try {
      result = await next();
    } catch (pause) {
      trail.give(toEvent(call, 'call_ended', { outcome: 'paused' }));
      throw pause;
    }
    end(call, result);
    return result;
  };

  return {
    stage: 'claim',
    isPassing: hasNoEffect,
    run: (call, next) => (hasNoEffect(call) ? next() : record(call, next)),
  };
}
