/**
 * What the audit trail says of approvals and settlements.
 * Invariant: every request, decision and settlement is in it once, with who decided where somebody is named.
 */
import { type AuditEvent, MemoryLedger } from 'toolcrib';
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
  // What ran is what the reviewer made of it.
  if (word === 'edit') expect(events[0]?.argumentHash).not.toBe(argumentHash);
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
  await run({}, { ...door, approver: () => approve });
  await toolkit.close();
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
  expect(shortly(events)).toEqual(['call_started', 'call_ended failed', said]);
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
