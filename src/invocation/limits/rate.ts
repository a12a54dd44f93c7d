/**
 * Counts calls in windows, in memory or by a limiter of rate-limiter-flexible and its store.
 * Invariant: a call goes on only when it was counted within its limit; a store that fails lets none through.
 */
import { memberOf } from '../../metadata/members';
import type { RateLimit, RateLimitChoice, RateLimiter } from './options';
import { wait } from './wait';

/** How long a store may take to answer. */
export const STORE_TIMEOUT_MS = 5_000;

/** Why a call may not go on: its limit is reached, or it could not be counted. */
export type Excess =
  | { readonly why: 'beyond'; readonly retryAfterMs: number }
  | { readonly why: 'uncounted'; readonly error: unknown };

/** One rate limit; counts a call under a key, and answers undefined where that call is within the limit. */
export type Rate = (key: string, signal: AbortSignal) => Excess | undefined | Promise<Excess | undefined>;

/** Windows in memory: one for all keys at a time, so that no key needs a timer to be forgotten. */
function inMemory({ limit, windowMs }: RateLimit): Rate {
  const counts = new Map<string, number>();
  let endsAt = 0;
  return (key) => {
    const now = Date.now();
    // A clock that was set back must not make the window longer.
    if (now >= endsAt || endsAt - now > windowMs) {
      counts.clear();
      endsAt = now + windowMs;
    }
    const count = counts.get(key) ?? 0;
    if (count >= limit) return { why: 'beyond', retryAfterMs: endsAt - now };
    counts.set(key, count + 1);
    return undefined;
  };
}

/** Tells a refusal of rate-limiter-flexible from a failure of its store. */
function judge(rejection: unknown): Excess {
  const isObject = typeof rejection === 'object' && rejection !== null;
  const msBeforeNext = isObject ? memberOf(rejection, 'msBeforeNext') : undefined;
  return typeof msBeforeNext === 'number'
    ? { why: 'beyond', retryAfterMs: Math.max(0, Math.ceil(msBeforeNext)) }
    : { why: 'uncounted', error: rejection };
}

function inStore(limiter: RateLimiter): Rate {
  return async (key, signal) => {
    let excess: Excess | undefined = { why: 'uncounted', error: new Error('the store did not answer') };
    const counting = (async () => limiter.consume(key))().then(
      () => {
        excess = undefined;
      },
      (rejection: unknown) => {
        excess = judge(rejection);
      },
    );
    await wait(STORE_TIMEOUT_MS, signal, counting);
    return excess;
  };
}

/** Makes a rate limit; undefined where there is none. */
export function toRate(choice: RateLimitChoice): Rate | undefined {
  if (choice === false) return undefined;
  return 'consume' in choice ? inStore(choice) : inMemory(choice);
}
