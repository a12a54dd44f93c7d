/**
 * What a caller is told of things that handlers throw, whatever they are.
 * Invariant: everything thrown is answered with one well-formed failure; only a ToolError states its own code.
 */
import { FRAMEWORK_ERROR_CODES, ToolError, toWire } from 'toolcrib';
import { type RecordedOptions, runOnce } from '../fixtures/recorded-toolkit';

function throwing(thrown: unknown): () => never {
  return () => {
    throw thrown;
  };
}

/** The failure of a tool that throws something. */
async function failureOf(thrown: unknown, options?: RecordedOptions) {
  const { result } = await runOnce(throwing(thrown), options);
  if (result.success) throw new Error('the call succeeded');
  expect(JSON.parse(JSON.stringify(toWire(result)))).toEqual({ isError: true, error: result.error });
  return result.error;
}

const INTERNAL = { code: 'internal_error', retryable: false, message: expect.any(String) };

function withGetters(...names: readonly string[]): object {
  const hostile = {};
  for (const name of names) {
    Object.defineProperty(hostile, name, {
      get() {
        throw new Error('do not look');
      },
    });
  }
  return hostile;
}

function errorWith(members: object): Error {
  const error = new Error('original');
  Object.defineProperties(error, Object.getOwnPropertyDescriptors(members));
  return error;
}

const revoked = Proxy.revocable(new Error('no'), {});
revoked.revoke();

const circularCause = new Error('outer');
circularCause.cause = new Error('inner', { cause: circularCause });

const untouchable = new Proxy(
  {},
  {
    get: throwing('get'),
    has: throwing('has'),
    ownKeys: throwing('ownKeys'),
    getPrototypeOf: throwing('getPrototypeOf'),
    getOwnPropertyDescriptor: throwing('getOwnPropertyDescriptor'),
  },
);

const thrownValues: readonly (readonly [string, unknown])[] = [
  ['a text', 'quota exceeded'],
  ['an empty text', ''],
  ['a number', 429],
  ['NaN', Number.NaN],
  ['a BigInt', 429n],
  ['a boolean', false],
  ['a symbol', Symbol('x')],
  ['a function', () => 'x'],
  ['a class', class Thrown {}],
  ['an empty object', {}],
  ['an object without a prototype', Object.create(null)],
  ['an array', ['a', 'b']],
  ['an object with throwing getters', withGetters('message', 'name', 'stack', 'cause', 'code', 'then')],
  ['a revoked proxy', revoked.proxy],
  ['a proxy whose every trap throws', untouchable],
  ['an error whose message getter throws', errorWith(withGetters('message'))],
  ['an error whose name getter throws', errorWith(withGetters('name'))],
  ['an error whose stack and cause getters throw', errorWith(withGetters('stack', 'cause'))],
  ['an error whose message is an object', errorWith({ message: { toString: null } })],
  ['an error whose name is a symbol', errorWith({ name: Symbol('name') })],
  ['a frozen error', Object.freeze(new Error('frozen'))],
  ['an error with a circular cause', circularCause],
  ['an AggregateError', new AggregateError([new Error('one'), undefined, Symbol('two')], 'both failed')],
  ['a DOMException', new DOMException('gone', 'DataCloneError')],
  ['an object with a toJSON that throws', { toJSON: throwing(new Error('no')) }],
  ['a promise', Promise.resolve('not awaited')],
  [
    'a thenable',
    Object.fromEntries([['then', (resolve: (value: string) => void) => resolve('not awaited')]]),
  ],
];

describe('something thrown that is no ToolError', () => {
  it.each(thrownValues)('ENV-01: is an internal error with a text, when it is %s', async (_case, thrown) => {
    const error = await failureOf(thrown);
    expect(error).toEqual(INTERNAL);
    expect(error.message).not.toMatch(/undefined|\[object |Symbol\(/);
  });

  it.each([
    ['thrown undefined', throwing(undefined)],
    ['thrown null', throwing(null)],
    ['a rejection with nothing', () => Promise.reject()],
    ['a later rejection with null', () => new Promise((_resolve, reject) => setImmediate(reject, null))],
  ] as const)('ENV-02: is answered, when it is %s', async (_case, handler) => {
    const { result } = await runOnce(handler);
    expect(result).toEqual({ success: false, error: INTERNAL });
    expect(JSON.stringify(result)).not.toMatch(/undefined|null/);
  });

  it('ENV-01: says a thrown text, and type name and text of an error', async () => {
    expect((await failureOf('quota exceeded')).message).toContain('quota exceeded');
    expect((await failureOf(429)).message).toContain('429');
    const { message } = await failureOf(new RangeError('too far'));
    expect(message).toContain('RangeError');
    expect(message).toContain('too far');
    class QuotaExceeded extends Error {
      override name = 'QuotaExceeded';
    }
    expect((await failureOf(new QuotaExceeded('none left'))).message).toContain('QuotaExceeded');
  });

  it('ENV-01: says nothing of what a thrown object holds beside its message', async () => {
    const config = { headers: { Authorization: 'Bearer t0k-EXAMPLE' } };
    const response = { status: 503, body: 'busy-EXAMPLE', config };
    for (const thrown of [response, Object.assign(new Error('Request failed'), response)]) {
      const { result } = await runOnce(throwing(thrown));
      const text = JSON.stringify(result);
      expect(text).not.toContain('t0k-EXAMPLE');
      expect(text).not.toContain('busy-EXAMPLE');
    }
  });

  it('ENV-06: does not pass for a failure because it looks like one', async () => {
    const error = { code: 'order_not_found', message: 'No such order.', retryable: true };
    const upstream = { content: [{ type: 'text', text: 'upstream failed' }], isError: true };
    const lookAlikes = [error, { success: false, error }, { isError: true, error }, upstream];
    for (const thrown of [...lookAlikes, ...lookAlikes.map((one) => Object.assign(new Error('no'), one))]) {
      expect(await failureOf(thrown)).toEqual(INTERNAL);
    }
  });

  it('does not pass for one of the framework because it has its code', async () => {
    for (const code of FRAMEWORK_ERROR_CODES) {
      const thrown = Object.assign(new Error('no'), { code, retryable: true, retryAfterMs: 1 });
      expect(await failureOf(thrown)).toEqual(INTERNAL);
    }
  });

  it('is answered in few words, however many it has', async () => {
    const { message } = await failureOf(new Error('many words '.repeat(20_000)));
    expect(message.length).toBeLessThan(1_000);
  });
});

describe('maskUnexpectedErrors', () => {
  it('keeps type name and text of unexpected errors from callers', async () => {
    for (const thrown of [
      new RangeError('inner workings'),
      'inner workings',
      { message: 'inner workings' },
    ]) {
      const error = await failureOf(thrown, { maskUnexpectedErrors: true });
      expect(error).toEqual(INTERNAL);
      expect(error.message).not.toMatch(/inner workings|RangeError/);
    }
  });

  it('says the same of every unexpected error, the reference aside', async () => {
    const wordsOf = async (thrown: unknown) =>
      (await failureOf(thrown, { maskUnexpectedErrors: true })).message.replace(/[0-9a-f-]{36}/, '');
    expect(await wordsOf('one')).toBe(await wordsOf(new TypeError('two')));
    expect(await wordsOf(revoked.proxy)).toBe(await wordsOf(undefined));
  });

  it('leaves a ToolError as it stands', async () => {
    const thrown = new ToolError({ code: 'no_luck', message: 'No luck today.', retryable: true });
    expect(await failureOf(thrown, { maskUnexpectedErrors: true })).toMatchObject({
      code: 'no_luck',
      message: 'No luck today.',
    });
  });
});
