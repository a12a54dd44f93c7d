/**
 * The cases of the envelope and of denials: failures that people met with systems like this one, by their ids.
 * Invariant: every one holds through a real call, and the answer is one well-formed envelope.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { type JsonValue, ToolError, type ToolResult, toWire } from 'toolcrib';
import { openDatabase } from '../../samples/orders/database';
import { type FailingService, startFailingService } from '../fixtures/failing-service';
import { type RecordedOptions, type RunHandler, runOnce, toolkitRunning } from '../fixtures/recorded-toolkit';

/** The answer on the wire, after a trip through JSON. */
function wireOf(result: ToolResult<JsonValue>): unknown {
  const wire = toWire(result);
  expect(JSON.parse(JSON.stringify(wire))).toEqual(wire);
  return wire;
}

async function wireOfHandler(handler: RunHandler, options?: RecordedOptions): Promise<unknown> {
  return wireOf((await runOnce(handler, options)).result);
}

function failed(code: string, retryable: boolean): object {
  return { isError: true, error: { code, retryable, message: expect.any(String) } };
}

function throwing(thrown: unknown): () => never {
  return () => {
    throw thrown;
  };
}

/** Every unhandled rejection that comes up while `act` runs. */
async function unhandledDuring(act: () => Promise<void>): Promise<readonly unknown[]> {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', listen);
  try {
    await act();
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', listen);
  }
  return unhandled;
}

