/**
 * The stage `claim`: of all calls with one key at most one goes on, and the others get what came of it.
 * Invariant: no handler with side effects begins without its claim, and a claim that was granted is always ended,
 * unless its store cannot be reached.
 */
import type { LedgerAnswer, LedgerClaim, LedgerEntry } from '../../contract/ledger';
import type { ToolResult } from '../../contract/result';
import type { JsonValue } from '../../errors/body';
import type { CallState } from '../call-state';
import { Stopped } from '../deadline';
import { type Failure, failure } from '../failure';
import { armDeadline, type StageGuard, specOf } from '../stages';
import { stoppedFailure } from '../stopped';
import { type ClaimOptions, HeldClaim, tell, unrecorded } from './held-claim';
import { soonOr } from './soon';

/** How long a holder may take beyond its handler's time, to check the output and to end the claim. */
const GRACE_MS = 30_000;

/** When to try again where the ledger could not be reached. */
const RETRY_AFTER_MS = 5_000;

type Result = ToolResult<JsonValue>;

function principalIdOf({ context }: CallState): string | null {
  return context.principal?.id ?? null;
}

function isSame(call: CallState, entry: LedgerEntry): boolean {
  return entry.principalId === principalIdOf(call) && entry.argumentHash === call.argumentHash;
}

function duplicate(call: CallState, { argumentHash }: LedgerEntry): Failure {
  const { name } = specOf(call);
  const why = argumentHash === call.argumentHash ? 'by another caller' : 'with other arguments';
  const message = `${name} was called before with the same key, but ${why}, so it was not run. Look up the present state; what is meant anew needs a new key.`;
  return failure('duplicate_call', message);
}

function unknownOutcome(call: CallState): Failure {
  const message = `Whether the action of an earlier call of ${specOf(call).name} took effect is not known, so it is not repeated before a person has settled it.`;
  return failure('outcome_unknown', message);
}

function stillRunning(call: CallState): Failure {
  const message = `The same call of ${specOf(call).name} still runs, so it was not repeated. Whether its action took effect is not known yet.`;
  return failure('outcome_unknown', message);
}

/** Makes the guard of the stage `claim`. */
export function claimGuard(options: ClaimOptions): StageGuard {
  const { ledger, scrubber } = options;

  const toClaim = (call: CallState): LedgerClaim => {
    const { key, compensation } = specOf(call);
    const { json } = call;
    const claim: LedgerClaim = {
      key: call.context.idempotencyKey,
      argumentHash: call.argumentHash ?? '',
      tool: key,
      principalId: principalIdOf(call),
      callId: call.context.callId,
      leaseMs: Math.max(0, Math.ceil(call.remainingMs)) + GRACE_MS,
    };
    const isRecorded = options.recordArguments && json !== undefined;
    if (!isRecorded && compensation === undefined) return claim;
    return {
      ...claim,
      ...(isRecorded ? { arguments: scrubber.json(json) } : {}),
      ...(compensation === undefined ? {} : { compensation }),
    };
  };

  const unreachable = (call: CallState, error: unknown): Failure => {
    tell(call, options, 'warn', error, 'a call could not be claimed');
    const message = `${specOf(call).name} was not run, since calls cannot be recorded for now. Try again later.`;
    return failure('unavailable', message, { retryable: true, retryAfterMs: RETRY_AFTER_MS });
  };

  /** Claims the key, or says why the call does not go on; undefined: what stood there does no longer, so ask again. */
  const enter = async (call: CallState): Promise<HeldClaim | Result | undefined> => {
    const { idempotencyKey: key, signal } = call.context;
    if (signal.aborted) return stoppedFailure(call, call.deadline.toStopped());
    let isWaiting = false;
    let claiming: Promise<LedgerAnswer> | undefined;
    try {
      claiming = ledger.claim(toClaim(call));
      const answer = await soonOr(claiming, (work) => call.deadline.watch(() => work));
      if (answer.claimed) return new HeldClaim(options, call, answer.token);
      if (!isSame(call, answer.entry) || answer.entry.state !== 'running')
        return standing(call, answer.entry);
      isWaiting = true;
      const entry = await call.deadline.watch(() => ledger.settled(key, signal));
      return entry === undefined ? undefined : standing(call, entry);
    } catch (error) {
      if (!(error instanceof Stopped)) {
        if (!isWaiting) return unreachable(call, error);
        tell(call, options, 'warn', error, 'a call could not wait for the same call, which still runs');
        return stillRunning(call);
      }
      const free = (late: LedgerAnswer) =>
        late.claimed ? new HeldClaim(options, call, late.token).end({ state: 'free' }) : false;
      if (!isWaiting) claiming?.then(free, () => {});
      if (error.why === 'cancelled') return stoppedFailure(call, error);
      return isWaiting ? stillRunning(call) : unreachable(call, new Error('the ledger did not answer'));
    }
  };

  const standing = (call: CallState, entry: LedgerEntry): Result | undefined => {
    if (!isSame(call, entry)) return duplicate(call, entry);
    if (entry.state === 'running' || entry.state === 'paused') return undefined;
    if (entry.state === 'unknown' || entry.result === undefined) return unknownOutcome(call);
    call.notes.set('replayed', true);
    return entry.result;
  };

  const run = async (call: CallState, next: () => Promise<Result>): Promise<Result> => {
    // The wait for a twin counts: the caller wants an answer in time.
    armDeadline(call, options.timeoutMs);
    let entered = await enter(call);
    while (entered === undefined) entered = await enter(call);
    if (!(entered instanceof HeldClaim)) return entered;
    call.late = entered;
    let result: Result;
    try {
      result = await next();
    } catch (pause) {
      call.effect.close();
      await entered.end({ state: call.effect.state === 'none' ? 'paused' : 'unknown' });
      throw pause;
    }
    call.effect.close();
    const outcome = entered.outcomeOf(result);
    const isEnded = await entered.end(outcome);
    if (outcome.state === 'finished') return isEnded ? result : unrecorded(call);
    // The author's key makes the next call the same one, which is not run before a person has settled it.
    const isFinal = outcome.state === 'unknown' && specOf(call).idempotencyKey !== undefined;
    return isFinal && !result.success && result.error.retryable ? unknownOutcome(call) : result;
  };

  return {
    stage: 'claim',
    run: (call, next) => (specOf(call).sideEffect.kind === 'none' ? next() : run(call, next)),
  };
}
