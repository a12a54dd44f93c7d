/**
 * Deadlines: which one applies, what the handler and the caller are told, and what is left behind.
 * Invariant: the clock here is a fake one, so every test says at which millisecond a thing happens.
 */
import type { InvokeOptions, JsonValue, SideEffectKind, ToolResult } from 'toolcrib';
import { type RecordedOptions, toolkitRunning } from '../fixtures/recorded-toolkit';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

type Settle = (value: unknown) => void;

const forever = () => new Promise<never>(() => {});

/** A call that has begun, and its answer once there is one. */
async function begin(
  handler: Parameters<typeof toolkitRunning>[0],
  recorded: RecordedOptions = {},
  options: InvokeOptions = {},
): Promise<{ readonly answers: readonly ToolResult<JsonValue>[] }> {
  const answers: ToolResult<JsonValue>[] = [];
  const { run } = await toolkitRunning(handler, recorded);
  run({}, options).then(
    (result) => answers.push(result),
    () => {},
  );
  await jest.advanceTimersByTimeAsync(0);
  return { answers };
}

describe('the deadline that applies', () => {
  it.each([
    ["the tool's", 50, { tool: { timeoutMs: 50 } }, {}],
    ["the tool's before the toolkit's", 50, { tool: { timeoutMs: 50 }, timeoutMs: 20 }, {}],
    ["the toolkit's", 20, { timeoutMs: 20 }, {}],
    ["the call's where it is shorter", 10, { tool: { timeoutMs: 50 } }, { timeoutMs: 10 }],
    ["the tool's where the call's is longer", 50, { tool: { timeoutMs: 50 } }, { timeoutMs: 60 }],
    ["the toolkit's where the call's is longer", 20, { timeoutMs: 20 }, { timeoutMs: 60 }],
    ['30 seconds where nobody states one', 30_000, {}, {}],
  ] as const)('is %s: %i ms', async (_case, expected, recorded, options) => {
    const { answers } = await begin(forever, recorded, options);
    await jest.advanceTimersByTimeAsync(expected - 1);
    expect(answers).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(answers).toMatchObject([{ success: false, error: { code: 'timeout' } }]);
  });

  it('may be longer than what a timer of Node can carry', async () => {
    const { answers } = await begin(forever, { tool: { timeoutMs: 2 ** 40 } });
    await jest.advanceTimersByTimeAsync(2 ** 31 - 2);
    expect(answers).toEqual([]);
  });

  const aSecond = () => new Promise((resolve) => setTimeout(resolve, 1_000));

  it.each([-3_600_000, 3_600_000])('holds in the queue where the clock is set by %i ms', async (by) => {
    const { run } = await toolkitRunning(forever, {
      tool: { timeoutMs: 50 },
      concurrency: { maxConcurrent: 1 },
    });
    const times: number[] = [];
    const start = performance.now();
    for (const timeoutMs of [20, 50])
      void run({}, { timeoutMs }).then(() => times.push(performance.now() - start));
    await jest.advanceTimersByTimeAsync(10);
    jest.setSystemTime(Date.now() + by);
    await jest.advanceTimersByTimeAsync(60);
    expect(times.map(Math.round)).toEqual([20, 50]);
  });

  it('does not count the time of interceptors, before or after execute', async () => {
    const { answers } = await begin(() => 'done', {
      tool: { timeoutMs: 50 },
      interceptors: [
        {
          stage: 'approve',
          run: async (_call, next) => {
            await aSecond();
            const result = await next();
            await aSecond();
            return result;
          },
        },
      ],
    });
    await jest.advanceTimersByTimeAsync(2_000);
    expect(answers).toEqual([{ success: true, result: 'done' }]);
  });
});

