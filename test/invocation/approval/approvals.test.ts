/**
 * Requests that are kept, and decided later.
 * Invariant: a decision lets the very same call run, once.
 */
import { MemoryApprovalStore } from 'toolcrib';
import { DONE, destructive, REQUIRED } from '../../fixtures/approved-toolkit';

describe('a request that is decided later', () => {
  const ada = { principal: { id: 'ada', scopes: [] }, conversationId: 't1' };

  /** The id that an answer carries. */
  async function openedBy(recorded: Awaited<ReturnType<typeof destructive>>, args: object = { id: 1 }) {
    const result = await recorded.run(args, ada);
    const [kept] = await recorded.toolkit.approvals.list();
    expect(result).toMatchObject({ error: { detail: { approvalId: kept?.request.id } } });
    return kept?.request.id ?? '';
  }

  it('lets the same call run once', async () => {
    const recorded = await destructive();
    const id = await openedBy(recorded);
    expect(await recorded.toolkit.approvals.approve(id, { by: 'bob' })).toBe(true);
    expect(await recorded.toolkit.approvals.get(id)).toMatchObject({ state: 'approved', decidedBy: 'bob' });
    expect(await recorded.run({ id: 1 }, ada)).toEqual(DONE);
    expect(await recorded.run({ id: 1 }, ada)).toMatchObject(REQUIRED);
    expect(recorded.ran).toEqual([{ id: 1 }]);
  });

  it('is not approved by who approves one again that was used', async () => {
    const recorded = await destructive();
    const { approvals } = recorded.toolkit;
    const id = await openedBy(recorded);
    expect(await approvals.approve(id, { by: 'bob' })).toBe(true);
    expect(await approvals.approve(id, { by: 'bob' })).toBe(false);
    expect(await recorded.run({ id: 1 }, ada)).toEqual(DONE);
    const next = await openedBy(recorded);
    expect(next).not.toBe(id);
    expect(await approvals.approve(id, { by: 'bob' })).toBe(false);
    expect(await recorded.run({ id: 1 }, ada)).toMatchObject({ error: { detail: { approvalId: next } } });
    expect(recorded.ran).toEqual([{ id: 1 }]);
    expect(await approvals.get(id)).toMatchObject({ state: 'used', decidedBy: 'bob' });
  });

  it('is taken by one of many same calls at once', async () => {
    const recorded = await destructive();
    await recorded.toolkit.approvals.approve(await openedBy(recorded), { by: 'bob' });
    const results = await Promise.all(Array.from({ length: 20 }, () => recorded.run({ id: 1 }, ada)));
    expect(results.filter(({ success }) => success)).toHaveLength(1);
    expect(recorded.ran).toHaveLength(1);
  });

  it.each([
    ['other arguments', { id: 2 }, ada],
    ['another caller', { id: 1 }, { ...ada, principal: { id: 'eve', scopes: [] } }],
    ['another conversation', { id: 1 }, { ...ada, conversationId: 't2' }],
    ['nobody', { id: 1 }, { conversationId: 't1' }],
  ])('does not let %s run', async (_case, args, options) => {
    const recorded = await destructive();
    await recorded.toolkit.approvals.approve(await openedBy(recorded), { by: 'bob' });
    expect(await recorded.run(args, options)).toMatchObject(REQUIRED);
    expect(recorded.ran).toEqual([]);
  });

  it('may be edited and rejected', async () => {
    const recorded = await destructive();
    const { approvals } = recorded.toolkit;
    expect(await approvals.edit(await openedBy(recorded), { id: 9 }, { by: 'bob' })).toBe(true);
    expect(await recorded.run({ id: 1 }, ada)).toEqual(DONE);
    expect(recorded.ran).toEqual([{ id: 9 }]);
    expect(await approvals.reject(await openedBy(recorded), { by: 'bob', reason: 'No.' })).toBe(true);
    expect(await recorded.run({ id: 1 }, ada)).toMatchObject({ error: { code: 'approval_rejected' } });
    expect(recorded.ran).toHaveLength(1);
  });

  it('is asked for again where the edit was invalid', async () => {
    const recorded = await destructive();
    const id = await openedBy(recorded);
    await recorded.toolkit.approvals.edit(id, { id: 'x' }, { by: 'bob' });
    expect(await recorded.run({ id: 1 }, ada)).toMatchObject(REQUIRED);
    const [kept] = await recorded.toolkit.approvals.list();
    expect(kept?.request.id).not.toBe(id);
    expect(kept).toMatchObject({
      state: 'pending',
      request: { problem: expect.stringContaining('/id') },
    });
  });

  it('is not counted by the retry guard until it is rejected', async () => {
    const recorded = await destructive();
    for (let times = 0; times < 3; times += 1) {
      expect(await recorded.run({ id: 1 }, ada)).toMatchObject(REQUIRED);
    }
    expect(await recorded.toolkit.approvals.list()).toHaveLength(1);
  });

  it('is unavailable, and nothing runs, where its store fails', async () => {
    const store = new MemoryApprovalStore();
    const fails = () => Promise.reject(new Error('gone'));
    for (const broken of [{ take: fails }, { open: fails }]) {
      const recorded = await destructive({
        approval: { store: Object.assign(Object.create(store), broken) },
      });
      expect(await recorded.run({}, ada)).toMatchObject({
        error: { code: 'unavailable', retryable: true, retryAfterMs: 5_000 },
      });
      expect(recorded.ran).toEqual([]);
      const fields = { tool: 'test.run@1.0.0', principal: ada.principal?.id, code: 'unavailable' };
      expect(recorded.log).toMatchObject([{ level: 'error', fields }]);
    }
  });

  it('is decided by somebody who is named, with what is JSON', async () => {
    const { toolkit } = await destructive();
    await expect(toolkit.approvals.approve('x', { by: ' ' })).rejects.toThrow(TypeError);
    await expect(toolkit.approvals.edit('x', { id: 1n }, { by: 'bob' })).rejects.toThrow(TypeError);
    expect(await toolkit.approvals.approve('x', { by: 'bob' })).toBe(false);
  });
});
