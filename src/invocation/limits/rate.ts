/**
 * Counts calls in windows, in memory or in a store of rate-limiter-flexible.
 * Invariant: a call goes on only when it was counted within its limit; a store that fails lets none through.
 */
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Logger } from '../../contract/context';
import { memberOf } from '../../metadata/members';
import type { CallState } from '../call-state';
import { type Failure, failure } from '../failure';
import { toLogged } from '../logged-error';
import type { RateLimit, RateLimitChoice, RateLimiter } from './options';
import { wait } from './wait';

/** How long a store may take to answer. */
const STORE_TIMEOUT_MS = 5_000;

/** What became of a count; `failed` carries why. */
type Count =
  | { readonly is: 'within' }
  | { readonly is: 'beyond'; readonly retryAfterMs: number }
  | { readonly is: 'failed'; readonly error: unknown };

const WITHIN: Count = { is: 'within' };

/** One rate limit. */
export interface Rate {
  count(key: string, signal: AbortSignal): Promise<Count>;
}

/** Tells a refusal of rate-limiter-flexible from a failure of its store. */
function judge(rejection: unknown): Count {
  const isObject = typeof rejection === 'object' && rejection !== null;
  const wait = isObject ? memberOf(rejection, 'msBeforeNext') : undefined;
  if (typeof wait !== 'number') return { is: 'failed', error: rejection };
  return { is: 'beyond', retryAfterMs: Math.max(0, Math.ceil(wait)) };
}

/** Windows in memory. The limiter is renewed with each, since one that forgets by itself keeps a timer a key. */
function inMemory({ limit, windowMs }: RateLimit): Rate {
  let counter = new RateLimiterMemory({ points: limit, duration: 0 });
  let endsAt = 0;
  return {
    async count(key) {
      const now = Date.now();
      // A clock that was set back must not make the window longer.
      if (now >= endsAt || endsAt - now > windowMs) {
        counter = new RateLimiterMemory({ points: limit, duration: 0 });
        endsAt = now + windowMs;
      }
      try {
        await counter.consume(key);
        return WITHIN;
      } catch {
        return { is: 'beyond', retryAfterMs: endsAt - now };
      }
    },
  };
}

function inStore(limiter: RateLimiter): Rate {
  return {
    async count(key, signal) {
      let count: Count = { is: 'failed', error: new Error('the store of the rate limit did not answer') };
      const counting = (async () => limiter.consume(key))().then(
        () => {
          count = WITHIN;
        },
        (rejection: unknown) => {
          count = judge(rejection);
        },
      );
      await wait(STORE_TIMEOUT_MS, signal, counting);
      return count;
    },
  };
}

/** Makes a rate limit; undefined where there is none. */
export function toRate(choice: RateLimitChoice): Rate | undefined {
  if (choice === false) return undefined;
  return 'consume' in choice ? inStore(choice) : inMemory(choice);
}

/** Counts a call; the failure that answers it when it may not go on. */
export async function refusalOf(
  rate: Rate,
  key: string,
  who: string,
  call: CallState,
  logger: Logger,
): Promise<Failure | undefined> {
  const count = await rate.count(key, call.context.signal);
  if (count.is === 'within') return undefined;
  if (count.is === 'beyond') {
    const { retryAfterMs } = count;
    const seconds = Math.ceil(retryAfterMs / 1_000);
    const message = `Too many calls ${who}. Wait ${seconds} s before calling again.`;
    return failure('rate_limited', message, { retryable: true, retryAfterMs });
  }
  logger.warn({ error: toLogged(count.error) }, 'a rate limit could not be counted');
  const message = 'Calls cannot be counted for now. Try again later.';
  return failure('unavailable', message, { retryable: true, retryAfterMs: STORE_TIMEOUT_MS });
}
