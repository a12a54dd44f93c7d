/**
 * A downstream service that fails by plan, and the calls that still reach it.
 * Invariant: the clock is a fake one; the bounds are those that docs/limits.md states.
 */
import fc from 'fast-check';
import type { JsonValue, ToolContext, ToolResult } from 'toolcrib';
import { codeOf, limitedToolkit } from '../../fixtures/limited-toolkit';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

type Weather = 'good' | '429' | '503' | 'slow' | 'reset';
interface Phase {
  readonly weather: Weather;
  readonly ms: number;
}
interface Arrival {
  readonly tool: string;
  readonly callId: string;
  readonly at: number;
}

const OUTAGES: readonly Weather[] = ['503', 'slow', 'reset'];
const FAILURE_THRESHOLD = 5;
const RESET_AFTER_MS = 2_000;
const MAX_CONCURRENT = 4;
const MAX_ATTEMPTS = 3;
const TOOLS = ['parcels.track', 'parcels.book'] as const;

/** A service that answers as its plan says for the time, in the words of HTTP clients, and keeps who came when. */
function serviceOf(plan: readonly Phase[]) {
  const start = Date.now();
  const arrivals: Arrival[] = [];
  const weatherAt = (at: number): Weather => {
    let end = 0;
    for (const { weather, ms } of plan) {
      end += ms;
      if (at < end) return weather;
    }
    return 'good';
  };
  const answer = (tool: string) => (context: ToolContext) => {
    const at = Date.now() - start;
    arrivals.push({ tool, callId: context.callId, at });
    const weather = weatherAt(at);
    if (weather === 'slow') return new Promise((resolve) => setTimeout(resolve, 3_000, 'late'));
    if (weather === '429') throw { status: 429, headers: { 'retry-after': '1' } };
    if (weather === '503') throw { status: 503, headers: { 'retry-after': '0' } };
    if (weather === 'reset') throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    return 'done';
  };
  return { arrivals, answer };
}

/** Calls both tools every 100 ms while the plan lasts, and 10 s longer. */
async function runThrough(plan: readonly Phase[]) {
  const { arrivals, answer } = serviceOf(plan);
  const changes: { readonly state: string; readonly at: number }[] = [];
  const start = Date.now();
  const noted = (state: string) => (fields: object) => {
    if ('breaker' in fields) changes.push({ state, at: Date.now() - start });
  };
  const nothing = () => {};
  const { call } = await limitedToolkit(
    {
      'parcels.track': { run: answer('parcels.track'), timeoutMs: 2_000 },
      'parcels.book': { run: answer('parcels.book'), timeoutMs: 2_000, kind: 'write' },
    },
    {
      concurrency: { maxConcurrent: MAX_CONCURRENT, maxQueued: 100 },
      circuitBreaker: {
        failureThreshold: FAILURE_THRESHOLD,
        resetAfterMs: RESET_AFTER_MS,
        downstreams: { carrier: TOOLS },
      },
      retry: { maxAttempts: MAX_ATTEMPTS },
      logger: { debug: nothing, info: noted('closed'), warn: noted('open'), error: nothing },
    },
  );
  const lasts = plan.reduce((sum, { ms }) => sum + ms, 0) + 10_000;
  const answers: Promise<ToolResult<JsonValue>>[] = [];
  for (let at = 0; at < lasts; at += 100) {
    for (const tool of TOOLS) answers.push(call(tool, { callId: `${tool} ${at}` }));
    await jest.advanceTimersByTimeAsync(100);
  }
  await jest.advanceTimersByTimeAsync(10_000);
  const results = await Promise.all(answers);
  return { arrivals, changes, results, timers: jest.getTimerCount() };
}

