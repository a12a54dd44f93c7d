/**
 * Stops calling a downstream service that is out, and tries again later.
 * Invariant: only outages open it, and while it is not closed at most one call tries at a time.
 */
import {
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel';
import type { ToolResult } from '../../contract/result';
import type { JsonValue } from '../../errors/body';
import type { CallState } from '../call-state';
import { type Failure, failure } from '../failure';
import type { CircuitBreakerLimit } from './options';

type Result = ToolResult<JsonValue>;

/** The codes of a service that does not answer, or that answers with 5xx. */
const OUTAGES: ReadonlySet<string> = new Set(['unavailable', 'timeout', 'outcome_unknown']);

/** Takes a result that says nothing about the service past the policy, which does not judge what is thrown. */
class Inconclusive extends Error {
  constructor(readonly result: Failure) {
    super(result.error.code);
  }
}

function isResult(value: unknown): value is Result {
  return typeof value === 'object' && value !== null && 'success' in value;
}

/** Judges a result. */
function isOutage(result: unknown): boolean {
  if (!isResult(result) || result.success) return false;
  if (result.error.code === 'cancelled') throw new Inconclusive(result);
  return OUTAGES.has(result.error.code);
}

/** What a call that was stopped answered says nothing about the service. */
function unlessStopped(call: CallState, result: Result): Result {
  if (!result.success && call.context.signal.aborted) throw new Inconclusive(result);
  return result;
}

/** Gives back the result that was taken past the policy. */
function toResult(thrown: unknown): Result {
  if (thrown instanceof Inconclusive) return thrown.result;
  throw thrown;
}

/** Told when a breaker opens and closes. */
export type BreakerObserver = (name: string, state: 'open' | 'closed') => void;

/** One breaker, of a tool or of a downstream service. */
export class Breaker {
  private readonly policy: CircuitBreakerPolicy;
  private readonly resetAfterMs: number;
  private openedAt = 0;

  constructor(
    private readonly name: string,
    { failureThreshold, resetAfterMs }: Required<CircuitBreakerLimit>,
    observe: BreakerObserver,
  ) {
    this.resetAfterMs = resetAfterMs;
    // A trial that was cancelled or paused has not shown that the service is back.
    const isTrial = () => this.policy.state === CircuitState.HalfOpen;
    this.policy = circuitBreaker(handleWhen(isTrial).orWhenResult(isOutage), {
      halfOpenAfter: resetAfterMs,
      breaker: new ConsecutiveBreaker(failureThreshold),
    });
    this.policy.onBreak(() => {
      this.openedAt = Date.now();
      observe(name, 'open');
    });
    this.policy.onReset(() => observe(name, 'closed'));
  }

  /** The answer to a call that may not go on; undefined when it may. */
  refusal(): Failure | undefined {
    const { state } = this.policy;
    if (state === CircuitState.Closed) return undefined;
    const passedMs = Date.now() - this.openedAt;
    if (state === CircuitState.Open && passedMs >= this.resetAfterMs) return undefined;
    const retryAfterMs = state === CircuitState.Open ? this.resetAfterMs - passedMs : this.resetAfterMs;
    const message = `${this.name} has failed repeatedly and is not called for now. Try again later.`;
    return failure('unavailable', message, { retryable: true, retryAfterMs });
  }

  /** The state in which a call that is not refused goes on. */
  get stateOfCall(): 'closed' | 'half_open' {
    return this.policy.state === CircuitState.Closed ? 'closed' : 'half_open';
  }

  /** Runs a call that is not refused, and judges its result. */
  run(call: CallState, next: () => Promise<Result>): Promise<Result> {
    // A caller in a hurry must not close the service to all others.
    const judged = call.isHurried ? () => next().then((result) => unlessStopped(call, result)) : next;
    return this.policy.execute(judged).catch(toResult);
  }
}
