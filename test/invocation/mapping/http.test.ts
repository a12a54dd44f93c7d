/**
 * What the statuses of HTTP responses mean, and how long a response asks to wait.
 * Invariant: the peers are real: Node's fetch against a service on this machine; other clients by their shapes.
 */
import { type FailingService, startFailingService } from '../../fixtures/failing-service';
import { failureOf, failureOfIdempotent, failureOfThrown } from '../../fixtures/thrown-outcomes';

let service: FailingService;
beforeAll(async () => {
  service = await startFailingService();
});
afterAll(() => service.close());

/** Throws the response itself, as code around fetch does. */
async function throwResponse(path: string): Promise<never> {
  throw await fetch(`${service.url}${path}`);
}

const statuses: readonly (readonly [status: number, code: string, retryable: boolean])[] = [
  [400, 'invalid_input', false],
  [401, 'internal_error', false],
  [402, 'internal_error', false],
  [403, 'internal_error', false],
  [404, 'invalid_input', false],
  [407, 'internal_error', false],
  [408, 'internal_error', false],
  [409, 'invalid_input', false],
  [410, 'invalid_input', false],
  [412, 'invalid_input', false],
  [413, 'invalid_input', false],
  [418, 'internal_error', false],
  [422, 'invalid_input', false],
  [425, 'internal_error', false],
  [429, 'rate_limited', true],
  [500, 'unavailable', true],
  [501, 'internal_error', false],
  [502, 'unavailable', true],
  [503, 'unavailable', true],
  [504, 'timeout', true],
  [505, 'internal_error', false],
  [599, 'unavailable', true],
];

/** The ways in which clients carry a status. */
const carriers: readonly (readonly [client: string, make: (status: number) => unknown])[] = [
  ['a plain object', (status) => ({ status })],
  ['an error with status', (status) => Object.assign(new Error('no'), { status })],
  ['an error with statusCode', (status) => Object.assign(new Error('no'), { statusCode: status })],
  [
    'axios',
    (status) =>
      Object.assign(new Error(`Request failed with status code ${status}`), {
        isAxiosError: true,
        name: 'AxiosError',
        code: status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_BAD_RESPONSE',
        config: { headers: { Authorization: 'Bearer t0k-EXAMPLE' } },
        response: { status, headers: {}, data: 'secret-EXAMPLE' },
      }),
  ],
  ['got', (status) => Object.assign(new Error('no'), { response: { statusCode: status } })],
  ['a wrapped error', (status) => new Error('outer', { cause: new Error('middle', { cause: { status } }) })],
];

describe('a status', () => {
  // fetch itself fails on 407, which only proxies answer.
  it.each(statuses.filter(([status]) => status !== 407))(
    '%i of a thrown Response is %s, retryable: %s',
    async (status, code, retryable) => {
      const error = await failureOf(() => throwResponse(`/status/${status}`));
      expect(error).toEqual({ code, retryable, message: expect.stringContaining(String(status)) });
      expect(error.message).not.toContain('EXAMPLE');
    },
  );

  describe.each(carriers)('that %s carries', (_client, make) => {
    it('means the same', async () => {
      for (const [status, code, retryable] of statuses) {
        const error = await failureOfThrown(make(status));
        expect(error).toEqual({ code, retryable, message: expect.stringContaining(String(status)) });
        expect(error.message).not.toContain('EXAMPLE');
      }
    });
  });

  it('that is no failure means nothing', async () => {
    for (const status of [0, 200, 304, 399, 600, 429.5, '429', Number.NaN, null]) {
      expect(await failureOfThrown({ status })).toMatchObject({ code: 'internal_error', retryable: false });
    }
  });

  it('of the response counts before that of the error', async () => {
    const thrown = Object.assign(new Error('no'), { status: 500, response: { status: 404 } });
    expect(await failureOfThrown(thrown)).toMatchObject({ code: 'invalid_input' });
  });
});

