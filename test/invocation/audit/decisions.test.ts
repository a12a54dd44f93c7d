/**
 * What the audit trail says of approvals and settlements.
 * Invariant: every request, decision and settlement is in it once, with who decided where somebody is named.
 */
import { type AuditEvent, type AuditSink, MemoryLedger } from 'toolcrib';
import { approve, destructive } from '../../fixtures/approved-toolkit';
import { keepingSink, shortly } from '../../fixtures/audited-toolkit';
import { onlyEntryOf } from '../../fixtures/ledger-calls';
import { toolkitRunning } from '../../fixtures/recorded-toolkit';

const caller = { principal: { id: 'ada', scopes: [] }, callId: 'c1' };
let events: AuditEvent[];
beforeEach(() => {
  events = [];
});

it.each(['approve', 'reject', 'edit'] as const)('a request that is kept, and the word %s', async (word) => {
  const { run, toolkit } = await destructive({ audit: { sink: keepingSink(events) } });
  await run({ id: 1 }, caller);
  await run({ id: 1 }, caller);
  expect(shortly(events)).toEqual([
    'approval_requested',
    'call_refused approval_required',
    'call_refused approval_required',
  ]);
  const [open] = await toolkit.approvals.list();
  const id = open?.request.id ?? '';
  const { argumentHash } = events[0] ?? {};
  expect(events[0]).toMatchObject({
    approvalId: id,
    principalId: 'ada',
    callId: 'c1',
    tool: 'test.run@1.0.0',
  });
  events.length = 0;
  const by = { by: 'grace' };
  if (word === 'edit') await toolkit.approvals.edit(id, { id: 2 }, by);
  else await toolkit.approvals[word](id, by);
  // Only the first word counts.
  await toolkit.approvals.approve(id, { by: 'mallory' });
  const decided = { kind: 'approval_decided', outcome: word, by: 'grace', approvalId: id, argumentHash };
  expect(events).toMatchObject([decided]);
  events.length = 0;
  await run({ id: 1 }, caller);
  expect(shortly(events)).toEqual(
    word === 'reject' ? ['call_refused approval_rejected'] : ['call_started', 'call_ended succeeded'],
  );
  for (const event of events) expect(event.approvalId).toBe(id);
  // What ran is what the reviewer made of it.
  if (word === 'edit') {
    for (const event of events) expect(event.sentHash).toBe(argumentHash);
    expect(events[0]?.argumentHash).not.toBe(argumentHash);
  } else expect(events[0]).not.toHaveProperty('sentHash');
});

it('a refusal names the request that waits', async () => {
  const { run, toolkit } = await destructive({ audit: { sink: keepingSink(events) } });
  await run({}, caller);
  const [open] = await toolkit.approvals.list();
  expect(events).toMatchObject([{ approvalId: open?.request.id }, { approvalId: open?.request.id }]);
});

it.each([[{ type: 'approve', by: 'grace' } as const, 'grace'] as const, [approve, null] as const])(
  'who decides at once, by a door that does not pause: %j',
  async (decision, by) => {
    const { run } = await destructive({ audit: { sink: keepingSink(events) } });
    await run({}, { ...caller, approver: () => decision });
    expect(shortly(events)).toEqual([
      'approval_requested',
      'approval_decided approve',
      'call_started',
      'call_ended succeeded',
    ]);
    expect(new Set(events.map(({ approvalId }) => approvalId)).size).toBe(1);
    expect(events[1]).toMatchObject({ by });
    for (const event of [events[0], events[2], events[3]]) expect(event).not.toHaveProperty('by');
  },
);

it.each(['toolkit', 'door', 'store'] as const)('the trace of a request, asked by the %s', async (asked) => {
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const { run } = await destructive({
    ...(asked === 'toolkit' ? { approval: { approver: () => approve } } : {}),
    audit: { sink: keepingSink(events) },
  });
  const traced = { ...caller, traceContext: { traceparent: `00-${trace}-b7ad6b7169203331-01` } };
  await run({}, asked === 'door' ? { ...traced, approver: () => approve } : traced);
  expect(events.length).toBeGreaterThan(1);
  for (const { traceId } of events) expect(traceId).toBe(trace);
});

