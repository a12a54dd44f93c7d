/**
 * Rate limits: whom they count, in which windows, and what holds when a store fails.
 * Invariant: the clock is a fake one.
 */
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { type JsonValue, type RateLimiter, type ToolResult } from 'toolcrib';
import { toLimitSettings } from '../../../src/invocation/limits/options';
import { codeOf, limitedToolkit } from '../../fixtures/limited-toolkit';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

const TWO = { limit: 2, windowMs: 1_000 };
const done = { run: () => 'done' };
const ann = { principal: { id: 'ann', scopes: [] } };
const bob = { principal: { id: 'bob', scopes: [] } };

async function codes(calls: readonly (() => Promise<ToolResult<JsonValue>>)[]): Promise<unknown[]> {
  const answered: unknown[] = [];
  for (const call of calls) answered.push(codeOf(await call()));
  return answered;
}

describe('a limit for each principal', () => {
  it('counts all tools of one principal, and every principal alone', async () => {
    const { call } = await limitedToolkit(
      { 'a.one': done, 'a.two': done },
      { rateLimit: { perPrincipal: TWO } },
    );
    expect(
      await codes([
        () => call('a.one', ann),
        () => call('a.two', ann),
        () => call('a.one', ann),
        () => call('a.two', ann),
        () => call('a.one', bob),
      ]),
    ).toEqual([undefined, undefined, 'rate_limited', 'rate_limited', undefined]);
  });

  it('counts calls without a principal as those of one, and never as those of a principal', async () => {
    const { call } = await limitedToolkit({ 'a.one': done }, { rateLimit: { perPrincipal: TWO } });
    const named = { principal: { id: 'anonymous', scopes: [] } };
    expect(
      await codes([
        () => call('a.one'),
        () => call('a.one'),
        () => call('a.one'),
        () => call('a.one', named),
      ]),
    ).toEqual([undefined, undefined, 'rate_limited', undefined]);
  });

  it('does not let the refused calls of one principal use up the tool for others', async () => {
    const { call } = await limitedToolkit(
      { 'a.one': done },
      { rateLimit: { perPrincipal: { limit: 1, windowMs: 1_000 }, perTool: TWO } },
    );
    expect(
      await codes([
        () => call('a.one', ann),
        () => call('a.one', ann),
        () => call('a.one', ann),
        () => call('a.one', bob),
      ]),
    ).toEqual([undefined, 'rate_limited', 'rate_limited', undefined]);
  });
});

describe('a limit for each tool', () => {
  it('counts every caller, and every tool alone', async () => {
    const { call } = await limitedToolkit({ 'a.one': done, 'a.two': done }, { rateLimit: { perTool: TWO } });
    expect(
      await codes([
        () => call('a.one', ann),
        () => call('a.one', bob),
        () => call('a.one', ann),
        () => call('a.two', ann),
      ]),
    ).toEqual([undefined, undefined, 'rate_limited', undefined]);
  });

  it('counts all versions of a tool together', async () => {
    const tools = { 'a.one@1': done, 'a.one@2': { ...done, version: '2.0.0' } };
    const { call } = await limitedToolkit(tools, { rateLimit: { perTool: TWO } });
    expect(
      await codes([() => call('a.one@1.0.0'), () => call('a.one@2.0.0'), () => call('a.one@1.0.0')]),
    ).toEqual([undefined, undefined, 'rate_limited']);
  });

  it('may differ for single tools, or not hold for them', async () => {
    const { call } = await limitedToolkit(
      { 'a.one': done, 'a.two': done, 'a.three': done },
      {
        rateLimit: {
          perTool: { limit: 1, windowMs: 1_000 },
          tools: { 'a.two': TWO, 'a.three': false },
        },
      },
    );
    const three = (name: string) => [() => call(name), () => call(name), () => call(name)];
    expect(await codes(three('a.one'))).toEqual([undefined, 'rate_limited', 'rate_limited']);
    expect(await codes(three('a.two'))).toEqual([undefined, undefined, 'rate_limited']);
    expect(await codes(three('a.three'))).toEqual([undefined, undefined, undefined]);
  });
});

