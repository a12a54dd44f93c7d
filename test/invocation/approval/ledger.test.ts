/**
 * Approval beside the ledger: calls that come again, edited or not.
 * Invariant: nobody is asked in vain, and no call runs that nobody has approved.
 */
import { type ApprovalDecision, type Approver, MemoryLedger, ToolError } from 'toolcrib';
import { approve, DONE, destructive, REQUIRED } from '../../fixtures/approved-toolkit';
import { toolkitRunning } from '../../fixtures/recorded-toolkit';

const ada = { principal: { id: 'ada', scopes: [] }, conversationId: 't1', callId: 'c1' };
const deciding =
  (decision: ApprovalDecision): Approver =>
  () =>
    decision;
const edit = (args: object): ApprovalDecision => ({ type: 'edit', arguments: { ...args } });

describe('a call whose arguments were edited', () => {
  it.each([
    ['by its call id', {}],
    ['by its business key', { tool: { idempotencyKey: () => 'k' } }],
  ])('gets its recorded result when it comes again, %s', async (_case, options) => {
    const { run, ran, toolkit } = await destructive({ ...options, recordArguments: true });
    expect(await run({ id: 1 }, { ...ada, approver: deciding(edit({ id: 9 })) })).toEqual(DONE);
    expect(await run({ id: 1 }, { ...ada, approver: deciding(edit({ id: 9 })) })).toEqual(DONE);
    expect(await run({ id: 1 }, { ...ada, approver: deciding(approve) })).toEqual(DONE);
    expect(ran).toEqual([{ id: 9 }]);
    const [entry] = (await toolkit.ledger?.list()) ?? [];
    expect(entry).toMatchObject({ state: 'finished', arguments: { id: 9 } });
    expect(entry?.editedHash).not.toBe(entry?.argumentHash);
  });

  it.each([
    ['was edited otherwise', edit({ id: 9 })],
    ['was not edited', approve],
  ])('is another than the same that %s', async (_case, before) => {
    const { run, ran } = await destructive();
    expect(await run({ id: 1 }, { ...ada, approver: deciding(before) })).toEqual(DONE);
    expect(await run({ id: 1 }, { ...ada, approver: deciding(edit({ id: 8 })) })).toMatchObject({
      error: { code: 'duplicate_call' },
    });
    expect(ran).toHaveLength(1);
  });

  it('is another than one that is sent with the edited arguments', async () => {
    const { run, ran } = await destructive({ tool: { idempotencyKey: () => 'k' } });
    expect(await run({ id: 1 }, { ...ada, approver: deciding(edit({ id: 9 })) })).toEqual(DONE);
    expect(await run({ id: 9 }, { ...ada, approver: deciding(approve) })).toMatchObject({
      error: { code: 'duplicate_call' },
    });
    expect(ran).toHaveLength(1);
  });

  it('claims the business key of what runs', async () => {
    const keyed = { tool: { idempotencyKey: ({ id }: { id: number }) => `order ${id}` } };
    const { run, ran } = await destructive(keyed);
    expect(await run({ id: 1 }, { ...ada, approver: deciding(edit({ id: 9 })) })).toEqual(DONE);
    expect(await run({ id: 9 }, { ...ada, approver: deciding(approve) })).toMatchObject({
      error: { code: 'duplicate_call' },
    });
    expect(ran).toEqual([{ id: 9 }]);
  });
});