it.each(['settle', 'decide'] as const)('nothing that cannot be recorded: %s', async (what) => {
  const down = new Error('the disk is gone');
  const sink: AuditSink = {
    ...keepingSink(events),
    ready: () => {
      throw down;
    },
  };
  const { run, toolkit } = await destructive({ audit: { sink } });
  await run({}, caller);
  const [open] = await toolkit.approvals.list();
  const id = open?.request.id ?? '';
  const change = async () =>
    what === 'decide'
      ? toolkit.approvals.approve(id, { by: 'grace' })
      : toolkit.ledger?.settle(id, { outcome: 'executed' }, 'grace');
  await expect(change()).rejects.toMatchObject({ name: 'UnrecordedError', cause: down });
  expect(await toolkit.approvals.get(id)).toMatchObject({ state: 'pending' });
  expect(shortly(events)).toEqual(['approval_requested', 'call_refused approval_required']);
});

it("the toolkit's approver, who is asked at once", async () => {
  const seen: string[][] = [];
  const { run } = await destructive({
    approval: {
      approver: () => {
        seen.push(shortly(events));
        return approve;
      },
    },
    audit: { sink: keepingSink(events) },
  });
  await run({}, caller);
  expect(seen).toEqual([['approval_requested']]);
  expect(shortly(events)).toEqual([
    'approval_requested',
    'approval_decided approve',
    'call_started',
    'call_ended succeeded',
  ]);
  expect(events[1]?.approvalId).toBe(events[0]?.approvalId);
});

it("the toolkit's approver who does not decide asks once", async () => {
  const { run } = await destructive({
    approval: { approver: () => undefined },
    audit: { sink: keepingSink(events, true) },
  });
  await run({}, caller);
  expect(shortly(events)).toEqual(['approval_requested', 'call_refused approval_required']);
});

it('a door that pauses the run, and then decides', async () => {
  const pause = new Error('ask');
  const { run, toolkit } = await destructive({ audit: { sink: keepingSink(events, true) } });
  const asking = () => {
    throw pause;
  };
  const door = { ...caller, isPause: (error: unknown) => error === pause };
  await expect(run({}, { ...door, approver: asking })).rejects.toBe(pause);
  expect(shortly(events)).toEqual(['approval_requested']);
  await expect(run({}, { ...door, approver: asking })).rejects.toBe(pause);
  await run({}, { ...door, approver: () => approve });
  await toolkit.close();
  expect(new Set(events.map(({ approvalId }) => approvalId)).size).toBe(1);
  expect(shortly(events.splice(1, 1))).toEqual(['approval_requested']);
  expect(shortly(events).slice(1)).toEqual([
    'approval_decided approve',
    'call_started',
    'call_ended succeeded',
  ]);
});

it('what is no decision is not recorded as one', async () => {
  const { run } = await destructive({ audit: { sink: keepingSink(events) } });
  await Reflect.apply(run, undefined, [{}, { ...caller, approver: () => ({ type: 'yes' }) }]);
  expect(shortly(events)).toEqual(['approval_requested', 'call_refused approval_required']);
});

it.each([
  [{ outcome: 'executed', result: 'found' } as const, 'settled executed'],
  [{ outcome: 'not_executed' } as const, 'settled not_executed'],
])('a settlement: %j', async (settlement, said) => {
  const { run, toolkit } = await toolkitRunning(
    () => {
      throw new Error('the line went dead');
    },
    { kind: 'write', audit: { sink: keepingSink(events) } },
  );
  await run({ id: 1 }, caller);
  const entry = await onlyEntryOf(toolkit.ledger);
  const key = entry?.key ?? '';
  expect(await toolkit.ledger?.settle('none', settlement, 'grace')).toBe(false);
  expect(await toolkit.ledger?.settle(key, settlement, 'grace')).toBe(true);
  expect(await toolkit.ledger?.settle(key, settlement, 'grace')).toBe(false);
  expect(shortly(events)).toEqual(['call_started', 'call_ended unknown', said]);
  expect(events[2]).toMatchObject({
    by: 'grace',
    ledgerKey: key,
    principalId: 'ada',
    callId: 'c1',
    argumentHash: entry?.argumentHash,
  });
  expect(JSON.stringify(events)).not.toContain('found');
});

it('a ledger keeps what it has beside', async () => {
  class MigratedLedger extends MemoryLedger {
    readonly #names = ['0001'];
    migrate(): readonly string[] {
      return this.#names;
    }
  }
  const ledger = new MigratedLedger();
  const { toolkit } = await toolkitRunning(() => 'done', { ledger, audit: { sink: keepingSink(events) } });
  const given = toolkit.ledger;
  expect(given instanceof MigratedLedger && given.migrate()).toEqual(['0001']);
});
