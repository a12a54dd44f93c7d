/**
 * The stage `claim`: what becomes of a claim however its call ends.
 * Invariant: whatever a handler may have done is never done again before it is known.
 */
import {
  createToolkit,
  type InvokeOptions,
  type LedgerOutcome,
  MemoryLedger,
  Scopes,
  SideEffect,
  ToolError,
} from 'toolcrib';
import { brokenLedger, byHand, codeOf, keyedToolkit, onlyEntryOf } from '../../fixtures/ledger-calls';
import { limitedToolkit } from '../../fixtures/limited-toolkit';
import { recordingLogger } from '../../fixtures/recorded-toolkit';
import { declareTool } from '../../fixtures/untyped-declarations';

const ada: InvokeOptions = { principal: { id: 'ada', scopes: [] }, conversationId: 'talk' };
const order = { note: 'o1', id: 500 };
const same: InvokeOptions = { ...ada, callId: 'call-1' };

describe('an entry', () => {
  it('says what was claimed, the arguments only as a hash', async () => {
    const { run, toolkit } = await keyedToolkit(() => ({ charged: true }));
    await run({ ...order, free: { password: 'hunter2-EXAMPLE' } }, same);
    const entry = await onlyEntryOf(toolkit.ledger);
    expect(entry).toMatchObject({
      state: 'finished',
      tool: 'test.run@1.0.0',
      principalId: 'ada',
      callId: 'call-1',
      key: expect.stringMatching(/^[0-9a-f]{64}$/),
      argumentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      result: { success: true, result: { charged: true } },
    });
    expect(JSON.stringify(entry)).not.toMatch(/hunter2|"o1"/);
    expect(Object.keys(entry ?? {})).not.toContain('arguments');
  });

  it('has the arguments where they are asked for, with secrets masked', async () => {
    const { run, toolkit } = await keyedToolkit(() => 'done', { recordArguments: true });
    await run({ ...order, free: { password: 'hunter2-EXAMPLE' } }, same);
    const entry = await onlyEntryOf(toolkit.ledger);
    expect(entry?.arguments).toMatchObject({ note: 'o1', id: 500 });
    expect(JSON.stringify(entry)).not.toContain('hunter2');
  });

  it('has the key that the handler is given, and a lease beyond its time', async () => {
    const keys: string[] = [];
    const leases: number[] = [];
    const whole = new MemoryLedger();
    const ledger = brokenLedger(
      {
        claim: (claim) => {
          leases.push(claim.leaseMs);
          return whole.claim(claim);
        },
      },
      whole,
    );
    const { run } = await keyedToolkit((_input, { idempotencyKey }) => keys.push(idempotencyKey), {
      ledger,
      tool: { timeoutMs: 10_000 },
    });
    await run(order, same);
    expect((await whole.get(keys[0] ?? ''))?.state).toBe('finished');
    expect(leases[0]).toBeGreaterThan(35_000);
    expect(leases[0]).toBeLessThanOrEqual(40_000);
  });
});