describe('nobody is asked about a call', () => {
  const bob = { ...ada, principal: { id: 'bob', scopes: [] } };
  const keyed = { idempotencyKey: () => 'k' };
  /** A toolkit whose own approver approves, and counts. */
  async function asking(options: Parameters<typeof destructive>[0] = {}) {
    const approver = jest.fn(deciding(approve));
    return { ...(await destructive({ tool: keyed, approval: { approver }, ...options })), approver };
  }

  it.each([
    ['that has finished', { id: 1 }, ada, DONE],
    ['that has finished under another call id', { id: 1 }, { ...ada, callId: 'c2' }, DONE],
    ['whose key was used with other arguments', { id: 2 }, ada, { error: { code: 'duplicate_call' } }],
    ['whose key was used by another principal', { id: 1 }, bob, { error: { code: 'duplicate_call' } }],
  ])('%s', async (_case, args, options, answer) => {
    const { run, ran, approver, toolkit } = await asking();
    expect(await run({ id: 1 }, ada)).toEqual(DONE);
    expect(await run(args, options)).toMatchObject(answer);
    expect(approver).toHaveBeenCalledTimes(1);
    expect(ran).toEqual([{ id: 1 }]);
    expect(await toolkit.approvals.list()).toEqual([]);
  });

  it('whose outcome is not known', async () => {
    const ledger = new MemoryLedger();
    const { run, ran, approver } = await asking({ ledger });
    await run({ id: 1 }, ada);
    const [entry] = await ledger.list();
    if (entry === undefined) throw new Error('nothing was claimed');
    const unknown = new MemoryLedger();
    const claimed = unknown.claim({ ...entry, leaseMs: 60_000 });
    if (claimed.claimed) unknown.end(entry.key, claimed.token, { state: 'unknown' });
    const other = await asking({ ledger: unknown });
    expect(await other.run({ id: 1 }, ada)).toMatchObject({ error: { code: 'outcome_unknown' } });
    expect(other.approver).not.toHaveBeenCalled();
    expect(other.ran).toEqual([]);
    await unknown.settle(entry.key, { outcome: 'not_executed' });
    expect(await other.run({ id: 1 }, ada)).toEqual(DONE);
    expect(other.approver).toHaveBeenCalledTimes(1);
    expect([ran, approver.mock.calls.length]).toEqual([[{ id: 1 }], 1]);
  });

  /** A toolkit whose handler goes on once so many calls wait for the first. */
  async function contended(waiting: number, end: () => string) {
    const ledger = new MemoryLedger();
    let goOn = () => {};
    const isWaitedFor = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let begin = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let waits = 0;
    const settled: MemoryLedger['settled'] = (key, signal) => {
      waits += 1;
      if (waits === waiting) goOn();
      return ledger.settled(key, signal);
    };
    const handler = jest.fn(async () => {
      begin();
      await isWaitedFor;
      return end();
    });
    const decisions: ApprovalDecision[] = [approve];
    const approver = jest.fn(() => decisions.shift());
    const recorded = await toolkitRunning(handler, {
      kind: 'destructive',
      tool: keyed,
      approval: { approver },
      ledger: Object.assign(Object.create(ledger), { settled }),
    });
    return { ...recorded, handler, approver, hasBegun };
  }

  it('that still runs, which gets what comes of it', async () => {
    const { run, approver, handler, hasBegun } = await contended(1, () => 'done');
    const first = run({ id: 1 }, ada);
    await hasBegun;
    expect(await Promise.all([first, run({ id: 1 }, ada)])).toEqual([DONE, DONE]);
    expect(approver).toHaveBeenCalledTimes(1);
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('but one whose answer has gone meanwhile does not run', async () => {
    const { run, approver, handler, hasBegun, toolkit } = await contended(3, () => {
      throw new ToolError({ code: 'full', message: 'It is full.', retryable: false });
    });
    const first = run({ id: 1 }, ada);
    await hasBegun;
    const others = await Promise.all(['c2', 'c3', 'c4'].map((callId) => run({ id: 1 }, { ...ada, callId })));
    expect(await first).toMatchObject({ error: { code: 'full' } });
    expect(others).toMatchObject([REQUIRED, REQUIRED, REQUIRED]);
    expect(approver).toHaveBeenCalledTimes(1);
    expect(handler).toHaveBeenCalledTimes(1);
    const kept = await toolkit.approvals.list();
    expect(kept).toHaveLength(1);
    const approvalId = kept[0]?.request.id;
    expect(others).toMatchObject(others.map(() => ({ error: { detail: { approvalId } } })));
    expect(await toolkit.ledger?.list()).toEqual([]);
  });

  it('but the door is asked each time', async () => {
    const door = jest.fn(deciding(approve));
    const { run, approver, ran } = await asking();
    const options = { ...ada, approver: door };
    expect([await run({ id: 1 }, options), await run({ id: 1 }, options)]).toEqual([DONE, DONE]);
    expect(door).toHaveBeenCalledTimes(2);
    expect(approver).not.toHaveBeenCalled();
    expect(ran).toHaveLength(1);
  });

  it('but where the ledger cannot be looked at, somebody is', async () => {
    const ledger = new MemoryLedger();
    const { run, approver, log } = await asking({
      ledger: Object.assign(Object.create(ledger), { get: () => Promise.reject(new Error('gone')) }),
    });
    expect(await run({ id: 1 }, ada)).toMatchObject(DONE);
    expect(approver).toHaveBeenCalledTimes(1);
    expect(log).toMatchObject([{ level: 'error' }]);
  });
});
