/**
 * Approval beside the ledger: calls that come again, edited or not.
 * Invariant: nobody is asked in vain, and no call runs that nobody has approved.
 */
import type { ApprovalDecision, Approver } from 'toolcrib';
import { approve, DONE, destructive } from '../../fixtures/approved-toolkit';

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
