/**
 * Ledgers that fail, hang or answer late.
 * Invariant: without a claim nothing begins, and what was carried out is said to have been.
 */
import { type InvokeOptions, type Ledger, type LedgerOutcome, MemoryLedger, ToolError } from 'toolcrib';
import { brokenLedger, byHand, codeOf, keyedToolkit, onlyEntryOf } from '../../fixtures/ledger-calls';

const same: InvokeOptions = {
  principal: { id: 'ada', scopes: [] },
  conversationId: 'talk',
  callId: 'call-1',
};
const order = { note: 'o1', id: 500 };
const down = () => Promise.reject(new Error('down, postgres://u:p4ss-EXAMPLE@db/x'));
const hanging = () => new Promise<never>(() => {});

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

/** A ledger whose `end` is another for one outcome. */
function endingOtherwise(state: LedgerOutcome['state'], end: Ledger['end'], whole: Ledger): Ledger {
  return brokenLedger(
    { end: (...args) => (args[2].state === state ? end(...args) : whole.end(...args)) },
    whole,
  );
}

describe('claiming', () => {
  it.each<readonly [string, Ledger['claim']]>([
    ['rejects', down],
    [
      'throws',
      () => {
        throw new Error('down, postgres://u:p4ss-EXAMPLE@db/x');
      },
    ],
    ['hangs', hanging],
  ])('that %s begins nothing, and says so', async (_case, claim) => {
    const handler = jest.fn(() => 'done');
    const tool = { timeoutMs: 50 };
    const { run, log } = await keyedToolkit(handler, { ledger: brokenLedger({ claim }), tool });
    const call = run(order, same);
    await jest.advanceTimersByTimeAsync(50);
    expect(await call).toMatchObject({ success: false, error: { code: 'unavailable', retryable: true } });
    expect(handler).not.toHaveBeenCalled();
    const fields = { tool: 'test.run@1.0.0', callId: 'call-1', principal: 'ada', code: 'unavailable' };
    expect(log).toMatchObject([{ level: 'warn', fields }]);
    expect(JSON.stringify(log)).not.toContain('p4ss-EXAMPLE');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('that is granted after the call was stopped is freed', async () => {
    const granting = byHand();
    const whole = new MemoryLedger();
    const ledger = brokenLedger({ claim: (claim) => granting.promise.then(() => whole.claim(claim)) }, whole);
    const handler = jest.fn(() => 'done');
    const controller = new AbortController();
    const { run } = await keyedToolkit(handler, { ledger });
    const call = run(order, { ...same, signal: controller.signal });
    await jest.advanceTimersByTimeAsync(0);
    controller.abort();
    expect(codeOf(await call)).toBe('cancelled');
    granting.resolve(undefined);
    await jest.advanceTimersByTimeAsync(0);
    expect(await whole.list()).toEqual([]);
    expect(codeOf(await run(order, same))).toBeUndefined();
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('that fails after the call was stopped does no harm', async () => {
    const granting = byHand();
    const ledger = brokenLedger({ claim: () => granting.promise.then(down) });
    const { run } = await keyedToolkit(() => 'done', { ledger, tool: { timeoutMs: 50 } });
    const call = run(order, same);
    await jest.advanceTimersByTimeAsync(50);
    expect(codeOf(await call)).toBe('unavailable');
    granting.resolve(undefined);
    await jest.advanceTimersByTimeAsync(0);
  });

  it('that is refused by a full ledger is unavailable', async () => {
    const ledger = new MemoryLedger({ maxEntries: 1 });
    const { run } = await keyedToolkit(
      () => {
        throw new Error('?');
      },
      { ledger },
    );
    expect(codeOf(await run(order, same))).toBe('internal_error');
    expect(codeOf(await run({ note: 'o2' }, same))).toBe('unavailable');
  });
});

describe('waiting for a twin', () => {
  async function twins(options: { ledger?: Ledger } = {}, second: InvokeOptions = {}) {
    const hand = byHand();
    const handler = jest.fn(() => hand.promise);
    const kept = await keyedToolkit(handler, { ...options, tool: { timeoutMs: 1_000 } });
    const first = kept.run(order, same);
    await jest.advanceTimersByTimeAsync(0);
    const twin = kept.run(order, { ...same, ...second });
    await jest.advanceTimersByTimeAsync(0);
    return { ...kept, ...hand, handler, first, twin };
  }

  it('ends with the deadline of the one that waits, whose outcome is not known', async () => {
    const { toolkit, first, twin, resolve, handler, log } = await twins({}, { timeoutMs: 50 });
    const ends = new Date((await onlyEntryOf(toolkit.ledger))?.leaseEndsAt ?? 0).toISOString();
    await jest.advanceTimersByTimeAsync(50);
    const message = expect.stringContaining(ends);
    expect(await twin).toMatchObject({ success: false, error: { code: 'outcome_unknown', message } });
    resolve('done');
    expect(await first).toEqual({ success: true, result: 'done' });
    expect(handler).toHaveBeenCalledTimes(1);
    expect(log).toMatchObject([{ level: 'warn' }]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is cancelled with the one that waits', async () => {
    const controller = new AbortController();
    const { first, twin, resolve } = await twins({}, { signal: controller.signal });
    controller.abort();
    expect(codeOf(await twin)).toBe('cancelled');
    resolve('done');
    expect(await first).toEqual({ success: true, result: 'done' });
  });

  it('has the outcome of the one that is out of time', async () => {
    const { first, twin, handler } = await twins();
    await jest.advanceTimersByTimeAsync(1_000);
    expect([codeOf(await first), codeOf(await twin)]).toEqual(['outcome_unknown', 'outcome_unknown']);
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('ends where the ledger fails meanwhile, and says that the twin runs', async () => {
    const { first, twin, resolve, handler, log } = await twins({ ledger: brokenLedger({ settled: down }) });
    expect(await twin).toMatchObject({ error: { code: 'outcome_unknown', retryable: false } });
    expect(log[0]).toMatchObject({ level: 'warn', fields: { error: {} } });
    expect(JSON.stringify(log)).not.toContain('p4ss-EXAMPLE');
    resolve('done');
    await first;
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('goes on where the twin came to nothing', async () => {
    const { first, twin, reject, handler } = await twins();
    handler.mockImplementation(async () => 'second');
    reject(new ToolError({ code: 'busy', message: 'Busy.', retryable: true }));
    expect(codeOf(await first)).toBe('busy');
    expect(await twin).toEqual({ success: true, result: 'second' });
  });
});

describe('ending', () => {
  it.each<readonly [string, Ledger['end']]>([
    ['rejects', down],
    ['hangs', hanging],
    ['says that the claim is not held', async () => false],
  ])('that %s after the action says that it was carried out', async (_case, end) => {
    const whole = new MemoryLedger();
    const handler = jest.fn(() => 'done');
    const ledger = endingOtherwise('finished', end, whole);
    const { run, log } = await keyedToolkit(handler, { ledger });
    const call = run(order, same);
    await jest.advanceTimersByTimeAsync(5_000);
    const result = await call;
    expect(result).toMatchObject({ success: false, error: { code: 'outcome_unknown', retryable: false } });
    expect(JSON.stringify(result)).toContain('was carried out');
    expect(log.filter(({ level }) => level === 'error')).toHaveLength(1);
    expect(JSON.stringify([result, log])).not.toContain('p4ss-EXAMPLE');
    expect(await onlyEntryOf(whole)).toMatchObject({ state: 'running' });
    expect(jest.getTimerCount()).toBe(0);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(codeOf(await run(order, same))).toBe('outcome_unknown');
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it.each<readonly [LedgerOutcome['state'], unknown, string]>([
    ['free', new ToolError({ code: 'busy', message: 'Busy.', retryable: true }), 'busy'],
    ['unknown', new Error('?'), 'internal_error'],
  ])('that fails where the claim would be %s leaves the answer as it is', async (state, thrown, code) => {
    const ledger = endingOtherwise(state, down, new MemoryLedger());
    const { run, log } = await keyedToolkit(
      () => {
        throw thrown;
      },
      { ledger },
    );
    expect(codeOf(await run(order, same))).toBe(code);
    expect(log).toContainEqual({
      level: 'warn',
      fields: expect.objectContaining({ callId: 'call-1', error: expect.anything() }),
    });
  });

  it('that fails with a pause still lets the run pause', async () => {
    const ledger = endingOtherwise('paused', down, new MemoryLedger());
    const pause = new Error('Go on?');
    const { run } = await keyedToolkit(() => Promise.reject(pause), { ledger });
    const isPause = (error: unknown) => error === pause;
    await expect(run(order, { ...same, isPause })).rejects.toBe(pause);
  });

  it('survives a logger that throws', async () => {
    const fail = () => {
      throw new Error('log');
    };
    const ledger = endingOtherwise('finished', down, new MemoryLedger());
    const logger = { debug: fail, info: fail, warn: fail, error: fail };
    const { run } = await keyedToolkit(() => 'done', { ledger, logger });
    expect(codeOf(await run(order, same))).toBe('outcome_unknown');
  });
});