describe('ENV-01: something thrown that is no Error', () => {
  const config = { headers: { Authorization: 'Bearer t0k-EXAMPLE' } };

  it.each<readonly [string, unknown, string, boolean]>([
    ['a text', 'quota exceeded', 'internal_error', false],
    ['a number', 429, 'internal_error', false],
    ['a response', { status: 503, body: 'busy', config }, 'unavailable', true],
    ['a symbol', Symbol('x'), 'internal_error', false],
    ['an object', { config }, 'internal_error', false],
  ])('is answered with words and a code: %s', async (_case, thrown, code, retryable) => {
    const wire = await wireOfHandler(throwing(thrown));
    expect(wire).toEqual(failed(code, retryable));
    expect(JSON.stringify(wire)).not.toMatch(/undefined|\[object |Symbol\(|t0k-EXAMPLE|Authorization/);
  });

  it('says the words of a text', async () => {
    expect(JSON.stringify(await wireOfHandler(throwing('quota exceeded')))).toContain('quota exceeded');
  });

  describe('by a real peer', () => {
    let service: FailingService;
    beforeAll(async () => {
      service = await startFailingService();
    });
    afterAll(() => service.close());

    it.each([
      ['/status/404', 'invalid_input', false],
      ['/status/429', 'rate_limited', true],
      ['/status/500', 'unavailable', true],
      ['/status/401', 'internal_error', false],
    ] as const)('such as the response of %s', async (path, code, retryable) => {
      const handler = async () => {
        throw await fetch(`${service.url}${path}`);
      };
      const wire = await wireOfHandler(handler);
      expect(wire).toEqual(failed(code, retryable));
      expect(JSON.stringify(wire)).not.toMatch(/t0k-EXAMPLE|127\.0\.0\.1/);
    });

    it('such as what fetch throws on a reset connection', async () => {
      const handler = () => fetch(`${service.url}/reset`);
      expect(await wireOfHandler(handler)).toEqual(failed('unavailable', true));
      expect(await wireOfHandler(handler, { kind: 'write' })).toEqual(failed('outcome_unknown', false));
    });
  });

  it("such as what the sample's database throws", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orders-'));
    const file = join(folder, 'orders.db');
    const orders = await openDatabase({ folder });
    try {
      const existing = await orders.selectFrom('orders').selectAll().executeTakeFirstOrThrow();
      const insert = () => orders.insertInto('orders').values(existing).execute();
      expect(await wireOfHandler(insert, { kind: 'write' })).toEqual(failed('invalid_input', false));
      await orders.destroy();
      copyFileSync(file, join(folder, 'busy.db'));
      const [holder, waiter] = [1, 1].map((timeout) => new Database(join(folder, 'busy.db'), { timeout }));
      holder?.exec('begin immediate');
      const busy = () => waiter?.exec('begin immediate');
      expect(await wireOfHandler(busy, { kind: 'write' })).toEqual(failed('unavailable', true));
      holder?.close();
      waiter?.close();
    } finally {
      await orders.destroy();
      rmSync(folder, { recursive: true });
    }
  });
});

describe('ENV-02: a rejection with nothing', () => {
  it.each<readonly [string, RunHandler]>([
    ['Promise.reject()', () => Promise.reject()],
    ['throw undefined', throwing(undefined)],
    ['throw null', throwing(null)],
    ['a rejection with null', () => new Promise((_resolve, reject) => reject(null))],
    ['a later rejection', () => new Promise((_resolve, reject) => setImmediate(reject))],
  ])('is answered at once: %s', async (_case, handler) => {
    const unhandled = await unhandledDuring(async () => {
      const wire = await wireOfHandler(handler);
      expect(wire).toEqual(failed('internal_error', false));
      expect(JSON.stringify(wire)).not.toMatch(/undefined|null/);
    });
    expect(unhandled).toEqual([]);
  });
});

describe('ENV-06: data that looks like an envelope', () => {
  const error = { code: 'E1', message: 'found in log', retryable: false };
  const upstream = { content: [{ type: 'text', text: 'upstream failed' }], isError: true };

  it.each<readonly [string, JsonValue]>([
    ['a failed envelope', { isError: true, error }],
    ['a failed result', { success: false, error }],
    ['a good envelope', { isError: false, result: 1 }],
    ["an upstream's result", upstream],
  ])('is data when a handler returns it: %s', async (_case, data) => {
    const { result, log } = await runOnce(() => data);
    expect(wireOf(result)).toEqual({ isError: false, result: data });
    expect(log).toEqual([]);
  });

  it('is no body of a failure when a handler throws it', async () => {
    for (const thrown of [{ isError: true, error }, { success: false, error }, error, upstream]) {
      expect(await wireOfHandler(throwing(thrown))).toEqual(failed('internal_error', false));
    }
  });

  it('is a failure where its author says so: by a ToolError, or by a mapping', async () => {
    const said = { code: 'upstream_failed', message: 'The upstream tool failed.', retryable: false };
    expect(await wireOfHandler(throwing(new ToolError(said)))).toEqual({ isError: true, error: said });
    const mapError = (thrown: unknown) => (thrown === upstream ? said : undefined);
    expect(await wireOfHandler(throwing(upstream), { mapError })).toEqual({ isError: true, error: said });
  });
});

describe('ENV-14: a handler that never settles', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([
    ['none', 'timeout', true],
    ['write', 'outcome_unknown', false],
    ['destructive', 'outcome_unknown', false],
  ] as const)('is answered at its deadline, on %s by %s', async (kind, code, retryable) => {
    const signals: AbortSignal[] = [];
    const answers: unknown[] = [];
    const { run } = await toolkitRunning(
      (_input, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      },
      { kind, tool: { timeoutMs: 50 } },
    );
    void run().then((result) => answers.push(wireOf(result)));
    await jest.advanceTimersByTimeAsync(49);
    expect(answers).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(answers).toEqual([failed(code, retryable)]);
    expect(signals).toMatchObject([{ aborted: true, reason: { name: 'TimeoutError' } }]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('or settles just at the deadline has one answer', async () => {
    const answers: unknown[] = [];
    const { run } = await toolkitRunning(() => new Promise((resolve) => setTimeout(resolve, 50, 'done')), {
      tool: { timeoutMs: 50 },
    });
    void run().then((result) => answers.push(wireOf(result)));
    await jest.advanceTimersByTimeAsync(100);
    expect(answers).toEqual([failed('timeout', true)]);
    expect(jest.getTimerCount()).toBe(0);
  });
});

it('ENV-14: a handler that blocks the process past its deadline has one answer', async () => {
  const { run } = await toolkitRunning(
    () => {
      // Nothing else runs meanwhile, timers neither.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      return 'done';
    },
    { tool: { timeoutMs: 1 } },
  );
  expect(wireOf(await run())).toEqual({ isError: false, result: 'done' });
});

/** A promise that a test settles. */
interface Deferred {
  readonly promise: Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

function deferred(): Deferred {
  let resolve: Deferred['resolve'] = () => {};
  let reject: Deferred['reject'] = () => {};
  const promise = new Promise((one, other) => {
    resolve = one;
    reject = other;
  });
  return { promise, resolve, reject };
}

describe('ENV-15: a handler that settles after its deadline', () => {
  it.each<readonly [string, (late: Deferred) => void]>([
    ['with an error', ({ reject }) => reject(new Error('late, Bearer t0k-EXAMPLE'))],
    ['with nothing', ({ reject }) => reject(undefined)],
    ['with a result', ({ resolve }) => resolve({ done: true })],
  ])('changes nothing, and is logged once: %s', async (_case, settle) => {
    const late = deferred();
    const unhandled = await unhandledDuring(async () => {
      const { run, log, toolkit } = await toolkitRunning(() => late.promise, {
        kind: 'write',
        tool: { timeoutMs: 1 },
      });
      const result = await run({}, { callId: 'call-1' });
      expect(wireOf(result)).toEqual(failed('outcome_unknown', false));
      settle(late);
      await toolkit.close();
      const told = log.filter(({ fields }) => 'late' in fields);
      expect(told).toMatchObject([{ level: 'warn', fields: { callId: 'call-1' } }]);
      expect(JSON.stringify(log)).not.toContain('t0k-EXAMPLE');
    });
    expect(unhandled).toEqual([]);
  });
});

it('SEC-10: a denial names the missing scopes, and nothing else of the configuration', async () => {
  const handler = jest.fn();
  const { run } = await toolkitRunning(handler, {
    toolScopes: ['billing:write'],
    scopes: ['billing:write', 'admin:clientSecret-EXAMPLE'],
    covers: (held, required) => held === required || held === 'admin:clientSecret-EXAMPLE',
  });
  const principal = { id: 'ann', scopes: ['billing:read'], clientSecret: 'EXAMPLE' };
  const wire = wireOf(await run({ note: 'argument-EXAMPLE' }, { principal }));
  expect(wire).toEqual({
    isError: true,
    error: {
      code: 'insufficient_scope',
      retryable: false,
      message: expect.stringContaining('billing:write'),
      detail: { missing: ['billing:write'] },
    },
  });
  expect(JSON.stringify(wire)).not.toContain('EXAMPLE');
  expect(handler).not.toHaveBeenCalled();
});
