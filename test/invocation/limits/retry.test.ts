/**
 * Retries: which calls are tried again, how often, after which pauses, and what is left behind.
 * Invariant: the clock is a fake one, and chance is what a test says.
 */
import { getEventListeners } from 'node:events';
import type { InvokeOptions, SideEffectKind, ToolContext } from 'toolcrib';
import { codeOf, failing, type LimitedTool, limitedToolkit } from '../../fixtures/limited-toolkit';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const BUSY = failing('busy', true);

/** Calls a tool once; the times at which its handler began, counted from the call, and the code of the answer. */
async function attemptsOf(
  answers: readonly unknown[],
  tool: Partial<LimitedTool> = {},
  retry: object | false | undefined = undefined,
  options: InvokeOptions = {},
) {
  const times: number[] = [];
  const start = Date.now();
  const run = () => {
    times.push(Date.now() - start);
    return answers[Math.min(times.length, answers.length) - 1];
  };
  const { call, notes } = await limitedToolkit(
    { 'a.one': { run, ...tool } },
    { ...(retry === undefined ? {} : { retry }) },
  );
  const answer = call('a.one', options);
  await jest.advanceTimersByTimeAsync(25_000);
  const result = await answer;
  expect(jest.getTimerCount()).toBe(0);
  return { times, result, code: codeOf(result), note: notes[0]?.attempt };
}

function chanceIs(chance: number): void {
  jest.spyOn(Math, 'random').mockReturnValue(chance);
}

describe('a retryable failure', () => {
  it('is tried again until it succeeds, and the attempt is noted', async () => {
    expect(await attemptsOf([BUSY, BUSY, 'done'])).toMatchObject({
      result: { success: true, result: 'done' },
      note: 3,
    });
  });

  it('is answered as it stands after the last attempt', async () => {
    const { times, code, note } = await attemptsOf([BUSY]);
    expect([times.length, code, note]).toEqual([3, 'busy', 3]);
  });

  it.each<[SideEffectKind, boolean, number]>([
    ['none', false, 3],
    ['write', true, 3],
    ['destructive', true, 3],
    ['write', false, 1],
    ['destructive', false, 1],
  ])('of a tool with side effect %s, idempotent: %s, makes %i attempts', async (kind, idempotent, count) => {
    expect((await attemptsOf([BUSY], { kind, idempotent })).times).toHaveLength(count);
  });

  it('is never one that is not: such are answered at once', async () => {
    for (const code of ['unavailable', 'outcome_unknown', 'order_not_found']) {
      expect((await attemptsOf([failing(code, false)])).times).toHaveLength(1);
    }
  });

  it.each<[object | false, number]>([
    [{ maxAttempts: 5 }, 5],
    [{ maxAttempts: 1 }, 1],
    [false, 1],
    [{ tools: { 'a.one': false } }, 1],
    [{ maxAttempts: 1, tools: { 'a.one': { maxAttempts: 2 } } }, 2],
  ])('with %j makes %i attempts', async (retry, count) => {
    expect((await attemptsOf([BUSY], {}, retry)).times).toHaveLength(count);
  });
});

describe('the pause before an attempt', () => {
  it.each([
    [0.25, [0, 50, 150, 350]],
    [0.5, [0, 100, 300, 700]],
    [0.999, [0, 200, 600, 1_400]],
  ])('is, at a chance of %d, that part of a bound that doubles', async (chance, expected) => {
    chanceIs(chance);
    expect((await attemptsOf([BUSY], {}, { maxAttempts: 4 })).times).toEqual(expected);
  });

  it('has a highest bound', async () => {
    chanceIs(0.5);
    const { times } = await attemptsOf([BUSY], {}, { maxAttempts: 4, baseDelayMs: 1_000, maxDelayMs: 1_500 });
    expect(times).toEqual([0, 500, 1_250, 2_000]);
  });

  it('is never shorter than the failure asks for', async () => {
    chanceIs(0.5);
    const { times } = await attemptsOf([failing('rate_limited', true, 2_000), 'done']);
    expect(times).toEqual([0, 2_100]);
  });

  it('is not made where the failure asks for more than the highest bound', async () => {
    const { times, result } = await attemptsOf([failing('rate_limited', true, 5_001), 'done']);
    expect(times).toEqual([0]);
    expect(result).toMatchObject({ error: { code: 'rate_limited', retryAfterMs: 5_001 } });
  });

  it('is not made where it would not end before the deadline', async () => {
    chanceIs(0.5);
    expect(await attemptsOf([failing('busy', true, 900), 'done'], { timeoutMs: 1_000 })).toMatchObject({
      times: [0],
      code: 'busy',
    });
    expect(await attemptsOf([failing('busy', true, 899), 'done'], { timeoutMs: 1_000 })).toMatchObject({
      times: [0, 999],
      code: undefined,
    });
  });

  it('ends at once when the call is cancelled', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 500);
    const { times, code, note } = await attemptsOf([failing('busy', true, 4_000), 'done'], {}, undefined, {
      signal: controller.signal,
    });
    expect([times, code, note]).toEqual([[0], 'cancelled', 1]);
  });
});

it('has one deadline for all attempts', async () => {
  chanceIs(0);
  const late = () => new Promise((resolve) => setTimeout(resolve, 600, BUSY));
  const times: number[] = [];
  const { call } = await limitedToolkit({
    'a.one': {
      timeoutMs: 1_000,
      run: () => {
        times.push(Date.now());
        return late();
      },
    },
  });
  const start = Date.now();
  const ended = call('a.one').then((result) => [codeOf(result), Date.now() - start]);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(await ended).toEqual(['timeout', 1_000]);
  expect(times).toHaveLength(2);
  expect(jest.getTimerCount()).toBe(0);
});

it('leaves no listener on the signal of the call', async () => {
  const listeners: number[] = [];
  const run = ({ signal }: ToolContext) => {
    listeners.push(getEventListeners(signal, 'abort').length);
    return listeners.length < 3 ? BUSY : 'done';
  };
  const { call } = await limitedToolkit({ 'a.one': { run } });
  const answer = call('a.one');
  await jest.advanceTimersByTimeAsync(10_000);
  await answer;
  const [first] = listeners;
  expect(listeners).toEqual([first, first, first]);
});

it('stops where the breaker opens', async () => {
  const run = jest.fn(() => failing('unavailable', true));
  const { call } = await limitedToolkit(
    { 'a.one': { run } },
    { circuitBreaker: { failureThreshold: 2, resetAfterMs: 100 }, retry: { maxAttempts: 9 } },
  );
  const answer = call('a.one');
  await jest.advanceTimersByTimeAsync(10_000);
  expect(codeOf(await answer)).toBe('unavailable');
  expect(run).toHaveBeenCalledTimes(2);
});
