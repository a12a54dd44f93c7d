/**
 * What the framework makes of a known error: a code, what happened, and what to do about it.
 * Invariant: the words are fixed, but for the status of a response; nothing of the error itself gets into them.
 */
import type { JsonValue } from '../../errors/body';

/** What an error means, before it is known what the failed tool does to the world. */
export interface Verdict {
  readonly code: string;
  /** What happened, as a sentence. */
  readonly happened: string;
  /** What to do, as a sentence; empty where `happened` says it. */
  readonly advice: string;
  readonly retryable: boolean;
  /** Whether the action may have begun. */
  readonly started: boolean;
  readonly detail?: JsonValue;
  readonly retryAfterMs?: number;
}

const LATER = 'Call again later.';
const CORRECT = 'Check the arguments, correct them and call again.';
const LOOK_UP = 'Look up the present state, then decide whether other arguments are right.';
const HOPELESS = 'Calling again does not help; the operators of the application have to mend it.';

/** May pass. `started` says whether the action may have begun. */
export function unavailable(happened: string, started: boolean): Verdict {
  return { code: 'unavailable', happened, advice: LATER, retryable: true, started };
}

/** Nobody answered in time. */
export function timedOut(happened: string, started: boolean): Verdict {
  return { code: 'timeout', happened, advice: LATER, retryable: true, started };
}

/** Too many requests; none of them was worked on. */
export function rateLimited(happened: string): Verdict {
  return { code: 'rate_limited', happened, advice: LATER, retryable: true, started: false };
}

/** A service or a database refused what the arguments ask for. */
export function refusedArguments(happened: string): Verdict {
  return { code: 'invalid_input', happened, advice: CORRECT, retryable: false, started: false };
}

/** What the arguments ask for does not go with what is stored. */
export function conflict(happened: string): Verdict {
  return { code: 'invalid_input', happened, advice: LOOK_UP, retryable: false, started: false };
}

/** Neither the model nor the caller can do anything about it. */
export function hopeless(happened: string): Verdict {
  return { code: 'internal_error', happened, advice: HOPELESS, retryable: false, started: false };
}
