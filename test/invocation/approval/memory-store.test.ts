/**
 * The store of requests in memory.
 * Invariant: a decision is made once and taken once, and the store is bounded in number and in time.
 */
import { type ApprovalRequest, MemoryApprovalStore } from 'toolcrib';

function requestOf(id: string, more: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    id,
    binding: `binding of ${id}`,
    callId: 'c1',
    tool: 'a.b@1.0.0',
    modelName: 'a_b',
    description: 'd',
    arguments: {},
    argumentHash: 'h',
    sideEffect: { kind: 'destructive', idempotent: false, openWorld: false, declared: true },
    principalId: null,
    ...more,
  };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const HOUR = 3_600_000;

it('keeps the first request of a binding, until its decision was taken', async () => {
  const store = new MemoryApprovalStore();
  const binding = 'b';
  const first = await store.open(requestOf('one', { binding }), HOUR);
  expect(await store.open(requestOf('two', { binding }), HOUR)).toEqual(first);
  expect(await store.get('two')).toBeUndefined();
  await store.decide('one', { type: 'approve' }, 'ada');
  expect(await store.open(requestOf('two', { binding }), HOUR)).toMatchObject({ state: 'approved' });
  expect((await store.take(binding))?.decision).toEqual({ type: 'approve' });
  const third = await store.open(requestOf('three', { binding }), HOUR);
  expect(third).toMatchObject({ state: 'pending', request: { id: 'three' } });
  expect(await store.decide('one', { type: 'approve' }, 'bob')).toBe(false);
  expect(await store.get('one')).toMatchObject({ state: 'used', decidedBy: 'ada' });
  expect(await store.take(binding)).toBeUndefined();
  expect(await store.get('three')).toEqual(third);
});

it('lets a request that has expired give way to one with an id of its own', async () => {
  const store = new MemoryApprovalStore();
  const binding = 'b';
  await store.open(requestOf('one', { binding }), HOUR);
  jest.advanceTimersByTime(HOUR);
  await store.open(requestOf('two', { binding }), HOUR);
  expect(await store.decide('one', { type: 'approve' }, 'ada')).toBe(false);
  expect(await store.get('one')).toBeUndefined();
  expect(await store.decide('two', { type: 'approve' }, 'ada')).toBe(true);
  expect((await store.take(binding))?.decision).toEqual({ type: 'approve' });
});

it('decides once, and gives the decision once', async () => {
  const store = new MemoryApprovalStore();
  await store.open(requestOf('a'), HOUR);
  expect(await store.take('binding of a')).toBeUndefined();
  const decided = await Promise.all([
    store.decide('a', { type: 'approve' }, 'ada'),
    store.decide('a', { type: 'reject' }, 'bob'),
  ]);
  expect(decided).toEqual([true, false]);
  const taken = await Promise.all([store.take('binding of a'), store.take('binding of a')]);
  expect(taken).toEqual([await store.get('a'), undefined]);
  expect(taken[0]).toMatchObject({ state: 'used', decision: { type: 'approve' } });
  expect(await store.decide('a', { type: 'approve' }, 'ada')).toBe(false);
});

it('forgets what has expired', async () => {
  const store = new MemoryApprovalStore();
  await store.open(requestOf('a'), HOUR);
  await store.decide('a', { type: 'approve' }, 'ada');
  jest.advanceTimersByTime(HOUR - 1);
  expect(await store.get('a')).toBeDefined();
  jest.advanceTimersByTime(1);
  expect(await store.take('binding of a')).toBeUndefined();
  expect(await store.get('a')).toBeUndefined();
  expect(await store.decide('a', { type: 'approve' }, 'ada')).toBe(false);
});

it('lists by state, the oldest first', async () => {
  const store = new MemoryApprovalStore();
  for (const id of ['a', 'b', 'c']) await store.open(requestOf(id), HOUR);
  await store.decide('b', { type: 'reject' }, 'ada');
  const ids = async (query?: Parameters<MemoryApprovalStore['list']>[0]) =>
    (await store.list(query)).map(({ request }) => request.id);
  expect(await ids()).toEqual(['a', 'c']);
  expect(await ids({ limit: 1 })).toEqual(['a']);
  expect(await ids({ state: 'rejected' })).toEqual(['b']);
  expect(await ids({ state: 'used' })).toEqual([]);
});

it('holds a thousand, and forgets first what is over', async () => {
  const store = new MemoryApprovalStore();
  for (let at = 0; at < 1_000; at += 1) await store.open(requestOf(`r${at}`), HOUR);
  await store.decide('r5', { type: 'approve' }, 'ada');
  await store.take('binding of r5');
  await store.open(requestOf('more'), HOUR);
  expect(await store.get('r5')).toBeUndefined();
  expect(await store.get('r0')).toBeDefined();
  await store.open(requestOf('and more'), HOUR);
  expect(await store.get('r0')).toBeUndefined();
  expect(await store.list({ limit: 2_000 })).toHaveLength(1_000);
});

it.each([0, -1, 1.5, Number.NaN, '1'])('lists no such number of requests: %p', async (limit) => {
  const store = new MemoryApprovalStore();
  await expect(Reflect.apply(store.list, store, [{ limit }])).rejects.toThrow(TypeError);
});
