/**
 * What an application may say about limits, and the settings that come of it.
 * Invariant: every setting is sound once read; an option that would be ignored is a TypeError.
 */
import { refuseUnknownKeys } from '../../discovery/check-options';

/** So many calls in a window; calls beyond it are refused until the next window. */
export interface RateLimit {
  readonly limit: number;
  readonly windowMs: number;
}

/** A limiter of rate-limiter-flexible, with its own points, duration and store. */
export interface RateLimiter {
  consume(key: string): Promise<unknown>;
}

/** A limit in memory, a limiter with a store, or none. */
export type RateLimitChoice = RateLimit | RateLimiter | false;

/** How often tools may be called. */
export interface RateLimitOptions {
  /** All calls of one principal; calls without a principal count as one. Left out: 60,000 a minute. */
  readonly perPrincipal?: RateLimitChoice;
  /** All calls of one tool, whoever calls. Left out: 600,000 a minute. */
  readonly perTool?: RateLimitChoice;
  /** What holds for single tools instead of `perTool`, by name. */
  readonly tools?: Readonly<Record<string, RateLimitChoice>>;
}

/** How many calls of one tool run at once, and how many wait. */
export interface ConcurrencyLimit {
  /** Left out: 64. */
  readonly maxConcurrent?: number;
  /** Left out: 1,000. */
  readonly maxQueued?: number;
}

/** How many calls of each tool run at once, and how many wait. */
export interface ConcurrencyOptions extends ConcurrencyLimit {
  /** What holds for single tools, by name. */
  readonly tools?: Readonly<Record<string, ConcurrencyLimit | false>>;
}

/** When a breaker opens and how long it stays open. */
export interface CircuitBreakerLimit {
  /** It opens after so many outages in a row; left out: 5. */
  readonly failureThreshold?: number;
  /** After so long one call may try; left out: 30,000. */
  readonly resetAfterMs?: number;
}

/** When the breakers of tools open and how long they stay open. */
export interface CircuitBreakerOptions extends CircuitBreakerLimit {
  /** What holds for single tools, by name. */
  readonly tools?: Readonly<Record<string, CircuitBreakerLimit | false>>;
  /** Names of downstream services, each with the tools that share its one breaker. */
  readonly downstreams?: Readonly<Record<string, readonly string[]>>;
}

/** How often, and after which pauses, a call is tried. */
export interface RetryLimit {
  /** Left out: 3; the first attempt counts. */
  readonly maxAttempts?: number;
  /** Bound of the pause after the first attempt; it doubles with each further one. Left out: 200. */
  readonly baseDelayMs?: number;
  /** Bound of every pause; left out: 5,000. */
  readonly maxDelayMs?: number;
}

/** How often calls are tried that may be repeated. */
export interface RetryOptions extends RetryLimit {
  /** What holds for single tools, by name. */
  readonly tools?: Readonly<Record<string, RetryLimit | false>>;
}

/** The limits of a toolkit; `false` switches one off. */
export interface LimitOptions {
  /** How often tools may be called, by principal and by tool. */
  readonly rateLimit?: RateLimitOptions | false;
  /** How many calls of a tool run at once, and how many wait for that. */
  readonly concurrency?: ConcurrencyOptions | false;
  /** When calls of a tool are refused since its downstream service is out. */
  readonly circuitBreaker?: CircuitBreakerOptions | false;
  /** How often a failed call is tried again, where that can do no harm. */
  readonly retry?: RetryOptions | false;
}

/** What holds for one tool. */
interface ToolLimits {
  /** Undefined: as all tools that say nothing. */
  readonly rate: RateLimitChoice | undefined;
  readonly concurrency: Required<ConcurrencyLimit> | false;
  /** `name` is that of the downstream service, or the tool's. */
  readonly breaker: (Required<CircuitBreakerLimit> & { readonly name: string }) | false;
  readonly retry: Required<RetryLimit> | false;
}

/** The limits of a toolkit, read. */
export interface LimitSettings {
  readonly perPrincipal: RateLimitChoice;
  readonly perTool: RateLimitChoice;
  of(tool: string): ToolLimits;
}

/** What one caller may do unless an application says otherwise. */
export const PER_PRINCIPAL: RateLimit = { limit: 60_000, windowMs: 60_000 };
const PER_TOOL: RateLimit = { limit: 600_000, windowMs: 60_000 };
const CONCURRENCY: Required<ConcurrencyLimit> = { maxConcurrent: 64, maxQueued: 1_000 };
const BREAKER: Required<CircuitBreakerLimit> = { failureThreshold: 5, resetAfterMs: 30_000 };
const RETRY: Required<RetryLimit> = { maxAttempts: 3, baseDelayMs: 200, maxDelayMs: 5_000 };

type Numbers<Key extends string> = Readonly<Record<Key, number>>;
type Given<Key extends string> = { readonly [Name in Key]?: number };
type WithTools<Key extends string> = Given<Key> & {
  readonly tools?: Readonly<Record<string, Given<Key> | false>>;
};

function refuse(what: string, given: unknown, mend: string): never {
  throw new TypeError(`${what} is ${String(given)}; ${mend}.`);
}

function refuseNoObject(what: string, given: unknown): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    refuse(what, given, 'give an object of options, or false');
}

