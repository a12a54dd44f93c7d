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
import { type Failure, failure, STORE_RETRY_AFTER_MS } from '../failure';
import { armDeadline, checkedJson, type StageGuard, specOf } from '../stages';
import { stoppedFailure } from '../stopped';
import { type ClaimOptions, HeldClaim, tell, unrecorded } from './held-claim';

/** How long a holder may take beyond its handler's time, to check the output and to end the claim. */
const GRACE_MS = 30_000;

type Result = ToolResult<JsonValue>;
type Success = Extract<Result, { success: true }>;

/** A claim, or why the call does not go on; undefined: what stood in its way no longer does, so ask again. */
type Entered = HeldClaim | Result | undefined;

function principalIdOf({ context }: CallState): string | null {
  return context.principal?.id ?? null;
}

function isSame(call: CallState, entry: LedgerEntry): boolean {
  const isSent = entry.principalId === principalIdOf(call) && entry.argumentHash === call.sentHash;
  // What a person has decided otherwise is not what was recorded; a call that comes again unedited asks for that.
  return isSent && (!isEdited(call) || entry.editedHash === call.argumentHash);
}

function isEdited({ argumentHash, sentHash }: CallState): boolean {
  return argumentHash !== sentHash;
}

/** Whether a claim of the call would be answered by the entry, and not be granted. */
export function isAnsweredBy(call: CallState, entry: LedgerEntry): boolean {
  return entry.state !== 'paused' || !isSame(call, entry);
}

function duplicate(call: CallState, { principalId }: LedgerEntry): Failure {
  const { name } = specOf(call);
  const why = principalId === principalIdOf(call) ? 'with other arguments' : 'by another caller';
  const message = `${name} was called before with the same key, but ${why}, so it was not run. Look up the present state; what is meant anew needs a new key.`;
  return failure('duplicate_call', message);
}

function unknownOutcome(call: CallState): Failure {
  const message = `Whether the action of an earlier call of ${specOf(call).name} took effect is not known, so it is not repeated before a person has settled it.`;
  return failure('outcome_unknown', message);
}

function stillRunning(call: CallState, { leaseEndsAt }: LedgerEntry): Failure {
  const until = new Date(leaseEndsAt).toISOString();
  const message = `The same call of ${specOf(call).name} still runs, so it was not repeated. Whether its action took effect is not known yet; it is known by ${until} at the latest, or from then on a person can settle it.`;
  return failure('outcome_unknown', message);
}

function unfit({ error }: Failure): Failure {
  const message = `${error.message} It was recorded when the action was carried out; do not repeat it.`;
  return { success: false, error: { ...error, message } };
}

