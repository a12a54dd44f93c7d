/**
 * How a ToolError is answered: as its author wrote it, without credentials and in JSON.
 * Invariant: whatever became of the error after it was made, the answer is well-formed.
 */
import { isFrameworkErrorCode, type JsonValue, ToolError, type ToolErrorOptions, toWire } from 'toolcrib';
import { runOnce } from '../fixtures/recorded-toolkit';

async function failureOf(thrown: unknown) {
  const { result } = await runOnce(() => Promise.reject(thrown));
  if (result.success) throw new Error('the call succeeded');
  expect(JSON.parse(JSON.stringify(toWire(result)))).toEqual({ isError: true, error: result.error });
  return result.error;
}

const plain: ToolErrorOptions = { code: 'order_not_found', message: 'No such order.', retryable: false };

/** An error that bears the brand, as another copy of the package, or a careless one, may make it. */
function branded(members: object): Error {
  return Object.assign(new Error('branded'), { [Symbol.for('toolcrib.ToolError')]: true }, members);
}

it('is answered with code, message and retryable, and nothing more', async () => {
  expect(await failureOf(new ToolError(plain))).toStrictEqual({ ...plain });
  expect(await failureOf(new ToolError({ ...plain, retryable: true }))).toStrictEqual({
    ...plain,
    retryable: true,
  });
});

it('is answered with detail and retryAfterMs where there are any', async () => {
  const more = { retryable: true, retryAfterMs: 1_500, detail: { region: 'eu', tried: [1, null] } };
  expect(await failureOf(new ToolError({ ...plain, ...more }))).toStrictEqual({ ...plain, ...more });
  expect(await failureOf(new ToolError({ ...plain, retryAfterMs: 0, detail: null }))).toStrictEqual({
    ...plain,
    retryAfterMs: 0,
    detail: null,
  });
});

it('is recognised when a subclass or another copy of the package made it', async () => {
  class OrderNotFound extends ToolError {
    constructor() {
      super(plain);
    }
  }
  expect(await failureOf(new OrderNotFound())).toStrictEqual({ ...plain });
  expect(await failureOf(branded(plain))).toStrictEqual({ ...plain });
});

it('keeps its cause and its stack from the caller', async () => {
  const cause = new Error('inner workings');
  const error = await failureOf(new ToolError({ ...plain, cause }));
  expect(error).toStrictEqual({ ...plain });
});

it('has credentials taken out of its message, of its detail and of the keys of its detail', async () => {
  const secret = 'Bearer t0k-EXAMPLE';
  const error = await failureOf(
    new ToolError({
      ...plain,
      message: `refused ${secret}`,
      detail: {
        header: secret,
        list: [secret, { deep: secret }],
        [secret]: 1,
        count: 3,
        none: null,
        yes: true,
      },
    }),
  );
  expect(JSON.stringify(error)).not.toContain('t0k-EXAMPLE');
  expect(error).toMatchObject({ code: 'order_not_found', detail: { count: 3, none: null, yes: true } });
});

describe('with a detail that is no JSON', () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;

  function withDetail(detail: unknown): Error {
    return branded({ ...plain, detail });
  }

  it.each([
    ['circular', circular],
    ['a BigInt', 1n],
    [
      'an object whose getter throws',
      {
        get x(): never {
          throw new Error('no');
        },
      },
    ],
    ['a map', new Map([['a', 1]])],
  ])('is answered without the detail: %s', async (_case, detail) => {
    expect(await failureOf(withDetail(detail))).toStrictEqual({ ...plain });
  });

  it('is answered with the JSON of the detail where there is one', async () => {
    const at = new Date('2026-01-31T09:30:00Z');
    const detail: JsonValue = { at: at.toJSON() };
    expect(await failureOf(withDetail({ at, none: undefined }))).toStrictEqual({ ...plain, detail });
  });
});

describe('that is not what its type says', () => {
  const hostile: readonly (readonly [string, object])[] = [
    ['no code', { message: 'm', retryable: false }],
    ['a code that is a BigInt', { ...plain, code: 1n }],
    ['a code that is an object', { ...plain, code: { toString: () => 'x' } }],
    ['an empty code', { ...plain, code: '' }],
    ['a message that is undefined', { ...plain, message: undefined }],
    ['a message that cannot become text', { ...plain, message: Object.create(null) }],
    ['a retryable that is a text', { ...plain, retryable: 'yes' }],
    ['an endless retryAfterMs', { ...plain, retryAfterMs: Number.POSITIVE_INFINITY }],
    ['a negative retryAfterMs', { ...plain, retryAfterMs: -1 }],
    ['a retryAfterMs that is no number', { ...plain, retryAfterMs: Number.NaN }],
    ['a retryAfterMs that is a text', { ...plain, retryAfterMs: '5' }],
  ];

  it.each(hostile)('is still answered well-formed: %s', async (_case, members) => {
    const error = await failureOf(branded(members));
    expect(error).toEqual({
      code: expect.stringMatching(/^[a-z][a-z0-9_]*$/),
      message: expect.any(String),
      retryable: false,
    });
  });

  it.each([
    [
      'code',
      {
        get code(): never {
          throw new Error('no');
        },
      },
    ],
    [
      'detail',
      {
        get detail(): never {
          throw new Error('no');
        },
      },
    ],
    [
      'message',
      {
        get message(): never {
          throw new Error('no');
        },
      },
    ],
  ])('is an internal error when reading its %s throws', async (_case, members) => {
    const thrown = branded(plain);
    Object.defineProperties(thrown, Object.getOwnPropertyDescriptors(members));
    expect(await failureOf(thrown)).toMatchObject({ code: 'internal_error', retryable: false });
  });

  it('cannot take a code of the framework', async () => {
    const { code } = await failureOf(branded({ ...plain, code: 'insufficient_scope' }));
    expect(code === 'internal_error' || !isFrameworkErrorCode(code)).toBe(true);
  });
});

it.each<readonly [string, object, string]>([
  ['a detail that is no JSON', { detail: { n: 10n } }, '/n'],
  ['a detail that is too large', { detail: 'x'.repeat(70_000) }, '65536'],
  ['a delay that is none', { retryAfterMs: -1 }, 'retryAfterMs'],
])('is answered without %s, which the log tells', async (_case, unsound, why) => {
  const thrown = Object.assign(new ToolError(plain), unsound);
  const { result, log } = await runOnce(() => Promise.reject(thrown));
  expect(result).toStrictEqual({ success: false, error: plain });
  expect(log).toMatchObject([{ level: 'error', fields: { code: plain.code, error: { type: 'ToolError' } } }]);
  expect(JSON.stringify(log)).toContain(why);
});

it('that is sound leaves no entry in the log', async () => {
  const { log } = await runOnce(() =>
    Promise.reject(new ToolError({ ...plain, detail: [1], retryAfterMs: 0 })),
  );
  expect(log).toEqual([]);
});
