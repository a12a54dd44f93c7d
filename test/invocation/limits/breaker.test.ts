/**
 * Circuit breakers: what opens and closes them, and what they answer meanwhile.
 * Invariant: the clock is a fake one; retries are off, so that a call is one attempt.
 */
import type { ToolkitOptions } from 'toolcrib';
import { codeOf, failing, type LimitedTool, limitedToolkit } from '../../fixtures/limited-toolkit';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

/** A tool whose answer a test changes. */
function changing(answer: unknown): { answer: unknown; readonly run: jest.Mock } {
  const tool: { answer: unknown; readonly run: jest.Mock } = { answer, run: jest.fn(() => tool.answer) };
  return tool;
}

const OUT = failing('unavailable', true);
const LIMIT = { failureThreshold: 2, resetAfterMs: 1_000 };

async function toolkitOf(
  tools: Readonly<Record<string, LimitedTool>>,
  options: Partial<ToolkitOptions> = {},
) {
  return limitedToolkit(tools, { circuitBreaker: LIMIT, retry: false, ...options });
}

describe('a breaker opens', () => {
  it.each([
    ['unavailable', true],
    ['unavailable', false],
    ['timeout', true],
    ['outcome_unknown', false],
  ])('after as many %s in a row as its threshold (retryable: %s)', async (code, retryable) => {
    const { run } = changing(failing(code, retryable));
    const { call } = await toolkitOf({ 'a.one': { run } });
    const codes = [];
    for (let count = 0; count < 4; count += 1) codes.push(codeOf(await call('a.one')));
    expect(codes).toEqual([code, code, 'unavailable', 'unavailable']);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it.each(['none', 'write'] as const)('after handlers with side effect %s that hang', async (kind) => {
    const run = jest.fn(() => new Promise(() => {}));
    const { call } = await toolkitOf({ 'a.one': { run, kind, timeoutMs: 10 } });
    for (let count = 0; count < 3; count += 1) {
      const answer = call('a.one');
      await jest.advanceTimersByTimeAsync(10);
      await answer;
    }
    expect(run).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['rate_limited', failing('rate_limited', true, 10)],
    ['invalid_input', failing('invalid_input')],
    ['insufficient_scope', failing('insufficient_scope')],
    ["an author's", failing('order_not_found')],
    ["an author's that is retryable", failing('order_locked', true)],
    ['invalid_output', 1n],
    ['internal_error', Promise.reject(new Error('bug'))],
  ])('never after %s', async (_which, answer) => {
    const { run } = changing(answer);
    const { call } = await toolkitOf({ 'a.one': { run } });
    for (let count = 0; count < 5; count += 1) await call('a.one');
    expect(run).toHaveBeenCalledTimes(5);
  });

  it('not where other answers come between the outages', async () => {
    const tool = changing(OUT);
    const { call } = await toolkitOf({ 'a.one': tool });
    for (const answer of [OUT, 'done', OUT, failing('order_not_found'), OUT]) {
      tool.answer = answer;
      await call('a.one');
    }
    expect(tool.run).toHaveBeenCalledTimes(5);
  });

  it('where only cancelled calls come between, which show nothing', async () => {
    const tool = changing(OUT);
    const { call } = await toolkitOf({ 'a.one': tool });
    await call('a.one');
    tool.answer = new Promise(() => {});
    const controller = new AbortController();
    const cancelled = call('a.one', { signal: controller.signal });
    await jest.advanceTimersByTimeAsync(0);
    controller.abort();
    expect(codeOf(await cancelled)).toBe('cancelled');
    tool.answer = OUT;
    await call('a.one');
    await call('a.one');
    expect(tool.run).toHaveBeenCalledTimes(3);
  });

  it.each(['none', 'write'] as const)('never after callers in a hurry, side effect %s', async (kind) => {
    const run = jest.fn(() => new Promise(() => {}));
    const { call } = await toolkitOf({ 'a.one': { run, kind, timeoutMs: 1_000 } });
    for (let count = 0; count < 3; count += 1) {
      const answer = call('a.one', { timeoutMs: 10 });
      await jest.advanceTimersByTimeAsync(10);
      expect(codeOf(await answer)).toBe(kind === 'none' ? 'timeout' : 'outcome_unknown');
    }
    expect(run).toHaveBeenCalledTimes(3);
  });

  it('after five, for 30 seconds, where nothing is said', async () => {
    const { run } = changing(OUT);
    const { call } = await limitedToolkit({ 'a.one': { run } }, { retry: false });
    for (let count = 0; count < 7; count += 1) await call('a.one');
    expect(run).toHaveBeenCalledTimes(5);
    await jest.advanceTimersByTimeAsync(29_999);
    await call('a.one');
    expect(run).toHaveBeenCalledTimes(5);
    await jest.advanceTimersByTimeAsync(1);
    await call('a.one');
    expect(run).toHaveBeenCalledTimes(6);
  });

  it('never where it is switched off', async () => {
    const { run } = changing(OUT);
    const { call } = await toolkitOf({ 'a.one': { run } }, { circuitBreaker: false });
    for (let count = 0; count < 9; count += 1) await call('a.one');
    expect(run).toHaveBeenCalledTimes(9);
  });
});

describe('an open breaker', () => {
  const opened = async (answer: unknown = OUT) => {
    const tool = changing(OUT);
    const toolkit = await toolkitOf({ 'a.one': tool });
    await toolkit.call('a.one');
    await toolkit.call('a.one');
    tool.answer = answer;
    tool.run.mockClear();
    return { tool, ...toolkit };
  };

  it('answers with the time until the next trial', async () => {
    const { call } = await opened();
    await jest.advanceTimersByTimeAsync(300);
    expect(await call('a.one')).toMatchObject({
      error: { code: 'unavailable', retryable: true, retryAfterMs: 700 },
    });
  });

  it('lets one call try, and closes when that answers', async () => {
    const { call, tool } = await opened(new Promise((resolve) => setTimeout(resolve, 50, 'done')));
    await jest.advanceTimersByTimeAsync(1_000);
    const trial = call('a.one');
    expect(await call('a.one')).toMatchObject({ error: { code: 'unavailable', retryAfterMs: 1_000 } });
    await jest.advanceTimersByTimeAsync(50);
    expect(await trial).toEqual({ success: true, result: 'done' });
    await call('a.one');
    expect(tool.run).toHaveBeenCalledTimes(2);
  });

  it('closes also when the trial is refused by a service that is back', async () => {
    const { call, tool } = await opened(failing('rate_limited', true));
    await jest.advanceTimersByTimeAsync(1_000);
    await call('a.one');
    await call('a.one');
    expect(tool.run).toHaveBeenCalledTimes(2);
  });

  it('stays open for as long again when the trial fails', async () => {
    const { call, tool } = await opened();
    for (const _trial of [1, 2, 3]) {
      await jest.advanceTimersByTimeAsync(1_000);
      await call('a.one');
      expect(await call('a.one')).toMatchObject({ error: { retryAfterMs: 1_000 } });
    }
    expect(tool.run).toHaveBeenCalledTimes(3);
  });

  it('stays open when the trial is cancelled', async () => {
    const { call, tool } = await opened(new Promise(() => {}));
    await jest.advanceTimersByTimeAsync(1_000);
    const controller = new AbortController();
    const trial = call('a.one', { signal: controller.signal });
    await jest.advanceTimersByTimeAsync(0);
    controller.abort();
    expect(codeOf(await trial)).toBe('cancelled');
    expect(codeOf(await call('a.one'))).toBe('unavailable');
    expect(tool.run).toHaveBeenCalledTimes(1);
  });

  it('stays open when the trial pauses, and the pause passes untouched', async () => {
    const pause = new Error('pause');
    const { call, tool } = await opened();
    tool.run.mockImplementation(() => Promise.reject(pause));
    await jest.advanceTimersByTimeAsync(1_000);
    await expect(call('a.one', { isPause: (error) => error === pause })).rejects.toBe(pause);
    expect(codeOf(await call('a.one'))).toBe('unavailable');
    expect(tool.run).toHaveBeenCalledTimes(1);
  });

  it('is noted for each call, and told to operators', async () => {
    const { call, notes, log } = await opened('done');
    await call('a.one');
    await jest.advanceTimersByTimeAsync(1_000);
    await call('a.one');
    await call('a.one');
    expect(notes.map(({ breaker }) => breaker)).toEqual(['closed', 'closed', 'open', 'half_open', 'closed']);
    expect(notes.map(({ attempt }) => attempt)).toEqual([1, 1, undefined, 1, 1]);
    expect(log).toEqual([
      { level: 'warn', fields: { breaker: 'a.one' } },
      { level: 'info', fields: { breaker: 'a.one' } },
    ]);
  });

  it('opens and closes also where the logger throws', async () => {
    const throwing = () => {
      throw new Error('no log');
    };
    const logger = { debug: throwing, info: throwing, warn: throwing, error: throwing };
    const { run } = changing(OUT);
    const { call } = await toolkitOf({ 'a.one': { run } }, { logger });
    for (let count = 0; count < 3; count += 1) expect(codeOf(await call('a.one'))).toBe('unavailable');
    expect(run).toHaveBeenCalledTimes(2);
  });
});

describe('a breaker belongs', () => {
  it('to one tool with all its versions', async () => {
    const { run } = changing(OUT);
    const { call } = await toolkitOf({
      'a.one@1': { run },
      'a.one@2': { run, version: '2.0.0' },
      'a.two': { run },
    });
    for (const name of ['a.one@1.0.0', 'a.one@2.0.0', 'a.one@1.0.0', 'a.two']) await call(name);
    expect(run).toHaveBeenCalledTimes(3);
  });

  it('to a named downstream service and all its tools', async () => {
    const { run } = changing(OUT);
    const { call, log } = await toolkitOf(
      { 'a.one': { run }, 'a.two': { run }, 'a.three': { run } },
      { circuitBreaker: { ...LIMIT, downstreams: { carrier: ['a.one', 'a.two'] } } },
    );
    for (const name of ['a.one', 'a.two', 'a.one', 'a.three']) await call(name);
    expect(run).toHaveBeenCalledTimes(3);
    expect(log).toEqual([{ level: 'warn', fields: { breaker: 'carrier' } }]);
  });

  it('to single tools as they say', async () => {
    const one = changing(OUT);
    const two = changing(OUT);
    const { call } = await toolkitOf(
      { 'a.one': one, 'a.two': two },
      { circuitBreaker: { ...LIMIT, tools: { 'a.one': { failureThreshold: 4 }, 'a.two': false } } },
    );
    for (let count = 0; count < 6; count += 1) {
      await call('a.one');
      await call('a.two');
    }
    expect([one, two].map(({ run }) => run.mock.calls.length)).toEqual([4, 6]);
  });
});
