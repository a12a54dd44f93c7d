/**
 * The stage `claim`: of all calls with one key at most one goes on, and the others get what came of it.
 * Invariant: no handler with side effects begins without its claim, and a claim that was granted is always ended,
 * unless its store cannot be reached.
 */
import type { Logger } from '../../contract/context';
import type { Ledger, LedgerClaim, LedgerEntry } from '../../contract/ledger';
import type { ToolResult } from '../../contract/result';
import type { JsonValue } from '../../errors/body';
import { toJson } from '../../validation/to-json';
import type { CallState } from '../call-state';
import { Stopped } from '../deadline';
import { type Failure, failure } from '../failure';
import { loggedOf } from '../logged-error';
import type { Scrubber } from '../scrub';
import { armDeadline, checkedOutput, type StageGuard, specOf } from '../stages';
import { stoppedFailure } from '../stopped';
import { HeldClaim, outcomeOf } from './held-claim';

/** What the stage needs. */
export interface ClaimOptions {
  readonly ledger: Ledger;
  /** Whether entries carry the arguments, with secrets masked, beside their hash. */
  readonly recordArguments: boolean;
  readonly logger: Logger;
  readonly scrubber: Scrubber;
  /** Deadline of tools that state none, in milliseconds. */
  readonly timeoutMs: number;
  /** Bound of the outputs of tools that state none, in bytes. */
  readonly maxResultBytes: number;
  /** Whether interceptors may change an output after its handler has answered. */
  readonly changesOutputs: boolean;
}

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

function unrecorded(call: CallState): Failure {
  const message = `The action of ${specOf(call).name} was carried out, but its result could not be recorded and is lost. Do not repeat it.`;
  return failure('outcome_unknown', message);
}

/** Makes the guard of the stage `claim`. */
export function claimGuard(options: ClaimOptions): StageGuard {
  const { ledger, scrubber } = options;

  const say = (call: CallState, level: 'error' | 'warn', error: unknown, message: string): void => {
    const fields = { tool: specOf(call).key, callId: call.context.callId, error: loggedOf(error, scrubber) };
    try {
      options.logger[level](fields, message);
    } catch {
      // A logger that throws must not cost the caller the answer.
    }
  };

  const toClaim = (call: CallState): LedgerClaim => {
    const { key, compensation } = specOf(call);
    const { json } = call;
    return {
      key: call.context.idempotencyKey,
      argumentHash: call.argumentHash ?? '',
      tool: key,
      principalId: principalIdOf(call),
      callId: call.context.callId,
      leaseMs: Math.max(0, Math.ceil(call.remainingMs)) + GRACE_MS,
      ...(options.recordArguments && json !== undefined ? { arguments: scrubber.json(json) } : {}),
      ...(compensation === undefined ? {} : { compensation }),
    };
  };

  const unreachable = (call: CallState, error: unknown): Failure => {
    say(call, 'warn', error, 'a call could not be claimed');
    const message = `${specOf(call).name} was not run, since calls cannot be recorded for now. Try again later.`;
    return failure('unavailable', message, { retryable: true, retryAfterMs: RETRY_AFTER_MS });
  };

  const end = async (call: CallState, claim: HeldClaim, outcome: Parameters<HeldClaim['end']>[0]) => {
    const ending = await claim.end(outcome);
    if (ending.ok) return true;
    const isLost = outcome.state === 'finished';
    const what = isLost
      ? 'an action was carried out and could not be recorded'
      : 'a claim could not be ended';
    say(call, isLost ? 'error' : 'warn', ending.error, what);
    return false;
  };

  /** Claims the key, or says why the call does not go on; undefined: it stands there no longer, so ask again. */
  const enter = async (call: CallState): Promise<HeldClaim | Result | undefined> => {
    const { idempotencyKey: key, signal } = call.context;
    let isWaiting = false;
    let claiming: Promise<HeldClaim | LedgerEntry> | undefined;
    const claim = async () => {
      const answer = await ledger.claim(toClaim(call));
      return answer.claimed ? new HeldClaim(ledger, key, answer.token) : answer.entry;
    };
    try {
      const answer = await call.deadline.watch(() => {
        claiming = claim();
        return claiming;
      });
      if (answer instanceof HeldClaim || !isSame(call, answer) || answer.state !== 'running')
        return answer instanceof HeldClaim ? answer : standing(call, answer);
      isWaiting = true;
      const entry = await call.deadline.watch(() => ledger.settled(key, signal));
      return entry === undefined ? undefined : standing(call, entry);
    } catch (error) {
      if (!(error instanceof Stopped)) return unreachable(call, error);
      const free = (late: unknown) =>
        late instanceof HeldClaim ? end(call, late, { state: 'free' }) : false;
      if (!isWaiting) claiming?.then(free, () => {});
      if (error.why === 'cancelled' || claiming === undefined) return stoppedFailure(call, error);
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

  /** A result as it may be recorded; what interceptors made of it may be no JSON. */
  const toRecord = (call: CallState, result: Result): Result => {
    if (!result.success) return { success: false, error: scrubber.body(result.error) };
    if (result === call.result) return result;
    const json = toJson(result.result);
    return json.ok ? { ...result, result: json.value } : unrecorded(call);
  };

  const hearLate = (call: CallState, claim: HeldClaim): CallState['late'] => ({
    // What interceptors would have made of the output nobody knows, so a person has to settle it.
    answered: async (output) => {
      if (options.changesOutputs) return;
      const result = await checkedOutput(call, output, options.maxResultBytes);
      await end(call, claim, { state: 'finished', result: toRecord(call, result) });
    },
    didNothing: async () => {
      await end(call, claim, { state: 'free' });
    },
  });

  const run = async (call: CallState, next: () => Promise<Result>): Promise<Result> => {
    // The wait for a twin counts: the caller wants an answer in time.
    armDeadline(call, options.timeoutMs);
    let entered = await enter(call);
    while (entered === undefined) entered = await enter(call);
    if (!(entered instanceof HeldClaim)) return entered;
    const claim = entered;
    call.late = hearLate(call, claim);
    let result: Result;
    try {
      result = await next();
    } catch (pause) {
      call.effect.close();
      await end(call, claim, { state: call.effect.state === 'none' ? 'paused' : 'unknown' });
      throw pause;
    }
    call.effect.close();
    const outcome = outcomeOf(call, toRecord(call, result));
    const isEnded = await end(call, claim, outcome);
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