describe('a call whose handler did not begin', () => {
  it('frees the key: cancelled before', async () => {
    const handler = jest.fn(() => 'done');
    const { run, toolkit } = await keyedToolkit(handler);
    expect(codeOf(await run(order, { ...same, signal: AbortSignal.abort() }))).toBe('cancelled');
    expect(await onlyEntryOf(toolkit.ledger)).toBeUndefined();
    expect(codeOf(await run(order, same))).toBeUndefined();
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('frees the key: the queue was full', async () => {
    const hand = byHand();
    const { run, toolkit } = await keyedToolkit(() => hand.promise, {
      concurrency: { maxConcurrent: 1, maxQueued: 0 },
    });
    const first = run(order, ada);
    expect(codeOf(await run({ note: 'o2' }, ada))).toBe('unavailable');
    expect(await toolkit.ledger?.list()).toMatchObject([{ state: 'running' }]);
    hand.resolve('done');
    await first;
    expect(codeOf(await run({ note: 'o2' }, ada))).toBeUndefined();
  });

  it('frees the key: the breaker was open', async () => {
    const out = () => {
      throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    };
    const { run, toolkit } = await keyedToolkit(out, { circuitBreaker: { failureThreshold: 1 } });
    expect(codeOf(await run(order, ada))).toBe('unavailable');
    expect(codeOf(await run({ note: 'o2' }, ada))).toBe('unavailable');
    expect(await toolkit.ledger?.list()).toEqual([]);
  });

  it('does not begin it once the claim has ended', async () => {
    const hand = byHand();
    const handler = jest.fn(() => hand.promise);
    const ending = byHand<boolean>();
    const whole = new MemoryLedger();
    const end = (...args: [string, string, LedgerOutcome]) =>
      args[2].state === 'free' ? ending.promise.then(() => whole.end(...args)) : whole.end(...args);
    const { run } = await keyedToolkit(handler, {
      ledger: brokenLedger({ end }, whole),
      concurrency: { maxConcurrent: 1 },
      interceptors: [
        {
          stage: 'execute',
          run: (call, next) => {
            const going = next();
            const given = { code: 'given_up', message: 'Given up.', retryable: false };
            const isFirst = Object(call.input).note === 'o1';
            return isFirst ? going : Promise.resolve({ success: false, error: given });
          },
        },
      ],
    });
    const first = run(order, ada);
    const givenUp = run({ note: 'o2' }, ada);
    await new Promise(setImmediate);
    hand.resolve('done');
    await first;
    await new Promise(setImmediate);
    ending.resolve(true);
    expect(codeOf(await givenUp)).toBe('given_up');
    expect(handler).toHaveBeenCalledTimes(1);
  });
});

describe('a call whose handler began', () => {
  it.each<readonly [string, () => unknown, string, string]>([
    ['unexpectedly', () => new Error('?'), 'internal_error', 'unknown'],
    [
      'with a reset',
      () => Object.assign(new Error('r'), { code: 'ECONNRESET' }),
      'outcome_unknown',
      'unknown',
    ],
    ['with a 500', () => ({ status: 500 }), 'outcome_unknown', 'unknown'],
    ['with a 404', () => ({ status: 404 }), 'invalid_input', 'free'],
    [
      'with a refused connection',
      () => Object.assign(new Error('r'), { code: 'ECONNREFUSED' }),
      'unavailable',
      'free',
    ],
    ['by a ToolError', () => new ToolError({ code: 'no', message: 'No.', retryable: false }), 'no', 'free'],
  ])('and that failed %s', async (_case, thrown, code, state) => {
    const { run, toolkit } = await keyedToolkit(() => {
      throw thrown();
    });
    expect(codeOf(await run(order, same))).toBe(code);
    expect((await onlyEntryOf(toolkit.ledger))?.state).toBe(state === 'free' ? undefined : state);
  });

  it.each([
    [{ started: false }, 'free'],
    [{ started: true }, 'unknown'],
  ] as const)('and whose author says %j of its failure', async (said, state) => {
    const mapError = () => ({ code: 'depot_locked', message: 'Locked.', retryable: false, ...said });
    const handler = () => {
      throw new Error('locked');
    };
    const { run, toolkit } = await keyedToolkit(handler, { mapError });
    await run(order, same);
    expect((await onlyEntryOf(toolkit.ledger))?.state).toBe(state === 'free' ? undefined : state);
  });

  it('and that was cancelled is unknown', async () => {
    const controller = new AbortController();
    const { run, toolkit } = await keyedToolkit(() => {
      controller.abort();
      return new Promise(() => {});
    });
    expect(codeOf(await run(order, { ...same, signal: controller.signal }))).toBe('cancelled');
    expect((await onlyEntryOf(toolkit.ledger))?.state).toBe('unknown');
    expect(codeOf(await run(order, same))).toBe('outcome_unknown');
  });

  it('and answered an invalid output is finished, and not repeated', async () => {
    const handler = jest.fn(() => 10n);
    const { run } = await keyedToolkit(handler);
    const first = await run(order, same);
    expect(codeOf(first)).toBe('invalid_output');
    expect(await run(order, same)).toEqual(first);
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('and is idempotent makes its attempts inside one claim', async () => {
    const claims = jest.fn();
    const whole = new MemoryLedger();
    const claim: MemoryLedger['claim'] = (one) => {
      claims();
      return whole.claim(one);
    };
    const keys: string[] = [];
    const { call, notes } = await limitedToolkit(
      {
        'test.write': {
          kind: 'write',
          idempotent: true,
          run: ({ idempotencyKey }) => {
            keys.push(idempotencyKey);
            if (keys.length < 3) throw Object.assign(new Error('r'), { code: 'ECONNRESET' });
            return 'done';
          },
        },
      },
      { ledger: brokenLedger({ claim }, whole), retry: { baseDelayMs: 1 }, interceptors: [] },
    );
    expect(await call('test.write', same)).toEqual({ success: true, result: 'done' });
    expect(await call('test.write', same)).toEqual({ success: true, result: 'done' });
    expect([keys.length, new Set(keys).size, claims.mock.calls.length]).toEqual([3, 1, 2]);
    expect(notes).toEqual([]);
  });

  it.each([
    [{}, true],
    [{ idempotencyKey: () => 'one' }, false],
  ])('and is idempotent may be called again where that is another call: %j', async (keyed, retryable) => {
    class Resetting {
      execute(): never {
        throw Object.assign(new Error('r'), { code: 'ECONNRESET' });
      }
    }
    Scopes()(Resetting);
    SideEffect('write', { idempotent: true })(Resetting);
    const declared = { name: 'test.write', version: '1.0.0', description: 'Writes.', ...keyed };
    const toolkit = await createToolkit({
      discover: { classes: [declareTool(declared, Resetting)] },
      logger: recordingLogger([]),
      retry: false,
    });
    expect(await toolkit.invoke('test.write', {})).toMatchObject({
      error: { code: 'outcome_unknown', retryable },
    });
  });

  it('and may have acted once stays unknown, though its last attempt did nothing', async () => {
    const failures = [
      Object.assign(new Error('r'), { code: 'ECONNRESET' }),
      new ToolError({ code: 'locked', message: 'Locked.', retryable: false }),
    ];
    const { call, toolkit } = await limitedToolkit(
      {
        'test.write': {
          kind: 'write',
          idempotent: true,
          run: () => {
            throw failures.shift();
          },
        },
      },
      { retry: { baseDelayMs: 1 } },
    );
    expect(codeOf(await call('test.write', same))).toBe('locked');
    expect((await onlyEntryOf(toolkit.ledger))?.state).toBe('unknown');
  });

  it('and may have acted once stays unknown, though its last attempt did nothing, and said so late', async () => {
    const last = byHand();
    const attempts = [Promise.reject(Object.assign(new Error('r'), { code: 'ECONNRESET' })), last.promise];
    const { call, toolkit } = await limitedToolkit(
      {
        'test.write': { kind: 'write', idempotent: true, timeoutMs: 100, run: () => attempts.shift() },
      },
      { retry: { baseDelayMs: 1 } },
    );
    expect(codeOf(await call('test.write', same))).toBe('outcome_unknown');
    expect(attempts).toEqual([]);
    last.reject(new ToolError({ code: 'locked', message: 'Locked.', retryable: false }));
    await toolkit.close();
    expect((await onlyEntryOf(toolkit.ledger))?.state).toBe('unknown');
  });
});
