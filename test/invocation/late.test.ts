/**
 * Handlers that end after their calls were answered.
 * Invariant: the clock here is a fake one; what such a handler does is told once and changes nothing.
 */
import type { InvokeOptions, JsonValue, ToolResult } from 'toolcrib';
import { type LogEntry, type RecordedOptions, toolkitRunning } from '../fixtures/recorded-toolkit';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

type Settle = (value: unknown) => void;

/** A call whose handler a test settles by hand. */
async function begin(recorded: RecordedOptions = {}, options: InvokeOptions = {}) {
  const answers: ToolResult<JsonValue>[] = [];
  const settle: { resolve: Settle; reject: Settle } = { resolve: () => {}, reject: () => {} };
  const { run, log, toolkit } = await toolkitRunning(
    () =>
      new Promise((resolve, reject) => {
        Object.assign(settle, { resolve, reject });
      }),
    { tool: { timeoutMs: 50 }, ...recorded },
  );
  run({}, { callId: 'call-1', ...options }).then(
    (result) => answers.push(result),
    () => {},
  );
  await jest.advanceTimersByTimeAsync(0);
  return { answers, settle, log, toolkit };
}

function lateIn(log: readonly LogEntry[]): readonly LogEntry[] {
  return log.filter(({ fields }) => 'late' in fields);
}

/** Lets every promise that is ready go on. */
const turn = () => jest.advanceTimersByTimeAsync(0);

it.each([
  ['answers', 'answered', ({ resolve }: { resolve: Settle }) => resolve('Bearer t0k-EXAMPLE')],
  ['throws', 'threw', ({ reject }: { reject: Settle }) => reject(new Error('Bearer t0k-EXAMPLE'))],
  ['throws nothing', 'threw', ({ reject }: { reject: Settle }) => reject(undefined)],
] as const)(
  'one that %s after the deadline is told once, with the id of the call',
  async (_case, late, end) => {
    const { answers, settle, log } = await begin({ kind: 'write' });
    await jest.advanceTimersByTimeAsync(50);
    const [answer] = answers;
    expect(answer).toMatchObject({ success: false, error: { code: 'outcome_unknown' } });
    expect(lateIn(log)).toEqual([]);
    end(settle);
    end(settle);
    await turn();
    expect(lateIn(log)).toMatchObject([
      { level: 'warn', fields: { tool: 'test.run@1.0.0', callId: 'call-1', late } },
    ]);
    expect(JSON.stringify(log)).not.toContain('t0k-EXAMPLE');
    expect(answers).toEqual([answer]);
  },
);

it('one that ends after a cancellation is told too', async () => {
  const controller = new AbortController();
  const { answers, settle, log } = await begin({}, { signal: controller.signal });
  controller.abort();
  await turn();
  expect(answers).toMatchObject([{ success: false, error: { code: 'cancelled' } }]);
  settle.resolve('late');
  await turn();
  expect(lateIn(log)).toMatchObject([{ level: 'warn', fields: { callId: 'call-1', late: 'answered' } }]);
});

it('one that is cancelled before it gives its promise back is told too', async () => {
  const controller = new AbortController();
  let resolve: Settle = () => {};
  const { run, log } = await toolkitRunning(() => {
    controller.abort();
    return new Promise((one) => {
      resolve = one;
    });
  });
  expect(await run({}, { signal: controller.signal })).toMatchObject({ error: { code: 'cancelled' } });
  resolve('late');
  await turn();
  expect(lateIn(log)).toHaveLength(1);
});

it('one that ends as it was told, by the reason of the signal, is nothing to tell', async () => {
  for (const wrap of [(reason: unknown) => reason, (cause: unknown) => new Error('aborted', { cause })]) {
    const { run, log } = await toolkitRunning(
      (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(wrap(signal.reason)));
        }),
      { tool: { timeoutMs: 50 } },
    );
    const answer = run();
    await jest.advanceTimersByTimeAsync(50);
    expect(await answer).toMatchObject({ success: false, error: { code: 'timeout' } });
    expect(lateIn(log)).toEqual([]);
  }
});

it('one that throws what cannot be looked at does no harm', async () => {
  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error('get');
      },
    },
  );
  const { settle, log } = await begin();
  await jest.advanceTimersByTimeAsync(50);
  settle.reject(hostile);
  await turn();
  expect(lateIn(log)).toHaveLength(1);
});

describe('close', () => {
  async function closing(toolkit: { close(): Promise<void> }) {
    const state = { closed: false };
    void toolkit.close().then(() => {
      state.closed = true;
    });
    await turn();
    return state;
  }

  it('waits for handlers that are out of time', async () => {
    const { settle, toolkit, log } = await begin();
    await jest.advanceTimersByTimeAsync(50);
    const state = await closing(toolkit);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(state.closed).toBe(false);
    settle.resolve('late');
    await turn();
    expect(state.closed).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
    expect(log.filter(({ fields }) => 'handlers' in fields)).toEqual([]);
  });

  it('waits two seconds at most, and says how many it has left', async () => {
    const { toolkit, log } = await begin();
    await jest.advanceTimersByTimeAsync(50);
    const state = await closing(toolkit);
    await jest.advanceTimersByTimeAsync(1_999);
    expect(state.closed).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(state.closed).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
    expect(log).toContainEqual({ level: 'warn', fields: { handlers: 1 } });
  });

  it('waits for nothing where every handler has ended', async () => {
    const { settle, toolkit } = await begin();
    await jest.advanceTimersByTimeAsync(50);
    settle.resolve('late');
    await turn();
    expect(await closing(toolkit)).toEqual({ closed: true });
  });
});
