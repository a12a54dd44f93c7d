/**
 * The options of limits that are refused.
 * Invariant: what would be ignored, or could guard nothing, is a TypeError at the start.
 */
import { limitedToolkit } from '../../fixtures/limited-toolkit';
import { makeUntyped } from '../../fixtures/untyped-declarations';

async function thrownBy(options: object): Promise<unknown> {
  try {
    await makeUntyped(limitedToolkit, { 'a.one': { run: () => 'done' } }, options);
  } catch (error) {
    return error;
  }
  return undefined;
}

const NO_COUNTS = [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, '1', true, {}, null];

describe('an option of limits that is refused', () => {
  it.each(NO_COUNTS)('is a number such as %p', async (value) => {
    const options = [
      { rateLimit: { perTool: { limit: value, windowMs: 1 } } },
      { rateLimit: { perPrincipal: { limit: 1, windowMs: value } } },
      { rateLimit: { tools: { 'a.one': { limit: value, windowMs: 1 } } } },
      { concurrency: { maxConcurrent: value } },
      { concurrency: { maxQueued: value } },
      { concurrency: { tools: { 'a.one': { maxConcurrent: value } } } },
      { circuitBreaker: { failureThreshold: value } },
      { circuitBreaker: { resetAfterMs: value } },
      { circuitBreaker: { tools: { 'a.one': { resetAfterMs: value } } } },
      { retry: { maxAttempts: value } },
      { retry: { baseDelayMs: value } },
      { retry: { maxDelayMs: value } },
      { retry: { tools: { 'a.one': { maxAttempts: value } } } },
    ];
    for (const one of options) expect([one, await thrownBy(one)]).toEqual([one, expect.any(TypeError)]);
  });

  it.each([
    ['is unknown', { rateLimit: { perCaller: false } }],
    ['is unknown to concurrency', { concurrency: { limit: 1 } }],
    ['is unknown to a breaker', { circuitBreaker: { threshold: 1 } }],
    ['is unknown to retries', { retry: { retries: 1 } }],
    ['is unknown for one tool', { retry: { tools: { 'a.one': { tools: {} } } } }],
    ['names no tool', { rateLimit: { tools: { 'a.two': false } } }],
    ['names no tool for concurrency', { concurrency: { tools: { 'a.two': false } } }],
    ['names no tool for a breaker', { circuitBreaker: { tools: { 'a.two': false } } }],
    ['names no tool for retries', { retry: { tools: { 'a.two': false } } }],
    ['names no tool of a service', { circuitBreaker: { downstreams: { carrier: ['a.two'] } } }],
    ['names a tool of two services', { circuitBreaker: { downstreams: { one: ['a.one'], two: ['a.one'] } } }],
    [
      'names a tool of a service that also stands alone',
      { circuitBreaker: { downstreams: { one: ['a.one'] }, tools: { 'a.one': false } } },
    ],
    ['names a service like a tool', { circuitBreaker: { downstreams: { 'a.one': ['a.one'] } } }],
    ['is no list of tools', { circuitBreaker: { downstreams: { one: 'a.one' } } }],
    ['is half a limit', { rateLimit: { perTool: { limit: 1 } } }],
    ['is neither a limit nor a limiter', { rateLimit: { perTool: { consume: 1 } } }],
    ['is a mere number', { rateLimit: { perTool: 100 } }],
    ['is no object', { rateLimit: true }],
    ['is null', { concurrency: null }],
    ['is a list', { retry: [] }],
    ['is text', { circuitBreaker: 'on' }],
  ])('%s', async (_which, options) => {
    expect(await thrownBy(options)).toBeInstanceOf(TypeError);
  });
});

it('accepts all options at their least', async () => {
  const rate = { limit: 1, windowMs: 1 };
  expect(
    await thrownBy({
      rateLimit: { perPrincipal: rate, perTool: rate, tools: { 'a.one': rate } },
      concurrency: { maxConcurrent: 1, maxQueued: 0, tools: { 'a.one': {} } },
      circuitBreaker: { failureThreshold: 1, resetAfterMs: 1, tools: {}, downstreams: { one: ['a.one'] } },
      retry: { maxAttempts: 1, baseDelayMs: 1, maxDelayMs: 1, tools: { 'a.one': false } },
    }),
  ).toBeUndefined();
});
