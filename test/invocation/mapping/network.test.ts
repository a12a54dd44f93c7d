/**
 * What broken connections, time limits and aborted requests mean.
 * Invariant: the errors of fetch and of sockets are real ones; those of axios and undici have their shapes.
 */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createContext, runInContext } from 'node:vm';
import { type FailingService, startFailingService } from '../../fixtures/failing-service';
import { failureOf, failureOfIdempotent, failureOfThrown } from '../../fixtures/thrown-outcomes';

let service: FailingService;
let closedPort: string;
beforeAll(async () => {
  service = await startFailingService();
  const gone = await startFailingService();
  await gone.close();
  closedPort = gone.url;
});
afterAll(() => service.close());

function coded(code: string, more: object = {}): Error {
  return Object.assign(new Error(`${code} postgres://app:pw-EXAMPLE@db/app`), { code, ...more });
}

const UNAVAILABLE = { code: 'unavailable', retryable: true };
const TIMEOUT = { code: 'timeout', retryable: true };
const OPEN = { code: 'outcome_unknown', retryable: false };

describe('fetch', () => {
  it.each([
    ['a reset connection', '/reset'],
    ['a closed connection', '/close'],
    ['an answer that is no HTTP', '/garbage'],
  ] as const)('that fails for %s may have done something', async (_case, path) => {
    const before = service.requests;
    const request = () => fetch(`${service.url}${path}`);
    expect(await failureOf(request)).toMatchObject(UNAVAILABLE);
    expect(await failureOf(request, { kind: 'write' })).toMatchObject(OPEN);
    expect(service.requests).toBe(before + 2);
  });

  it('whose body ends too soon may have done something', async () => {
    const request = async () => (await fetch(`${service.url}/half`)).text();
    expect(await failureOf(request)).toMatchObject(UNAVAILABLE);
    expect(await failureOf(request, { kind: 'destructive' })).toMatchObject(OPEN);
  });

  it('that is out of its own time may have done something', async () => {
    const request = () => fetch(`${service.url}/never`, { signal: AbortSignal.timeout(5) });
    expect(await failureOf(request)).toMatchObject(TIMEOUT);
    expect(await failureOf(request, { kind: 'write' })).toMatchObject(OPEN);
  });

  it('that the tool itself aborts may have done something', async () => {
    const request = () => fetch(`${service.url}/never`, { signal: AbortSignal.abort() });
    expect(await failureOf(request)).toMatchObject(TIMEOUT);
    expect(await failureOf(request, { kind: 'write' })).toMatchObject(OPEN);
  });

  it('that nobody listens to has sent nothing, whatever the tool does', async () => {
    const request = () => fetch(closedPort);
    expect(await failureOf(request)).toMatchObject(UNAVAILABLE);
    expect(await failureOf(request, { kind: 'write' })).toMatchObject(UNAVAILABLE);
  });

  it('that is used wrongly is an internal error', async () => {
    expect(await failureOf(() => fetch('nowhere://x'))).toMatchObject({
      code: 'internal_error',
      retryable: false,
    });
  });
});

it('a socket that nobody listens to has sent nothing', async () => {
  const open = () =>
    new Promise((_resolve, reject) => {
      connect(Number(new URL(closedPort).port), '127.0.0.1').on('error', reject);
    });
  expect(await failureOf(open, { kind: 'write' })).toMatchObject(UNAVAILABLE);
});

it("a timer of Node's that is aborted is out of time", async () => {
  expect(await failureOf(() => sleep(60_000, undefined, { signal: AbortSignal.timeout(5) }))).toMatchObject(
    TIMEOUT,
  );
});