describe('a status on a write tool', () => {
  it.each([
    ['400', false],
    ['404', false],
    ['409', false],
    ['429', false],
    ['500', true],
    ['502', true],
    ['503', true],
    ['503?retry-after=3', false],
    ['504', true],
  ] as const)('%s leaves the outcome open: %s', async (path, isOpen) => {
    for (const kind of ['write', 'destructive'] as const) {
      const error = await failureOf(() => throwResponse(`/status/${path}`), { kind });
      expect(error.code === 'outcome_unknown').toBe(isOpen);
      expect(error.retryable).toBe(!isOpen && (path === '429' || path.startsWith('503')));
    }
  });

  it('may be repeated where the tool is idempotent', async () => {
    expect(await failureOfIdempotent(() => Promise.reject({ status: 502 }))).toMatchObject({
      code: 'outcome_unknown',
      retryable: true,
    });
    expect(await failureOfIdempotent(() => Promise.reject({ status: 404 }))).toMatchObject({
      code: 'invalid_input',
    });
  });
});

describe('Retry-After', () => {
  const day = 86_400_000;

  it.each([
    ['30', 30_000],
    ['0', 0],
    ['999999999999', day],
    ['9'.repeat(64), day],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
    ['Sun Nov  6 08:49:37 1994', 0],
    ['Fri, 31 Dec 2999 23:59:59 GMT', day],
  ])('%s is %i ms', async (value, wait) => {
    const path = `/status/429?retry-after=${encodeURIComponent(value)}`;
    expect(await failureOf(() => throwResponse(path))).toMatchObject({
      code: 'rate_limited',
      retryable: true,
      retryAfterMs: wait,
    });
  });

  it('is read as a date from now', async () => {
    jest.useFakeTimers({ now: Date.UTC(2026, 0, 1), doNotFake: ['nextTick', 'queueMicrotask'] });
    try {
      const headers = { 'retry-after': 'Thu, 01 Jan 2026 00:00:42 GMT' };
      expect(await failureOfThrown({ status: 503, headers })).toMatchObject({ retryAfterMs: 42_000 });
    } finally {
      jest.useRealTimers();
    }
  });

  it.each(['-5', '1.5', '1e3', '', 'soon', 'Sun', 'Sunday, the sixth of November', '9'.repeat(65), '0x10'])(
    '%j is none',
    async (value) => {
      const error = await failureOfThrown({ status: 429, headers: { 'retry-after': value } });
      expect(error).toEqual({ code: 'rate_limited', retryable: true, message: expect.any(String) });
    },
  );

  it.each([
    ['of a plain object', { status: 429, headers: { 'Retry-After': '7' } }],
    ['of a number', { status: 429, headers: { 'retry-after': 7 } }],
    ['of a list', { status: 429, headers: { 'retry-after': ['7', '8'] } }],
    ['of a response', { response: { status: 429, headers: { 'retry-after': '7' } } }],
    ['of Headers', { status: 429, headers: new Headers({ 'retry-after': '7' }) }],
    ['of a map', { status: 429, headers: new Map([['retry-after', '7']]) }],
    ['beside a response without headers', { response: { status: 429 }, headers: { 'retry-after': '7' } }],
  ])('is found in headers %s', async (_where, thrown) => {
    expect(await failureOfThrown(thrown)).toMatchObject({ code: 'rate_limited', retryAfterMs: 7_000 });
  });

  it('is left out of what is final', async () => {
    const headers = { 'retry-after': '7' };
    expect(await failureOfThrown({ status: 404, headers })).not.toHaveProperty('retryAfterMs');
    expect(await failureOfThrown({ status: 500, headers }, { kind: 'write' })).not.toHaveProperty(
      'retryAfterMs',
    );
  });

  it('is none where reading it throws', async () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('get');
        },
        ownKeys: () => {
          throw new Error('ownKeys');
        },
      },
    );
    for (const headers of [hostile, { get: hostile }, { get: () => hostile }]) {
      expect(await failureOfThrown({ status: 429, headers })).toMatchObject({ code: 'rate_limited' });
    }
  });
});
