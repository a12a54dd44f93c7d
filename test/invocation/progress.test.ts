/**
 * What a listener hears of a handler's progress.
 * Invariant: progress never fails a call, strictly increases, comes at a bounded rate and ends with the call.
 */
import * as fc from 'fast-check';
import type { ProgressUpdate, ToolContext } from 'toolcrib';
import { anyValue } from '../fixtures/any-value';
import { forAllAwaited } from '../fixtures/for-all';
import { type RecordedOptions, toolkitRunning } from '../fixtures/recorded-toolkit';
import { watchProcess } from '../torture/host';

/** Tells whatever a handler without types may tell. */
function tell({ progress }: ToolContext, ...updates: readonly unknown[]): void {
  for (const update of updates) Reflect.apply(progress, undefined, [update]);
}

/** What is heard of a handler's updates, and how its call ends. */
async function heardOf(updates: readonly unknown[], options?: RecordedOptions) {
  const heard: ProgressUpdate[] = [];
  const { run, log } = await toolkitRunning((_input, context) => tell(context, ...updates), options);
  const result = await run({}, { onProgress: (update) => heard.push(update) });
  return { heard, result, log };
}

const DONE = { success: true, result: null };

it('strictly increases, whatever a handler tells', async () => {
  const update = fc.record(
    { progress: fc.oneof(fc.double(), fc.integer()), total: fc.option(fc.double()), message: fc.string() },
    { requiredKeys: ['progress'] },
  );
  const updates = fc.array(fc.oneof(update, fc.record({ progress: anyValue }), anyValue));
  await forAllAwaited(updates, async (given) => {
    const { heard, result } = await heardOf(given);
    expect(result).toEqual(DONE);
    for (const [index, { progress, total = 0, message = '', ...others }] of heard.entries()) {
      expect(progress).toBeGreaterThan(heard[index - 1]?.progress ?? Number.NEGATIVE_INFINITY);
      expect([Number.isFinite(progress), Number.isFinite(total), typeof message]).toEqual([
        true,
        true,
        'string',
      ]);
      expect(others).toEqual({});
    }
  });
});

it('leaves out what is no update, and says so once, to developers', async () => {
  const no = () => {
    throw new Error('hostile');
  };
  const { heard, log } = await heardOf([
    { progress: 1 },
    { progress: 1 },
    { progress: 0.5 },
    { progress: '2' },
    { progress: Number.POSITIVE_INFINITY },
    { progress: 2, total: Number.NaN },
    { progress: 2, total: '3' },
    { progress: 2, message: 7 },
    undefined,
    7,
    new Proxy({}, { get: no }),
    Object.defineProperty({}, 'progress', { get: no }),
    { progress: 2, total: 3, message: 'two', other: 1 },
  ]);
  expect(heard).toEqual([{ progress: 1 }, { progress: 2, total: 3, message: 'two' }]);
  expect(log.map(({ level }) => level)).toEqual(['debug']);
});

it('is scrubbed, cleaned of what nobody sees, and cut after that', async () => {
  const secret = 'postgres://app:hunter2-and-more@db/x';
  const { heard } = await heardOf([
    { progress: 1, message: `at ${secret}` },
    { progress: 2, message: 'a\u202eb\u0000c' },
    { progress: 3, message: `${'x'.repeat(480)} ${secret}` },
    { progress: 4, message: 'y'.repeat(2_000) },
    { progress: 5, message: `${'z'.repeat(499)}${'😀'.repeat(9)}` },
  ]);
  expect(JSON.stringify(heard)).not.toContain('hunter2');
  expect(heard[1]).toEqual({ progress: 2, message: 'abc' });
  expect(heard[4]).toEqual({ progress: 5, message: `${'z'.repeat(499)}…` });
  expect(heard.every(({ message = '' }) => message.length <= 501)).toBe(true);
});

it('is frozen, and is the same whatever a handler does to its update', async () => {
  const update = { progress: 1, message: 'one' };
  const { heard } = await heardOf([update]);
  update.message = 'two';
  expect(heard).toEqual([{ progress: 1, message: 'one' }]);
  expect(heard.every((one) => Object.isFrozen(one))).toBe(true);
});

describe('the rate', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  it('is a burst of 32, and then ten a second, whatever a handler tells and however the clock is set', async () => {
    const heard: number[] = [];
    const counts: number[] = [];
    let told = 0;
    const { run } = await toolkitRunning((_input, { progress }) => {
      for (const wait of [0, 99, 1, 1_000, 1_000_000, -3_600_000, 1_000]) {
        jest.setSystemTime(Date.now() + wait);
        const before = heard.length;
        for (let count = 0; count < 50_000; count += 1) {
          told += 1;
          progress({ progress: told, message: 'step' });
        }
        counts.push(heard.length - before);
      }
    });
    expect(await run({}, { onProgress: ({ progress }) => heard.push(progress) })).toEqual(DONE);
    expect(counts).toEqual([32, 0, 1, 10, 32, 0, 10]);
  });
});

describe('a listener', () => {
  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('deaf');
      },
    ],
    ['rejects', () => Promise.reject(new Error('deaf'))],
    ['rejects with nothing', () => Promise.reject()],
    ['never settles', () => new Promise(() => {})],
  ])('that %s changes nothing', async (_, onProgress) => {
    const watch = watchProcess();
    const heard: unknown[] = [];
    const { run } = await toolkitRunning((_input, context) =>
      tell(context, { progress: 1 }, { progress: 2 }),
    );
    const listener = (update: unknown) => {
      heard.push(update);
      return onProgress();
    };
    expect(await run({}, { onProgress: listener })).toEqual(DONE);
    await new Promise(setImmediate);
    watch.stop();
    expect(heard).toEqual([{ progress: 1 }, { progress: 2 }]);
    expect(watch.seen).toEqual([]);
  });
});

describe('after the end of a call', () => {
  async function heardAfter(options: { timeoutMs?: number; signal?: AbortSignal }, isStuck: boolean) {
    const heard: number[] = [];
    const contexts: ToolContext[] = [];
    const { run } = await toolkitRunning((_input, context) => {
      contexts.push(context);
      context.progress({ progress: 1 });
      return isStuck ? new Promise((resolve) => context.signal.addEventListener('abort', resolve)) : null;
    });
    await run({}, { ...options, onProgress: ({ progress }) => heard.push(progress) });
    for (const { progress } of contexts) progress({ progress: 2 });
    return heard;
  }

  it.each<[string, () => { timeoutMs?: number; signal?: AbortSignal }, boolean]>([
    ['done', () => ({}), false],
    ['out of time', () => ({ timeoutMs: 5 }), true],
    ['cancelled', () => ({ signal: AbortSignal.timeout(5) }), true],
  ])('that is %s nothing is heard', async (_, options, isStuck) => {
    expect(await heardAfter(options(), isStuck)).toEqual([1]);
  });
});
