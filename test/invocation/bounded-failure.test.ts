/**
 * The size of failures, keys that are no text, and what operators hear of a call that was not thrown.
 * Invariant: no failure grows with what its author or its caller put in, and no log entry holds a value.
 */
import { type Interceptor, type JsonValue, ToolError, toWire } from 'toolcrib';
import { type RecordedOptions, runOnce, toolkitRunning } from '../fixtures/recorded-toolkit';

const passing: Interceptor = { stage: 'limit', run: (_call, next) => next() };
const HOOKS: readonly (readonly [string, RecordedOptions])[] = [
  ['alone', {}],
  ['with an interceptor', { interceptors: [passing] }],
];

/** Few objects, of which JSON would write more than anybody can wait for. */
function nested(depth: number): JsonValue {
  const part = depth === 0 ? null : nested(depth - 1);
  return [part, part];
}

describe.each(HOOKS)('a failure of 5 MB, %s', (_how, options) => {
  const huge = 'x'.repeat(5_000_000);
  const plain = { code: 'too_much', message: 'Too much.', retryable: true, retryAfterMs: 5 };

  async function failureOf(thrown: unknown) {
    const { result } = await runOnce(() => Promise.reject(thrown), { ...options, retry: false });
    if (result.success) throw new Error('the call succeeded');
    expect(JSON.stringify(toWire(result)).length).toBeLessThan(100_000);
    return result.error;
  }

  it('is bounded where it is the message', async () => {
    const error = await failureOf(new ToolError({ ...plain, message: huge }));
    expect(error).toMatchObject({ code: 'too_much', retryable: true, retryAfterMs: 5 });
    expect(error.message.startsWith('xxx')).toBe(true);
  });

  it.each([
    ['a text', huge],
    ['a list', Array.from({ length: 500_000 }, () => 'x'.repeat(10))],
    [
      'an object of many keys',
      Object.fromEntries(Array.from({ length: 100_000 }, (__, at) => [`key${at}`, 'x'])),
    ],
    ['a key', { [huge]: 1 }],
  ])('is bounded where it is the detail: %s', async (_what, detail) => {
    expect(await failureOf(new ToolError({ ...plain, detail }))).toEqual(plain);
  });

  it.each([
    ['holds the same parts again and again', nested(48)],
    ['is a list without elements', { list: new Array(2 ** 32 - 1) }],
  ])('is left out in time where it %s', async (_what, detail) => {
    expect(await failureOf(new ToolError({ ...plain, detail }))).toEqual(plain);
    const failing: Interceptor = {
      stage: 'execute',
      run: async () => ({ success: false, error: { ...plain, detail } }),
    };
    const { result } = await runOnce(() => null, { interceptors: [failing], retry: false });
    expect(result).toEqual({ success: false, error: plain });
  });

  it('is bounded where it is message and detail', async () => {
    const error = await failureOf(new ToolError({ ...plain, message: huge, detail: [huge] }));
    expect(error).toMatchObject({ code: 'too_much', retryable: true });
    expect(error).not.toHaveProperty('detail');
  });

  it('keeps a detail that is small, and one that grows while credentials are masked', async () => {
    const small = { region: 'eu', tried: [1, null] };
    expect(await failureOf(new ToolError({ ...plain, detail: small }))).toEqual({ ...plain, detail: small });
    const secrets = Array.from({ length: 5_000 }, () => 'pwd=a');
    expect(await failureOf(new ToolError({ ...plain, detail: secrets }))).toMatchObject(plain);
  });

  it('is bounded where it is unexpected', async () => {
    expect(await failureOf(new Error(huge))).toMatchObject({ code: 'internal_error' });
  });

  it('is bounded where it is the key of an output, and still says invalid_output', async () => {
    const key = 'k'.repeat(100_000);
    const { result } = await runOnce(() => ({ [key]: 1n }), { ...options, kind: 'write' });
    expect(result).toMatchObject({ success: false, error: { code: 'invalid_output' } });
    expect(JSON.stringify(result).length).toBeLessThan(10_000);
  });
});

describe('an idempotencyKey', () => {
  it.each([
    ['a number', 7],
    ['an empty text', ''],
    ['nothing', undefined],
    ['null', null],
    ['an object', { id: 7 }],
    ['a promise', Promise.resolve('key')],
  ])('that gives %s fails the call before the handler runs', async (_what, key) => {
    const handler = jest.fn(() => 'done');
    const { run, log } = await toolkitRunning(handler, {
      tool: { idempotencyKey: () => key },
      kind: 'write',
    });
    expect(await run()).toMatchObject({
      success: false,
      error: { code: 'internal_error', retryable: false },
    });
    expect(handler).not.toHaveBeenCalled();
    expect(log).toMatchObject([{ level: 'error', fields: { tool: 'test.run@1.0.0' } }]);
  });

  it('that gives a promise nobody waits for: its rejection does not end the process', async () => {
    const { run } = await toolkitRunning(() => 'done', {
      tool: { idempotencyKey: () => Promise.reject(new Error('no')) },
      kind: 'write',
    });
    expect(await run()).toMatchObject({ error: { code: 'internal_error' } });
    // A rejection that nobody hears fails the test that runs.
    await new Promise(setImmediate);
  });

  it('that gives a text does not', async () => {
    const { run } = await toolkitRunning(() => 'done', { tool: { idempotencyKey: () => 'key' } });
    expect(await run()).toEqual({ success: true, result: 'done' });
  });
});

describe('what operators hear of', () => {
  const SECRET = 'private-EXAMPLE';
  const never = () => new Promise<never>(() => {});

  it.each<[string, string, RecordedOptions, () => unknown]>([
    ['invalid_output', 'error', { tool: { output: Number } }, () => SECRET],
    ['invalid_output', 'error', {}, () => ({ note: SECRET, big: 1n })],
    ['invalid_output', 'error', { maxResultBytes: 10 }, () => SECRET],
    ['invalid_output', 'error', { kind: 'write', tool: { output: Number } }, () => SECRET],
    ['timeout', 'warn', { tool: { timeoutMs: 1 } }, never],
    ['outcome_unknown', 'warn', { tool: { timeoutMs: 1 }, kind: 'write' }, never],
  ])('%s, once, at the level %s, without values', async (code, level, options, handler) => {
    const { run, log } = await toolkitRunning(handler, options);
    expect(await run({ note: SECRET }, { callId: 'call-1' })).toMatchObject({ error: { code } });
    expect(log).toEqual([
      {
        level,
        fields: {
          tool: 'test.run@1.0.0',
          callId: 'call-1',
          ...(options.kind === undefined ? {} : { ledgerKey: expect.stringMatching(/^[0-9a-f]{64}$/) }),
          code,
          error: { type: code, message: expect.any(String) },
        },
      },
    ]);
    expect(JSON.stringify(log)).not.toContain(SECRET);
  });
});