describe('a code', () => {
  it.each([
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EMFILE',
    'UND_ERR_CONNECT_TIMEOUT',
  ])('%s comes before anything was sent', async (code) => {
    expect(await failureOfThrown(coded(code))).toMatchObject(UNAVAILABLE);
    expect(await failureOfThrown(coded(code), { kind: 'write' })).toMatchObject(UNAVAILABLE);
  });

  it.each([
    'ECONNRESET',
    'ECONNABORTED',
    'EPIPE',
    'EPROTO',
    'ERR_NETWORK',
    'HPE_INVALID_CONSTANT',
    'UND_ERR_SOCKET',
    'UND_ERR_DESTROYED',
  ])('%s may come after', async (code) => {
    expect(await failureOfThrown(coded(code))).toMatchObject(UNAVAILABLE);
    expect(await failureOfThrown(coded(code), { kind: 'write' })).toMatchObject(OPEN);
    expect(await failureOfIdempotent(() => Promise.reject(coded(code)))).toMatchObject({
      ...OPEN,
      retryable: true,
    });
  });

  it.each(['ETIMEDOUT', 'ESOCKETTIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])(
    '%s is a timeout',
    async (code) => {
      expect(await failureOfThrown(coded(code))).toMatchObject(TIMEOUT);
      expect(await failureOfThrown(coded(code), { kind: 'write' })).toMatchObject(OPEN);
    },
  );

  it.each(['ETIMEDOUT', 'ECONNRESET'])('%s of connecting comes before anything was sent', async (code) => {
    const thrown = coded(code, { syscall: 'connect' });
    expect(await failureOfThrown(thrown, { kind: 'write' })).toMatchObject(UNAVAILABLE);
  });

  it.each([
    ['EHOSTUNREACH', 'read'],
    ['ENETUNREACH', 'write'],
    ['ENETDOWN', 'read'],
    ['ENOBUFS', 'write'],
    ['ECONNREFUSED', 'writev'],
  ])('%s of an established connection (%s) may have done something', async (code, syscall) => {
    expect(await failureOfThrown(coded(code, { syscall }))).toMatchObject(UNAVAILABLE);
    expect(await failureOfThrown(coded(code, { syscall }), { kind: 'write' })).toMatchObject(OPEN);
  });

  it.each(['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
    '%s is for operators, and nothing was sent',
    async (code) => {
      const error = await failureOfThrown(coded(code), { kind: 'write' });
      expect(error).toMatchObject({ code: 'internal_error', retryable: false });
      expect(error.message).not.toContain(code);
    },
  );

  it.each(['ENOENT', 'EACCES', 'ERR_INVALID_ARG_TYPE', 'toString', '__proto__', ''])(
    '%j means nothing',
    async (code) => {
      expect(await failureOfThrown(coded(code))).toMatchObject({ code: 'internal_error', retryable: false });
    },
  );

  it('says nothing of the error itself', async () => {
    for (const code of ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'CERT_HAS_EXPIRED']) {
      expect(JSON.stringify(await failureOfThrown(coded(code)))).not.toMatch(/EXAMPLE|postgres/);
    }
  });
});

describe('axios', () => {
  const axiosError = (code: string, more: object = {}) =>
    coded(code, { name: 'AxiosError', isAxiosError: true, ...more });

  it('is out of time by either of its codes', async () => {
    expect(await failureOfThrown(axiosError('ECONNABORTED'))).toMatchObject(TIMEOUT);
    expect(await failureOfThrown(axiosError('ETIMEDOUT'))).toMatchObject(TIMEOUT);
  });

  it('is aborted by code and by name', async () => {
    expect(await failureOfThrown(axiosError('ERR_CANCELED'))).toMatchObject(TIMEOUT);
    const named = Object.assign(new Error('canceled'), { name: 'CanceledError' });
    expect(await failureOfThrown(named)).toMatchObject(TIMEOUT);
  });

  it('lets the cause of a network error speak', async () => {
    const cause = new TypeError('fetch failed', { cause: coded('ECONNREFUSED') });
    expect(await failureOfThrown(axiosError('ERR_NETWORK', { cause }), { kind: 'write' })).toMatchObject(
      UNAVAILABLE,
    );
  });
});

describe('several errors', () => {
  const refused = () => coded('ECONNREFUSED', { syscall: 'connect' });

  it('are known where each of them is', async () => {
    const all = new AggregateError([refused(), coded('ETIMEDOUT', { syscall: 'connect' })]);
    expect(await failureOfThrown(Object.assign(all, { code: 'ETIMEDOUT' }), { kind: 'write' })).toMatchObject(
      UNAVAILABLE,
    );
    const crowd = Array.from({ length: 11 }, refused);
    for (const parts of [
      [refused(), new Error('no')],
      [refused(), 'no'],
      [refused(), undefined],
      [],
      crowd,
    ]) {
      expect(await failureOfThrown(new AggregateError(parts))).toMatchObject({ code: 'internal_error' });
    }
  });

  it('leave the outcome open where one of them does', async () => {
    for (const other of [refused(), { status: 404 }]) {
      const all = new AggregateError([other, coded('ECONNRESET')]);
      expect(await failureOfThrown(all, { kind: 'write' })).toMatchObject(OPEN);
    }
  });

  it('are not judged by what they have in common, where one of them is not known', async () => {
    const more = { code: 'ECONNREFUSED', cause: refused() };
    for (const parts of [[refused(), new Error('no')], Array.from({ length: 11 }, refused)]) {
      const all = Object.assign(new AggregateError(parts), more);
      expect(await failureOfThrown(all, { kind: 'write' })).toMatchObject({ code: 'internal_error' });
    }
  });

  it('ask for the longest of their waits', async () => {
    const busy = (status: number, wait: string) => ({ status, headers: { 'retry-after': wait } });
    const all = new AggregateError([busy(429, '5'), busy(503, '60'), busy(429, '7')]);
    expect(await failureOfThrown(all)).toMatchObject({ retryable: true, retryAfterMs: 60_000 });
    const hopeless = new AggregateError([busy(429, '5'), { status: 404 }]);
    expect(await failureOfThrown(hopeless)).not.toHaveProperty('retryAfterMs');
  });

  it('are final where one of them is', async () => {
    const all = new AggregateError([coded('ECONNRESET'), { status: 404 }]);
    expect(await failureOfThrown(all)).toMatchObject({ code: 'invalid_input', retryable: false });
  });
});

describe('an error that is hard to look at', () => {
  it('is known when it is of another realm', async () => {
    const thrown: unknown = runInContext(
      "Object.assign(new Error('x'), { code: 'ECONNREFUSED' })",
      createContext({}),
    );
    expect(thrown instanceof Error).toBe(false);
    expect(await failureOfThrown(thrown)).toMatchObject(UNAVAILABLE);
  });

  it('is known by what can be read of it', async () => {
    const throwing = (...names: readonly string[]) => {
      const thrown = coded('ECONNREFUSED');
      for (const name of names) {
        Object.defineProperty(thrown, name, {
          get() {
            throw new Error('do not look');
          },
        });
      }
      return thrown;
    };
    const hostile = throwing('stack', 'status', 'response', 'errors', 'syscall', 'cause', 'message', 'name');
    expect(await failureOfThrown(hostile)).toMatchObject(UNAVAILABLE);
    expect(await failureOfThrown(throwing('code'))).toMatchObject({ code: 'internal_error' });
  });

  it('is an internal error when its causes go round, or never end', async () => {
    const round = new Error('round');
    round.cause = new Error('inner', { cause: round });
    const wide: { errors: unknown[] } = { errors: [] };
    wide.errors = [wide, ...Array.from({ length: 1_000 }, () => wide)];
    const endless = (): object =>
      new Proxy(new Error('endless'), {
        get: (_target, name) => (name === 'cause' ? endless() : name === 'errors' ? [endless()] : undefined),
      });
    for (const thrown of [round, wide, endless()]) {
      expect(await failureOfThrown(thrown)).toMatchObject({ code: 'internal_error', retryable: false });
    }
  });

  it('is known by a cause that is not too deep', async () => {
    const deep = (levels: number): unknown =>
      levels === 0 ? coded('ECONNREFUSED') : new Error('outer', { cause: deep(levels - 1) });
    expect(await failureOfThrown(deep(20))).toMatchObject(UNAVAILABLE);
    expect(await failureOfThrown(deep(200))).toMatchObject({ code: 'internal_error' });
  });
});
