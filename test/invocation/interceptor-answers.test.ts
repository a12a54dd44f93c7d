/**
 * What becomes of an interceptor's answer that is no result, or holds what no result may hold.
 * Invariant: whatever an interceptor answers, the caller gets one well-formed result in JSON.
 */
import { type Interceptor, toWire } from 'toolcrib';
import { toolkitRunning } from '../fixtures/recorded-toolkit';

/** An interceptor that answers what its types forbid. */
function answering(stage: Interceptor['stage'], answer: unknown): Interceptor {
  const interceptor: unknown = { stage, run: () => answer };
  if (!isInterceptor(interceptor)) throw new TypeError('that is no interceptor');
  return interceptor;
}

function isInterceptor(value: unknown): value is Interceptor {
  return typeof value === 'object' && value !== null && 'run' in value && typeof value.run === 'function';
}

describe('an interceptor that answers what is no result', () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const garbage: readonly (readonly [string, unknown])[] = [
    ['undefined', undefined],
    ['null', null],
    ['a text', 'done'],
    ['an empty object', {}],
    ['a success without a result', { success: true }],
    ['a truthy success', { success: 1, result: 1 }],
    ['a failure without an error', { success: false }],
    ['a failure whose error is null', { success: false, error: null }],
    ['a failure without a code', { success: false, error: { message: 'm', retryable: false } }],
    [
      'a failure whose code is a number',
      { success: false, error: { code: 1, message: 'm', retryable: false } },
    ],
    [
      'a failure whose code is no code',
      { success: false, error: { code: '__proto__', message: 'm', retryable: false } },
    ],
    [
      'a failure whose code is long',
      { success: false, error: { code: 'c'.repeat(65), message: 'm', retryable: false } },
    ],
    ['a failure without a message', { success: false, error: { code: 'c', retryable: false } }],
    ['a failure without retryable', { success: false, error: { code: 'c', message: 'm' } }],
    ['a BigInt as the result', { success: true, result: 1n }],
    ['a circular result', { success: true, result: circular }],
    [
      'a circular detail',
      { success: false, error: { code: 'c', message: 'm', retryable: false, detail: circular } },
    ],
    ['a wire envelope', { isError: false, result: 1 }],
    ['a revoked proxy', revoked.proxy],
    [
      'an object whose getter throws',
      {
        get success(): boolean {
          throw new Error('no');
        },
      },
    ],
  ];

  it.each(garbage)('is an internal error: %s', async (_case, answer) => {
    const { run, log } = await toolkitRunning(() => 'done', { interceptors: [answering('claim', answer)] });
    const result = await run();
    expect(result).toMatchObject({ success: false, error: { code: 'internal_error', retryable: false } });
    expect(JSON.parse(JSON.stringify(toWire(result)))).toEqual(toWire(result));
    expect(log).toHaveLength(1);
  });

  it('is an internal error also where it is the result of next, changed in place', async () => {
    const { run } = await toolkitRunning(() => 'done', {
      interceptors: [
        {
          stage: 'execute',
          run: async (_call, next) => {
            const result = await next();
            Reflect.set(result, 'result', 1n);
            return result;
          },
        },
      ],
    });
    expect(await run()).toMatchObject({ success: false, error: { code: 'internal_error' } });
  });

  it('has its success turned into JSON: undefined is null and a Date is text', async () => {
    const at = new Date('2026-01-31T09:30:00Z');
    const { run } = await toolkitRunning(() => 'done', {
      interceptors: [
        answering('claim', { success: true, result: { at, none: undefined, list: [undefined] } }),
      ],
    });
    expect(await run()).toStrictEqual({ success: true, result: { at: at.toJSON(), list: [null] } });
  });

  it('has the detail of its failure turned into JSON too', async () => {
    const at = new Date('2026-01-31T09:30:00Z');
    const error = { code: 'closed', message: 'Closed.', retryable: true, detail: { until: at } };
    const { run } = await toolkitRunning(() => 'done', {
      interceptors: [answering('claim', { success: false, error })],
    });
    expect(await run()).toStrictEqual({
      success: false,
      error: { ...error, detail: { until: at.toJSON() } },
    });
  });

  it('has credentials taken out of the text of its failure', async () => {
    const error = {
      code: 'closed',
      message: 'Bearer t0k-EXAMPLE',
      retryable: true,
      detail: ['Bearer t0k-EXAMPLE'],
    };
    const { run } = await toolkitRunning(() => 'done', {
      interceptors: [answering('claim', { success: false, error })],
    });
    const result = await run();
    expect(result).toMatchObject({ success: false, error: { code: 'closed', retryable: true } });
    expect(JSON.stringify(result)).not.toContain('t0k-EXAMPLE');
  });
});

describe('what is wrong with an answer', () => {
  const passing: Interceptor = { stage: 'resolve', run: (_call, next) => next() };

  it.each<readonly [string, unknown, RegExp]>([
    ['a code', { success: false, error: { code: 1, message: 'm', retryable: false } }, /its code/],
    ['a message', { success: false, error: { code: 'c', retryable: false } }, /its message/],
    ['a flag', { success: false, error: { code: 'c', message: 'm' } }, /its retryable/],
    [
      'a spelling',
      { success: false, error: { code: 'No Go', message: 'm', retryable: false } },
      /snake_case/,
    ],
    [
      'a detail',
      { success: false, error: { code: 'c', message: 'm', retryable: false, detail: { n: 1n } } },
      /its detail.*\/n/,
    ],
    ['a result', { success: true, result: { n: 1n } }, /not JSON.*\/n/],
    ['all', { isError: false }, /no result/],
  ])('is logged with the stage of its interceptor: %s', async (_case, answer, why) => {
    const { run, log } = await toolkitRunning(() => 'done', {
      interceptors: [passing, answering('claim', answer)],
    });
    await run();
    const text = JSON.stringify(log);
    expect(text).toMatch(why);
    expect(text).toContain('an interceptor at claim answered');
  });

  it('that was changed in place is logged with the stages of all', async () => {
    const changing: Interceptor = {
      stage: 'execute',
      async run(_call, next) {
        const result = await next();
        return Object.assign(
          result,
          result.success ? {} : { error: Object.assign(result.error, { message: 1 }) },
        );
      },
    };
    const { run, log } = await toolkitRunning(() => Promise.reject(new Error('no')), {
      interceptors: [passing, changing],
    });
    await run();
    expect(JSON.stringify(log)).toContain('an interceptor at resolve or execute answered');
  });
});