/** The most times that one call of a tool arrived. */
function mostOf(arrivals: readonly Arrival[], tool: string): number {
  const counts = new Map<string, number>();
  for (const { callId } of arrivals.filter((one) => one.tool === tool)) {
    counts.set(callId, (counts.get(callId) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

/** The outages of a plan, from when to when; those that follow each other are one. */
function outagesOf(plan: readonly Phase[]): { from: number; to: number }[] {
  const outages: { from: number; to: number }[] = [];
  let at = 0;
  for (const { weather, ms } of plan) {
    const last = outages.at(-1);
    if (OUTAGES.includes(weather)) {
      if (last?.to === at) last.to = at + ms;
      else outages.push({ from: at, to: at + ms });
    }
    at += ms;
  }
  return outages;
}

function expectBounds(plan: readonly Phase[], arrivals: readonly Arrival[]): void {
  expect(mostOf(arrivals, 'parcels.book')).toBeLessThanOrEqual(1);
  expect(mostOf(arrivals, 'parcels.track')).toBeLessThanOrEqual(MAX_ATTEMPTS);
  for (const { from, to } of outagesOf(plan)) {
    const during = arrivals.filter(({ at }) => at >= from && at < to).length;
    const places = TOOLS.length * MAX_CONCURRENT;
    const trials = Math.ceil((to - from) / RESET_AFTER_MS);
    expect(during).toBeLessThanOrEqual(FAILURE_THRESHOLD + places - 1 + trials);
  }
}

it('an outage opens the breaker, one trial every reset finds out, and the first good one closes it', async () => {
  const plan: Phase[] = [
    { weather: 'good', ms: 1_000 },
    { weather: '503', ms: 7_000 },
  ];
  jest.spyOn(Math, 'random').mockReturnValue(0);
  const { arrivals, changes, results } = await runThrough(plan);
  expectBounds(plan, arrivals);
  const [opened = { at: Number.NaN }] = changes;
  expect(opened.at).toBeGreaterThanOrEqual(1_000);
  expect(opened.at).toBeLessThan(1_500);
  expect(changes.map(({ state }) => state)).toEqual(['open', 'open', 'open', 'open', 'closed']);
  const trials = changes.slice(1).map(({ at }) => at);
  for (const [index, at] of trials.entries()) {
    const before = changes[index]?.at ?? Number.NaN;
    expect(at - before).toBeGreaterThanOrEqual(RESET_AFTER_MS);
    expect(at - before).toBeLessThanOrEqual(RESET_AFTER_MS + 100);
  }
  expect(arrivals.filter(({ at }) => at > opened.at && at < 8_000).map(({ at }) => at)).toEqual(
    trials.slice(0, -1),
  );
  // All that were refused have heard when to return, and all later calls were served.
  const refused = results.filter((result) => codeOf(result) === 'unavailable');
  expect(refused.length).toBeGreaterThan(100);
  expect(refused.every((result) => !result.success && result.error.retryAfterMs !== undefined)).toBe(true);
  expect(results.slice(-100).every(({ success }) => success)).toBe(true);
  jest.restoreAllMocks();
});

it('bursts of 429 open nothing, are waited for as long as they ask, and writes are not repeated', async () => {
  const plan: Phase[] = [
    { weather: '429', ms: 200 },
    { weather: 'good', ms: 500 },
    { weather: '429', ms: 200 },
  ];
  const { arrivals, changes, results } = await runThrough(plan);
  expect(changes).toEqual([]);
  expectBounds(plan, arrivals);
  const first = arrivals.filter(({ callId }) => callId === 'parcels.track 0').map(({ at }) => at);
  expect(first).toHaveLength(2);
  expect((first[1] ?? 0) - (first[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
  const failed = results.filter(({ success }) => !success);
  expect(failed.map(codeOf)).toEqual(Array.from({ length: 4 }, () => 'rate_limited'));
});

it.each(['slow', 'reset'] as const)('a service that is only %s opens the breaker', async (weather) => {
  const plan: Phase[] = [{ weather, ms: 8_000 }];
  const { arrivals, changes, results } = await runThrough(plan);
  expectBounds(plan, arrivals);
  expect(changes[0]?.state).toBe('open');
  expect(changes.at(-1)?.state).toBe('closed');
  expect(results.map(codeOf)).toContain('outcome_unknown');
});

it('holds its bounds under any plan, answers every call, and leaves no timer', async () => {
  const phase = fc.record({
    weather: fc.constantFrom<Weather>('good', '429', '503', 'slow', 'reset'),
    ms: fc.integer({ min: 1, max: 60 }).map((tenths) => tenths * 100),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(phase, { minLength: 1, maxLength: 6 }), async (plan) => {
      const { arrivals, results, timers } = await runThrough(plan);
      expectBounds(plan, arrivals);
      expect(timers).toBe(0);
      expect(results.slice(-2).every(({ success }) => success)).toBe(true);
    }),
    { numRuns: 60 },
  );
}, 60_000);
