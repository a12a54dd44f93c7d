/**
 * Puts the limits of a toolkit before its stages: rates before `limit`; before `execute` places, attempts and
 * breakers, each around the next.
 * Invariant: a call holds a place while its handler runs, and every answer given here is one failure.
 */
import type { Logger } from '../../contract/context';
import type { ToolResult } from '../../contract/result';
import type { ToolSpec } from '../../contract/tool';
import type { JsonValue } from '../../errors/body';
import type { CallState } from '../call-state';
import { type Failure, failure, STORE_RETRY_AFTER_MS } from '../failure';
import { loggedOf } from '../logged-error';
import type { Scrubber } from '../scrub';
import { armDeadline, type StageGuard, specOf } from '../stages';
import { stoppedFailure } from '../stopped';
import { Breaker, type BreakerObserver } from './breaker';
import type { LimitSettings, RetryLimit } from './options';
import { Places } from './places';
import { type Excess, type Rate, toRate } from './rate';
import { attemptOnce, attemptRepeatedly, isRepeatable } from './retry';

/** When to try again where a queue was full: nobody knows when it empties. */
const FULL_RETRY_AFTER_MS = 1_000;

/** Whose calls a rate counts, in words. */
const WHOSE = {
  principal_rate: () => 'by this caller',
  tool_rate: ({ name }: ToolSpec) => `of ${name}`,
} as const;

type Result = ToolResult<JsonValue>;

/** What the calls of one tool share. */
interface Limiters {
  readonly rate: Rate | undefined;
  /** Under which the rate counts them. */
  readonly rateKey: string;
  readonly places: Places | undefined;
  readonly breaker: Breaker | undefined;
  readonly retry: Required<RetryLimit> | false;
}

/** Finds the limiters of a tool, which all its versions share; made with the first call. */
function limitersOf(settings: LimitSettings, observe: BreakerObserver): (spec: ToolSpec) => Limiters {
  const known = new Map<string, Limiters>();
  const breakers = new Map<string, Breaker>();
  const sharedRate = toRate(settings.perTool);
  const make = (name: string): Limiters => {
    const { rate, concurrency, breaker, retry } = settings.of(name);
    const shared = breaker === false ? undefined : breakers.get(breaker.name);
    const own = breaker === false ? undefined : (shared ?? new Breaker(breaker.name, breaker, observe));
    if (breaker !== false && own !== undefined) breakers.set(breaker.name, own);
    return {
      rate: rate === undefined ? sharedRate : toRate(rate),
      rateKey: `tool:${name}`,
      places: concurrency === false ? undefined : new Places(concurrency),
      breaker: own,
      retry,
    };
  };
  return ({ name }) => {
    const limiters = known.get(name) ?? make(name);
    known.set(name, limiters);
    return limiters;
  };
}

/** Says something to operators; a logger that throws must not cost a caller the answer. */
function say(logger: Logger, level: 'warn' | 'info', fields: object, message: string): void {
  try {
    logger[level](fields, message);
  } catch {
    // What the logger cannot say is not said.
  }
}

/** Makes the guards of the stages `limit` and `execute`. */
export function limitGuards(
  settings: LimitSettings,
  {
    logger,
    timeoutMs,
    scrubber,
    breakerChanged,
  }: {
    readonly logger: Logger;
    readonly timeoutMs: number;
    readonly scrubber: Scrubber;
    readonly breakerChanged: BreakerObserver;
  },
): readonly StageGuard[] {
  const of = limitersOf(settings, (breaker, state) => {
    if (state === 'open') say(logger, 'warn', { breaker }, 'a circuit breaker has opened');
    else say(logger, 'info', { breaker }, 'a circuit breaker has closed');
    breakerChanged(breaker, state);
  });
  const perPrincipal = toRate(settings.perPrincipal);

  const refusal = (call: CallState, excess: Excess, limiter: keyof typeof WHOSE): Failure => {
    if (call.context.signal.aborted) return stoppedFailure(call, call.deadline.toStopped());
    call.notes.set('limiter', excess.why === 'beyond' ? limiter : 'rate_store');
    if (excess.why === 'beyond') {
      const { retryAfterMs } = excess;
      const message = `There were too many calls ${WHOSE[limiter](specOf(call))}. Wait ${Math.ceil(retryAfterMs / 1_000)} s.`;
      return failure('rate_limited', message, { retryable: true, retryAfterMs });
    }
    say(logger, 'warn', { error: loggedOf(excess.error, scrubber) }, 'a call could not be counted');
    const message = 'Calls cannot be counted for now. Try again later.';
    return failure('unavailable', message, { retryable: true, retryAfterMs: STORE_RETRY_AFTER_MS });
  };

  const counted = (
    rate: Rate | undefined,
    key: string,
    limiter: keyof typeof WHOSE,
    call: CallState,
    next: () => Promise<Result>,
  ): Promise<Result> => {
    const excess = rate?.(key, call.context.signal);
    if (excess === undefined) return next();
    if (!(excess instanceof Promise)) return Promise.resolve(refusal(call, excess, limiter));
    return excess.then((late) => (late === undefined ? next() : refusal(call, late, limiter)));
  };

  const countedCall = (call: CallState, next: () => Promise<Result>): Promise<Result> => {
    const spec = specOf(call);
    const id = call.context.principal?.id;
    const caller = id === undefined ? 'anonymous' : `principal:${id}`;
    const { rate, rateKey } = of(spec);
    return counted(perPrincipal, caller, 'principal_rate', call, () =>
      counted(rate, rateKey, 'tool_rate', call, next),
    );
  };

  const attempts = (call: CallState, next: () => Promise<Result>, spec: ToolSpec): Promise<Result> => {
    const { breaker, retry } = of(spec);
    return retry !== false && isRepeatable(spec.sideEffect)
      ? attemptRepeatedly(call, next, breaker, retry)
      : attemptOnce(call, next, breaker);
  };

  const placedCall = async (call: CallState, next: () => Promise<Result>): Promise<Result> => {
    const spec = specOf(call);
    const { places } = of(spec);
    // Waiting counts: the caller wants an answer in time, not a place.
    armDeadline(call, timeoutMs);
    if (places === undefined) return attempts(call, next, spec);
    if (!places.tryTake()) {
      if (places.isFull) {
        call.notes.set('limiter', 'concurrency');
        const message = `Too many calls of ${spec.name} wait already. Try again later.`;
        return failure('unavailable', message, { retryable: true, retryAfterMs: FULL_RETRY_AFTER_MS });
      }
      // The stage itself answers calls that were stopped, and does not begin them.
      if (!(await places.wait(call.context.signal))) return next();
    }
    try {
      return await attempts(call, next, spec);
    } finally {
      places.free(call.unsettled);
    }
  };

  return [
    { stage: 'limit', isPassing: () => true, run: countedCall },
    { stage: 'execute', run: placedCall },
  ];
}