/** Makes the guard of the stage `claim`. */
export function claimGuard(options: ClaimOptions): StageGuard {
  const { ledger, scrubber } = options;

  const toClaim = (call: CallState): LedgerClaim => {
    const { key, compensation } = specOf(call);
    const { json } = call;
    const claim: LedgerClaim = {
      key: call.context.idempotencyKey,
      argumentHash: call.sentHash ?? '',
      tool: key,
      principalId: principalIdOf(call),
      callId: call.context.callId,
      leaseMs: Math.max(0, Math.ceil(call.remainingMs)) + GRACE_MS,
    };
    const isRecorded = options.recordArguments && json !== undefined;
    if (!isRecorded && compensation === undefined && !isEdited(call)) return claim;
    return {
      ...claim,
      ...(isEdited(call) ? { editedHash: call.argumentHash ?? '' } : {}),
      ...(isRecorded ? { arguments: scrubber.json(json) } : {}),
      ...(compensation === undefined ? {} : { compensation }),
    };
  };

  const unreachable = (call: CallState, error: unknown): Failure => {
    tell(call, options, 'warn', { error, message: 'a call could not be claimed', code: 'unavailable' });
    const message = `${specOf(call).name} was not run, since calls cannot be recorded for now. Try again later.`;
    return failure('unavailable', message, { retryable: true, retryAfterMs: STORE_RETRY_AFTER_MS });
  };

  /** What to answer a call that was stopped while it waited for a ledger. */
  const given = (call: CallState, error: unknown, outOfTime: () => Failure): Failure => {
    if (!(error instanceof Stopped)) return unreachable(call, error);
    return error.why === 'cancelled' ? stoppedFailure(call, error) : outOfTime();
  };

  /** Claims the key. */
  const enter = (call: CallState): Entered | Promise<Entered> => {
    if (call.deadline.isOver) return stoppedFailure(call, call.deadline.toStopped());
    try {
      const claim = toClaim(call);
      const answer = ledger.claim(claim);
      return 'claimed' in answer ? judge(call, claim, answer) : enterLate(call, claim, answer);
    } catch (error) {
      return unreachable(call, error);
    }
  };

  const enterLate = async (
    call: CallState,
    claim: LedgerClaim,
    claiming: Promise<LedgerAnswer>,
  ): Promise<Entered> => {
    try {
      return judge(call, claim, await call.deadline.watch(() => claiming));
    } catch (error) {
      const free = (late: LedgerAnswer) =>
        late.claimed ? new HeldClaim(options, call, claim.key, late.token).end({ state: 'free' }) : false;
      if (error instanceof Stopped) claiming.then(free, () => {});
      return given(call, error, () => unreachable(call, new Error('the ledger did not answer')));
    }
  };

  const judge = (call: CallState, { key }: LedgerClaim, answer: LedgerAnswer): Entered | Promise<Entered> => {
    if (answer.claimed) {
      const held = new HeldClaim(options, call, key, answer.token);
      return call.unapproved === undefined ? held : unapproved(call, held);
    }
    const { entry } = answer;
    return isSame(call, entry) && entry.state === 'running'
      ? untilSettled(call, entry)
      : standing(call, entry);
  };

  /** Gives back the claim of a call that nobody has approved: what was to answer it is gone. */
  const unapproved = async (call: CallState, held: HeldClaim): Promise<Failure> => {
    call.unapproved = 'vanished';
    await held.end({ state: 'free' });
    return failure('approval_required', `${specOf(call).name} was not approved, and not run.`, {
      retryable: true,
    });
  };

  const untilSettled = async (call: CallState, running: LedgerEntry): Promise<Entered> => {
    try {
      const entry = await call.deadline.watch(() => ledger.settled(running.key, call.context.signal));
      return entry === undefined ? undefined : standing(call, entry);
    } catch (error) {
      if (error instanceof Stopped) return given(call, error, () => stillRunning(call, running));
      const message = 'a call could not wait for the same call, which still runs';
      tell(call, options, 'warn', { error, message, code: 'outcome_unknown' });
      return stillRunning(call, running);
    }
  };

  const standing = (call: CallState, entry: LedgerEntry): Result | undefined | Promise<Result> => {
    if (!isSame(call, entry)) return duplicate(call, entry);
    if (entry.state === 'running' || entry.state === 'paused') return undefined;
    if (entry.state === 'unknown' || entry.result === undefined) return unknownOutcome(call);
    call.notes.set('replayed', true);
    return entry.result.success ? replayed(call, entry.result) : entry.result;
  };

  /** Holds a recorded result to its contract: a person may have given it, or another version of the tool. */
  const replayed = async (call: CallState, recorded: Success): Promise<Result> => {
    try {
      const judged = await call.deadline.watch(() => checkedJson(call, recorded, options.maxResultBytes));
      return judged.success ? judged : unfit(judged);
    } catch (error) {
      if (error instanceof Stopped) return stoppedFailure(call, error);
      throw error;
    }
  };

  const run = (call: CallState, next: () => Promise<Result>): Promise<Result> => {
    // The wait for a twin counts: the caller wants an answer in time.
    armDeadline(call, options.timeoutMs);
    const entered = enter(call);
    return entered instanceof HeldClaim ? hold(call, entered, next) : wait(call, entered, next);
  };

  const wait = async (
    call: CallState,
    entering: Entered | Promise<Entered>,
    next: () => Promise<Result>,
  ): Promise<Result> => {
    let entered = await entering;
    while (entered === undefined) entered = await enter(call);
    return entered instanceof HeldClaim ? hold(call, entered, next) : entered;
  };

  const hold = async (call: CallState, held: HeldClaim, next: () => Promise<Result>): Promise<Result> => {
    call.late = held;
    let result: Result;
    try {
      result = await next();
    } catch (pause) {
      call.effect.close();
      await held.end({ state: call.effect.state === 'none' ? 'paused' : 'unknown' });
      throw pause;
    }
    call.effect.close();
    const outcome = held.outcomeOf(result);
    const ending = held.end(outcome);
    const isEnded = ending === true || (await ending);
    if (outcome.state === 'finished') return isEnded ? result : unrecorded(call);
    // The author's key makes the next call the same one, which is not run before a person has settled it.
    const isFinal = outcome.state === 'unknown' && specOf(call).idempotencyKey !== undefined;
    return isFinal && !result.success && result.error.retryable ? unknownOutcome(call) : result;
  };

  const isPassing = (call: CallState) => specOf(call).sideEffect.kind === 'none';
  return { stage: 'claim', isPassing, run: (call, next) => (isPassing(call) ? next() : run(call, next)) };
}