/** The numbers that an option may say, each with what holds where it says nothing. */
function toNumbers<Key extends string>(
  what: string,
  given: Given<NoInfer<Key>>,
  byDefault: Numbers<Key>,
  others: readonly string[] = [],
): Numbers<Key> {
  refuseNoObject(what, given);
  refuseUnknownKeys(what, given, [...Object.keys(byDefault), ...others]);
  const numbers: Record<Key, number> = { ...byDefault };
  for (const key in byDefault) {
    const value: unknown = given[key] === undefined ? byDefault[key] : given[key];
    const least = key === 'maxQueued' ? 0 : 1;
    // Node fires timers of more than 2³¹ − 1 ms at once.
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > 2 ** 31 - 1)
      refuse(`${what}.${key}`, value, `give an integer from ${least} to 2147483647, or leave it out`);
    numbers[key] = value;
  }
  return numbers;
}

/** Reads what holds for single tools, and refuses names that no tool has. */
function byTool<Choice extends object, Settings>(
  what: string,
  tools: Readonly<Record<string, Choice | false>> = {},
  names: ReadonlySet<string>,
  read: (what: string, choice: Choice) => Settings,
): ReadonlyMap<string, Settings | false> {
  refuseNoObject(what, tools);
  return new Map(
    Object.entries(tools).map(([name, choice]) => {
      if (!names.has(name)) refuse(what, `given for ${name}`, 'name tools that were discovered');
      return [name, choice === false ? false : read(`${what}.${name}`, choice)];
    }),
  );
}

/** Reads one rate limit. @throws TypeError that names `what` where it is not sound. */
export function toRateChoice(
  what: string,
  given: RateLimitChoice | undefined,
  byDefault: RateLimit,
): RateLimitChoice {
  if (given === undefined || given === false) return given ?? byDefault;
  refuseNoObject(what, given);
  if ('consume' in given && typeof given.consume === 'function') return given;
  if (!('limit' in given) || !('windowMs' in given))
    return refuse(what, given, 'give { limit, windowMs }, a limiter of rate-limiter-flexible, or false');
  return toNumbers(what, { ...given }, byDefault);
}

/** Reads one of the options that are numbers, with what holds for single tools. */
function toChoice<Key extends string>(
  what: string,
  option: WithTools<NoInfer<Key>> | false = {},
  byDefault: Numbers<Key>,
  names: ReadonlySet<string>,
  others: readonly string[] = [],
): (tool: string) => Numbers<Key> | false {
  if (option === false) return () => false;
  const all = toNumbers(what, option, byDefault, ['tools', ...others]);
  const single = byTool(`${what}.tools`, option.tools, names, (where, one) => toNumbers(where, one, all));
  return (tool) => single.get(tool) ?? all;
}

/** Which downstream service each of the named tools calls. */
function toDownstreams(
  { downstreams = {}, tools = {} }: CircuitBreakerOptions,
  names: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const what = 'createToolkit: circuitBreaker.downstreams';
  refuseNoObject(what, downstreams);
  const downstreamOf = new Map<string, string>();
  for (const [downstream, members] of Object.entries(downstreams)) {
    if (!Array.isArray(members)) refuse(`${what}.${downstream}`, members, 'give a list of names of tools');
    if (names.has(downstream))
      refuse(what, `given for ${downstream}`, 'a tool has that name, choose another');
    for (const tool of members) {
      if (!names.has(tool)) refuse(what, `given for ${tool}`, 'name tools that were discovered');
      if (downstreamOf.has(tool) || tool in tools)
        refuse(what, `not the only word on ${tool}`, 'name each tool once, here or in tools');
      downstreamOf.set(tool, downstream);
    }
  }
  return downstreamOf;
}

/**
 * Reads the limits of a toolkit.
 *
 * @throws TypeError when one is not sound, or names a tool that there is not.
 */
export function toLimitSettings(options: LimitOptions, names: ReadonlySet<string>): LimitSettings {
  const { circuitBreaker = {}, rateLimit = {} } = options;
  const rates = rateLimit === false ? { perPrincipal: false as const, perTool: false as const } : rateLimit;
  refuseNoObject('createToolkit: rateLimit', rates);
  refuseUnknownKeys('createToolkit: rateLimit', rates, ['perPrincipal', 'perTool', 'tools']);
  const single = byTool('createToolkit: rateLimit.tools', rates.tools, names, (what, one) =>
    toRateChoice(what, one, PER_TOOL),
  );
  const concurrency = toChoice('createToolkit: concurrency', options.concurrency, CONCURRENCY, names);
  const breaker = toChoice('createToolkit: circuitBreaker', circuitBreaker, BREAKER, names, ['downstreams']);
  const retry = toChoice('createToolkit: retry', options.retry, RETRY, names);
  const downstreams = toDownstreams(circuitBreaker === false ? {} : circuitBreaker, names);
  return {
    perPrincipal: toRateChoice('createToolkit: rateLimit.perPrincipal', rates.perPrincipal, PER_PRINCIPAL),
    perTool: toRateChoice('createToolkit: rateLimit.perTool', rates.perTool, PER_TOOL),
    of: (tool) => {
      const limit = breaker(tool);
      return {
        rate: single.get(tool),
        concurrency: concurrency(tool),
        breaker: limit === false ? false : { ...limit, name: downstreams.get(tool) ?? tool },
        retry: retry(tool),
      };
    },
  };
}
