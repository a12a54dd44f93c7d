/**
 * The cases of side effects: repeated calls and calls whose outcome is not known, by their ids.
 * Invariant: every one holds through a real call with the ledger that a toolkit has by itself.
 */
import { type InvokeOptions, ToolError, type ToolResult } from 'toolcrib';
import { byHand, codeOf, keyedToolkit, onlyEntryOf } from '../fixtures/ledger-calls';
import { toolkitRunning } from '../fixtures/recorded-toolkit';

const ada: InvokeOptions = { principal: { id: 'ada', scopes: [] }, conversationId: 'talk' };
const bob: InvokeOptions = { principal: { id: 'bob', scopes: [] }, conversationId: 'talk' };
const order = { note: 'o1', id: 500 };

describe('CON-01: the same side effect twice at once', () => {
  it.each([2, 10, 100])('is executed once for %d calls together, who all get the result', async (count) => {
    let executions = 0;
    const { run } = await keyedToolkit(async () => {
      executions += 1;
      await new Promise(setImmediate);
      return { charged: executions };
    });
    const together = await Promise.all(Array.from({ length: count }, () => run(order, ada)));
    for (const result of together) expect(result).toEqual({ success: true, result: { charged: 1 } });
    expect(executions).toBe(1);
    expect(await run(order, ada)).toEqual({ success: true, result: { charged: 1 } });
    expect(await run({ note: 'o2', id: 500 }, ada)).toEqual({ success: true, result: { charged: 2 } });
  });

  it.each([2, 10, 100])('is executed once for a call id that comes %d times', async (count) => {
    let executions = 0;
    const { run } = await toolkitRunning(
      () => {
        executions += 1;
        return executions;
      },
      { kind: 'write' },
    );
    const same = { ...ada, callId: 'call-1' };
    const results = await Promise.all(Array.from({ length: count }, () => run({ id: 1 }, same)));
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(executions).toBe(1);
    for (const other of [{ callId: 'call-2' }, { conversationId: 'other' }, { principal: bob.principal }])
      expect(await run({ id: 1 }, { ...same, ...other })).toMatchObject({ success: true });
    expect(executions).toBe(4);
  });

  it('is the same one by a business key in another conversation', async () => {
    const handler = jest.fn(() => 'charged');
    const { run } = await keyedToolkit(handler);
    await run(order, ada);
    const elsewhere = { ...ada, conversationId: 'another', turnId: 'later', callId: 'call-9' };
    expect(await run(order, elsewhere)).toEqual({ success: true, result: 'charged' });
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it.each<readonly [string, object, InvokeOptions]>([
    ['other arguments', { note: 'o1', id: 501 }, ada],
    ['another principal', order, bob],
    ['nobody known', order, {}],
  ])('is refused with %s, and without the result', async (_case, args, options) => {
    const handler = jest.fn(() => 'secret-result');
    const { run } = await keyedToolkit(handler);
    await run(order, ada);
    const result = await run(args, options);
    expect(result).toMatchObject({ success: false, error: { code: 'duplicate_call', retryable: false } });
    expect(JSON.stringify(result)).not.toContain('secret-result');
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('is refused with another principal also while it runs', async () => {
    const { promise, resolve } = byHand();
    const { run } = await keyedToolkit(() => promise);
    const first = run(order, ada);
    expect(codeOf(await run(order, bob))).toBe('duplicate_call');
    resolve('charged');
    expect(await first).toEqual({ success: true, result: 'charged' });
  });

  it('tells a principal called null from nobody', async () => {
    const { run } = await keyedToolkit(() => 'charged');
    await run(order);
    expect(codeOf(await run(order, { principal: { id: 'null', scopes: [] } }))).toBe('duplicate_call');
    expect(codeOf(await run(order))).toBeUndefined();
  });

  it('is tried again where it definitely failed', async () => {
    const answers = [
      () => {
        throw new ToolError({ code: 'card_declined', message: 'Declined.', retryable: true });
      },
      () => 'charged',
    ];
    const { run, toolkit } = await keyedToolkit(() => answers.shift()?.());
    expect(codeOf(await run(order, ada))).toBe('card_declined');
    expect(await toolkit.ledger?.list()).toEqual([]);
    expect(await run(order, ada)).toEqual({ success: true, result: 'charged' });
  });

  it('is executed by one twin after the other where each definitely fails', async () => {
    let executions = 0;
    const { run } = await keyedToolkit(async () => {
      executions += 1;
      await new Promise(setImmediate);
      if (executions < 3) throw new ToolError({ code: 'busy', message: 'Busy.', retryable: true });
      return 'charged';
    });
    const results = await Promise.all(Array.from({ length: 10 }, () => run(order, ada)));
    expect(results.filter(({ success }) => !success)).toHaveLength(2);
    expect(executions).toBe(3);
  });

  it.each<readonly [string, 'executed' | 'not_executed', ToolResult<unknown>]>([
    ['the result that a person gives', 'executed', { success: true, result: { found: true } }],
    ['a new execution', 'not_executed', { success: true, result: 'charged' }],
  ])('is blocked after a reset, until settled: then %s', async (_case, outcome, expected) => {
    let executions = 0;
    const { run, toolkit } = await keyedToolkit(() => {
      executions += 1;
      if (executions === 1) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
      return 'charged';
    });
    const fresh = (turnId: string) => run(order, { ...ada, turnId });
    expect(codeOf(await fresh('t1'))).toBe('outcome_unknown');
    expect(codeOf(await fresh('t2'))).toBe('outcome_unknown');
    expect(executions).toBe(1);
    const [entry] = (await toolkit.ledger?.list({ state: 'unknown' })) ?? [];
    const settlement = outcome === 'executed' ? { outcome, result: { found: true } } : { outcome };
    expect(await toolkit.ledger?.settle(entry?.key ?? '', settlement)).toBe(true);
    expect(await fresh('t3')).toEqual(expected);
    expect(executions).toBe(outcome === 'executed' ? 1 : 2);
  });

  it('is answered by its call id within the turn that it failed in, once settled', async () => {
    const handler = jest.fn(() => {
      throw new Error('?');
    });
    const { run, toolkit } = await keyedToolkit(handler);
    const turn = { ...ada, turnId: 't1', callId: 'call-1' };
    expect(codeOf(await run(order, turn))).toBe('internal_error');
    const entry = await onlyEntryOf(toolkit.ledger);
    await toolkit.ledger?.settle(entry?.key ?? '', { outcome: 'executed', result: 'by hand' });
    expect(codeOf(await run(order, { ...turn, callId: 'call-2' }))).toBe('retry_refused');
    expect(await run(order, turn)).toEqual({ success: true, result: 'by hand' });
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('is none where the tool only reads', async () => {
    const handler = jest.fn(() => 'read');
    const { run, toolkit } = await keyedToolkit(handler, { kind: 'none' });
    await Promise.all([run(order, ada), run(order, ada), run(order, ada)]);
    expect(handler).toHaveBeenCalledTimes(3);
    expect(await toolkit.ledger?.list()).toEqual([]);
  });

  it('is executed as often as it is called where the ledger is off', async () => {
    const handler = jest.fn(() => 'charged');
    const { run, toolkit } = await keyedToolkit(handler, { ledger: false });
    await Promise.all([run(order, ada), run(order, ada), run(order, ada)]);
    expect(handler).toHaveBeenCalledTimes(3);
    expect(toolkit.ledger).toBeUndefined();
  });
});

describe('ENV-14 and ENV-15: a handler that outlives its call', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** A call whose handler runs beyond its deadline. */
  async function outlived() {
    const hand = byHand();
    const handler = jest.fn(() => hand.promise);
    const { run, toolkit, log } = await keyedToolkit(handler, { tool: { timeoutMs: 50 } });
    const call = run(order, { ...ada, turnId: 't1' });
    await jest.advanceTimersByTimeAsync(50);
    expect(codeOf(await call)).toBe('outcome_unknown');
    const again = () => run(order, { ...ada, turnId: 't2' });
    return { ...hand, handler, toolkit, log, again, turn: () => jest.advanceTimersByTimeAsync(0) };
  }

  it('ENV-14: blocks the key as long as nobody knows', async () => {
    const { again, handler, toolkit } = await outlived();
    expect(codeOf(await again())).toBe('outcome_unknown');
    expect(handler).toHaveBeenCalledTimes(1);
    expect(await onlyEntryOf(toolkit.ledger)).toMatchObject({ state: 'unknown', callId: expect.any(String) });
    expect(jest.getTimerCount()).toBe(0);
  });

  it('ENV-15: records a late success, which a later call gets', async () => {
    const { again, handler, resolve, turn, toolkit, log } = await outlived();
    resolve({ done: true });
    await turn();
    expect(await onlyEntryOf(toolkit.ledger)).toMatchObject({
      state: 'finished',
      result: { success: true, result: { done: true } },
    });
    expect(await again()).toEqual({ success: true, result: { done: true } });
    expect(handler).toHaveBeenCalledTimes(1);
    expect(log.filter(({ fields }) => 'late' in fields)).toHaveLength(1);
  });

  it('ENV-15: records a late output that is no JSON as invalid', async () => {
    const { again, resolve, turn } = await outlived();
    resolve(10n);
    await turn();
    expect(codeOf(await again())).toBe('invalid_output');
  });

  it('ENV-15: leaves a late rejection unknown, scrubbed and heard', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    const { again, reject, turn, log } = await outlived();
    reject(new Error('late, Bearer t0k-EXAMPLE'));
    await turn();
    expect(codeOf(await again())).toBe('outcome_unknown');
    expect(JSON.stringify(log)).not.toContain('t0k-EXAMPLE');
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('ENV-15: frees the key where the late failure says that nothing was done', async () => {
    const { again, handler, reject, turn } = await outlived();
    reject(new ToolError({ code: 'card_declined', message: 'Declined.', retryable: false }));
    await turn();
    const second = again();
    await jest.advanceTimersByTimeAsync(50);
    expect(codeOf(await second)).toBe('card_declined');
    expect(handler).toHaveBeenCalledTimes(2);
  });

  it('ENV-15: a late success changes nothing once a person has settled', async () => {
    const { again, resolve, turn, toolkit } = await outlived();
    const entry = await onlyEntryOf(toolkit.ledger);
    await toolkit.ledger?.settle(entry?.key ?? '', { outcome: 'executed', result: 'by hand' });
    resolve('late');
    await turn();
    expect(await again()).toEqual({ success: true, result: 'by hand' });
  });
});