describe('a call that is out of time', () => {
  it.each<[SideEffectKind, string, boolean]>([
    ['none', 'timeout', true],
    ['write', 'outcome_unknown', false],
    ['destructive', 'outcome_unknown', false],
  ])('of a tool with side effect %s is %s, retryable: %s', async (kind, code, retryable) => {
    const { answers } = await begin(forever, { kind, tool: { timeoutMs: 50 } });
    await jest.advanceTimersByTimeAsync(50);
    expect(answers).toMatchObject([{ success: false, error: { code, retryable } }]);
  });

  it('tells the handler by the signal, with a reason', async () => {
    const signals: AbortSignal[] = [];
    await begin(
      (_input, { signal }) => {
        signals.push(signal);
        return forever();
      },
      { tool: { timeoutMs: 50 } },
    );
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await jest.advanceTimersByTimeAsync(50);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(signals[0]?.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('is out of time also where the handler throws the reason of the signal', async () => {
    const { answers } = await begin(
      (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
      { tool: { timeoutMs: 50 } },
    );
    await jest.advanceTimersByTimeAsync(50);
    expect(answers).toMatchObject([{ success: false, error: { code: 'timeout', retryable: true } }]);
  });

  it.each([
    ['resolves', (resolve: Settle) => resolve('late')],
    ['rejects', (_resolve: Settle, reject: Settle) => reject(new Error('late'))],
    ['rejects with undefined', (_resolve: Settle, reject: Settle) => reject(undefined)],
  ] as const)('stays so when the handler %s later', async (_case, settle) => {
    const { answers } = await begin(
      () => new Promise((resolve, reject) => setTimeout(() => settle(resolve, reject), 60)),
      { tool: { timeoutMs: 50 } },
    );
    await jest.advanceTimersByTimeAsync(50);
    const [first] = answers;
    expect(first).toMatchObject({ success: false, error: { code: 'timeout' } });
    await jest.advanceTimersByTimeAsync(10);
    expect(answers).toEqual([first]);
  });

  it('logs nothing of what a handler throws later', async () => {
    const { run, log } = await toolkitRunning(
      () => new Promise((_resolve, reject) => setTimeout(() => reject(new Error('Bearer t0k-EXAMPLE')), 60)),
      { tool: { timeoutMs: 50 } },
    );
    const answer = run();
    await jest.advanceTimersByTimeAsync(60);
    expect(await answer).toMatchObject({ success: false, error: { code: 'timeout' } });
    expect(JSON.stringify(log)).not.toContain('t0k-EXAMPLE');
  });
});

describe('what is left behind', () => {
  it.each([
    ['an answer', (): unknown => 'done'],
    ['a throw', (): unknown => Promise.reject(new Error('no'))],
    ['an output that is no JSON', (): unknown => 1n],
  ] as const)('is no timer after %s', async (_case, handler) => {
    const { answers } = await begin(handler);
    expect(answers).toHaveLength(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is one timer while a handler runs, and none after the deadline', async () => {
    await begin(forever, { tool: { timeoutMs: 50 } });
    expect(jest.getTimerCount()).toBe(1);
    await jest.advanceTimersByTimeAsync(50);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is no timer after a deadline that an interceptor has outlived by less than its grace', async () => {
    const { answers } = await begin(forever, {
      tool: { timeoutMs: 50 },
      interceptors: [
        {
          stage: 'claim',
          run: async (_call, next) => {
            const result = await next();
            await new Promise((resolve) => setTimeout(resolve, 10));
            return result;
          },
        },
      ],
    });
    await jest.advanceTimersByTimeAsync(50);
    expect([answers, jest.getTimerCount()]).toEqual([[], 2]);
    await jest.advanceTimersByTimeAsync(10);
    expect(answers).toHaveLength(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is no timer after a cancellation', async () => {
    const controller = new AbortController();
    const { answers } = await begin(forever, {}, { signal: controller.signal });
    controller.abort();
    await jest.advanceTimersByTimeAsync(0);
    expect(answers).toHaveLength(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is no timer where an interceptor has called next twice', async () => {
    const { answers } = await begin(() => 'done', {
      interceptors: [
        {
          stage: 'execute',
          run: async (_call, next) => {
            await next();
            return next();
          },
        },
      ],
    });
    expect(answers).toHaveLength(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is no timer where an interceptor answers before the rest of the way gets to the handler', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { answers } = await begin(forever, {
      interceptors: [
        {
          stage: 'approve',
          run: (_call, next) => {
            void next();
            return Promise.resolve({ success: true, result: 'sooner' });
          },
        },
        {
          stage: 'claim',
          run: async (_call, next) => {
            await held;
            return next();
          },
        },
      ],
    });
    expect(answers).toEqual([{ success: true, result: 'sooner' }]);
    release();
    await jest.advanceTimersByTimeAsync(0);
    expect(jest.getTimerCount()).toBe(0);
  });
});