describe('a call beyond a limit', () => {
  it('is retryable, and says when the window ends', async () => {
    const { call } = await limitedToolkit({ 'a.one': done }, { rateLimit: { perTool: TWO } });
    await call('a.one');
    await jest.advanceTimersByTimeAsync(400);
    await call('a.one');
    expect(await call('a.one')).toMatchObject({
      success: false,
      error: { code: 'rate_limited', retryable: true, retryAfterMs: 600 },
    });
    await jest.advanceTimersByTimeAsync(599);
    expect(codeOf(await call('a.one'))).toBe('rate_limited');
    await jest.advanceTimersByTimeAsync(1);
    expect(codeOf(await call('a.one'))).toBeUndefined();
  });

  it('does not reach the handler, nor leave a timer', async () => {
    const run = jest.fn(() => 'done');
    const { call } = await limitedToolkit({ 'a.one': { run } }, { rateLimit: { perTool: TWO } });
    for (let count = 0; count < 5; count += 1) await call('a.one');
    expect(run).toHaveBeenCalledTimes(2);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('may be made again at once where a clock was set back beyond its window', async () => {
    const { call } = await limitedToolkit({ 'a.one': done }, { rateLimit: { perTool: TWO } });
    for (let count = 0; count < 3; count += 1) await call('a.one');
    jest.setSystemTime(Date.now() - 60_000);
    expect(codeOf(await call('a.one'))).toBeUndefined();
  });
});

it('left out, a principal has 60,000 calls a minute, and a tool ten times as many', () => {
  const { perPrincipal, perTool } = toLimitSettings({}, new Set());
  expect({ perPrincipal, perTool }).toEqual({
    perPrincipal: { limit: 60_000, windowMs: 60_000 },
    perTool: { limit: 600_000, windowMs: 60_000 },
  });
});

describe('a limiter of rate-limiter-flexible', () => {
  it('is shared by the toolkits that are given it', async () => {
    const perPrincipal = new RateLimiterMemory({ points: 2, duration: 10 });
    const one = await limitedToolkit({ 'a.one': done }, { rateLimit: { perPrincipal } });
    const other = await limitedToolkit({ 'a.one': done }, { rateLimit: { perPrincipal } });
    expect(
      await codes([() => one.call('a.one'), () => other.call('a.one'), () => one.call('a.one')]),
    ).toEqual([undefined, undefined, 'rate_limited']);
    await jest.advanceTimersByTimeAsync(4_000);
    expect(await other.call('a.one')).toMatchObject({ error: { retryAfterMs: 6_000 } });
  });

  it('may count principals and tools at once', async () => {
    const limiter = new RateLimiterMemory({ points: 2, duration: 10 });
    const { call } = await limitedToolkit(
      { 'a.one': done },
      { rateLimit: { perPrincipal: limiter, perTool: limiter } },
    );
    expect(await codes([() => call('a.one', ann), () => call('a.one', ann)])).toEqual([undefined, undefined]);
  });

  const failed: [string, RateLimiter['consume']][] = [
    ['rejects', () => Promise.reject(new Error('connect to redis://u:s3cret@host'))],
    ['rejects with nothing', () => Promise.reject(undefined)],
    [
      'throws',
      () => {
        throw new Error('no store');
      },
    ],
  ];

  it.each(failed)('lets no call through where its store %s, and the log has why', async (_how, consume) => {
    const run = jest.fn();
    const { call, log } = await limitedToolkit({ 'a.one': { run } }, { rateLimit: { perTool: { consume } } });
    expect(await call('a.one')).toMatchObject({
      error: { code: 'unavailable', retryable: true, retryAfterMs: 5_000 },
    });
    expect(run).not.toHaveBeenCalled();
    expect(log).toMatchObject([{ level: 'warn', fields: { error: {} } }]);
    expect(JSON.stringify(log)).not.toContain('s3cret');
  });

  it('lets no call through also where the logger throws', async () => {
    const throwing = () => {
      throw new Error('no log');
    };
    const logger = { debug: throwing, info: throwing, warn: throwing, error: throwing };
    const consume = () => Promise.reject(new Error('no store'));
    const { call } = await limitedToolkit({ 'a.one': done }, { logger, rateLimit: { perTool: { consume } } });
    expect(codeOf(await call('a.one'))).toBe('unavailable');
  });

  it('has five seconds to answer', async () => {
    const consume = () => new Promise(() => {});
    const { call } = await limitedToolkit({ 'a.one': done }, { rateLimit: { perTool: { consume } } });
    const answers: unknown[] = [];
    void call('a.one').then((result) => answers.push(codeOf(result)));
    await jest.advanceTimersByTimeAsync(4_999);
    expect(answers).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(answers).toEqual(['unavailable']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('does not keep a cancelled call waiting', async () => {
    const consume = () => new Promise(() => {});
    const { call } = await limitedToolkit({ 'a.one': done }, { rateLimit: { perTool: { consume } } });
    const controller = new AbortController();
    const answer = call('a.one', { signal: controller.signal });
    await jest.advanceTimersByTimeAsync(0);
    controller.abort();
    expect(codeOf(await answer)).toBe('cancelled');
    expect(jest.getTimerCount()).toBe(0);
  });
});

it('counts no call of a tool that there is not', async () => {
  const consume = jest.fn(() => Promise.resolve());
  const { toolkit } = await limitedToolkit({ 'a.one': done }, { rateLimit: { perTool: { consume } } });
  await toolkit.invoke('a.none', {});
  expect(consume).not.toHaveBeenCalled();
});
