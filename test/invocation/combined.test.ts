/**
 * What the parts of a call do for one another: mapped errors are tried again and open breakers, late handlers keep
 * their places, and what fails for good is refused the next time.
 * Invariant: the clock is a fake one, and every handler throws what a real service would make it throw.
 */
import type { JsonValue, ToolResult } from 'toolcrib';
import { codeOf } from '../fixtures/limited-toolkit';
import { toolkitRunning } from '../fixtures/recorded-toolkit';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

/** The answer of a call, however long it waits. */
async function settled(answer: Promise<ToolResult<JsonValue>>): Promise<ToolResult<JsonValue>> {
  await jest.advanceTimersByTimeAsync(60_000);
  return answer;
}

const down = () => Object.assign(new Error('down'), { status: 503 });

it('an error that is mapped to an outage is tried again where nothing was changed', async () => {
  for (const [kind, calls, code] of [
    ['none', 2, undefined],
    ['write', 1, 'outcome_unknown'],
  ] as const) {
    const handler = jest.fn().mockRejectedValueOnce(down()).mockResolvedValue('done');
    const { run } = await toolkitRunning(handler, { kind });
    expect(codeOf(await settled(run()))).toBe(code);
    expect(handler).toHaveBeenCalledTimes(calls);
  }
});

it('errors that are mapped to outages open the breaker', async () => {
  const handler = jest.fn(() => Promise.reject(down()));
  const { run } = await toolkitRunning(handler, { circuitBreaker: { failureThreshold: 2 }, retry: false });
  const codes = [];
  for (let call = 0; call < 4; call += 1) codes.push(codeOf(await run()));
  expect(codes).toEqual(Array(4).fill('unavailable'));
  expect(handler).toHaveBeenCalledTimes(2);
});

it('an author who says that it passes is asked at every attempt, and heard', async () => {
  const handler = jest.fn(() => Promise.reject(new Error('busy')));
  const mapError = jest.fn(() => ({ code: 'carrier_busy', message: 'Busy.', retryable: true }));
  const { run } = await toolkitRunning(handler, { mapError });
  expect(codeOf(await settled(run()))).toBe('carrier_busy');
  expect(mapError).toHaveBeenCalledTimes(handler.mock.calls.length);
  expect(handler.mock.calls.length).toBeGreaterThan(1);
});

it('a handler that is out of time keeps its place until it ends, and is told then', async () => {
  let end: (value: unknown) => void = () => {};
  const handler = jest.fn(
    () =>
      new Promise((resolve) => {
        end = resolve;
      }),
  );
  const options = { concurrency: { maxConcurrent: 1, maxQueued: 0 }, tool: { timeoutMs: 50 } };
  const { run, log } = await toolkitRunning(handler, options);
  const first = run();
  await jest.advanceTimersByTimeAsync(50);
  expect(codeOf(await first)).toBe('timeout');
  expect(codeOf(await run({ id: 2 }))).toBe('unavailable');
  end('late');
  await jest.advanceTimersByTimeAsync(0);
  expect(log.filter(({ fields }) => 'late' in fields)).toHaveLength(1);
  void run({ id: 3 });
  await jest.advanceTimersByTimeAsync(0);
  expect(handler).toHaveBeenCalledTimes(2);
});

it('a mapped failure for good is refused the next time, in scrubbed words', async () => {
  const handler = jest.fn(() =>
    Promise.reject(Object.assign(new Error('Bearer t0k-EXAMPLE'), { status: 422 })),
  );
  const { run, log } = await toolkitRunning(handler);
  const talk = { conversationId: 'talk' };
  const answers = [await run({ id: 1 }, talk), await run({ id: 1 }, talk)];
  expect(answers.map(codeOf)).toEqual(['invalid_input', 'retry_refused']);
  expect(handler).toHaveBeenCalledTimes(1);
  expect(JSON.stringify([answers, log])).not.toContain('t0k-EXAMPLE');
});

it('the error of a store that cannot count is scrubbed in the log, by form and by what redact names', async () => {
  const store = {
    consume: () => Promise.reject(new Error('redis://u:t0k-EXAMPLE@host house-secret')),
  };
  const { run, log } = await toolkitRunning(() => 'done', {
    rateLimit: { perTool: store },
    redact: { values: ['house-secret'] },
  });
  expect(codeOf(await settled(run()))).toBe('unavailable');
  expect(log).toHaveLength(1);
  expect(JSON.stringify(log)).not.toMatch(/t0k-EXAMPLE|house-secret/);
});
