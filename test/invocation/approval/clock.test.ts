/**
 * The clock of a call while a person is asked.
 * Invariant: it stands still then; what bounds the asking is the bound of approval, the caller and the end of the
 * toolkit.
 */
import { type ApprovalDecision, type Approver, MemoryApprovalStore } from 'toolcrib';
import { approve, destructive, REQUIRED } from '../../fixtures/approved-toolkit';
import { toolkitRunning } from '../../fixtures/recorded-toolkit';

describe('the clock', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('stands still while somebody is asked, and runs on after', async () => {
    let decide: (decision: ApprovalDecision) => void = () => {};
    const approver: Approver = () =>
      new Promise((resolve) => {
        decide = resolve;
      });
    const { run } = await toolkitRunning(() => new Promise(() => {}), {
      kind: 'destructive',
      timeoutMs: 1_000,
      approval: { approver },
    });
    const answers: unknown[] = [];
    void run().then((result) => answers.push(result));
    await jest.advanceTimersByTimeAsync(500_000);
    expect(answers).toEqual([]);
    decide(approve);
    await jest.advanceTimersByTimeAsync(999);
    expect(answers).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(answers).toMatchObject([{ error: { code: 'outcome_unknown' } }]);
  });

  it('runs on where nobody has decided, and bounds the store', async () => {
    const store = new MemoryApprovalStore();
    store.open = () => new Promise(() => {});
    const approver: Approver = () => new Promise((resolve) => setTimeout(() => resolve(undefined), 5_000));
    const { run, ran } = await destructive({ timeoutMs: 1_000, approval: { approver, store } });
    const answers: unknown[] = [];
    void run().then((result) => answers.push(result));
    await jest.advanceTimersByTimeAsync(5_999);
    expect(answers).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(answers).toMatchObject([{ error: { code: 'timeout' } }]);
    expect(ran).toEqual([]);
  });

  it('ends at the bound of approval, and the request is kept', async () => {
    const signals: AbortSignal[] = [];
    const approver: Approver = (_request, signal) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const { run, toolkit } = await destructive({ approval: { approver, timeoutMs: 2_000 } });
    const answers: unknown[] = [];
    void run().then((result) => answers.push(result));
    await jest.advanceTimersByTimeAsync(1_999);
    expect(answers).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(answers).toMatchObject([REQUIRED]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(await toolkit.approvals.list()).toHaveLength(1);
  });

  it('does not keep a call from being cancelled', async () => {
    const signals: AbortSignal[] = [];
    const approver: Approver = (_request, signal) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const { run, toolkit, ran } = await destructive({ approval: { approver } });
    const caller = new AbortController();
    const answer = run({}, { signal: caller.signal });
    await jest.advanceTimersByTimeAsync(10);
    caller.abort();
    expect(await answer).toMatchObject({ error: { code: 'cancelled' } });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(await toolkit.approvals.list()).toEqual([]);
    expect(ran).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('does not keep the toolkit from closing', async () => {
    const { run, toolkit } = await destructive({ approval: { approver: () => new Promise(() => {}) } });
    const answer = run();
    await jest.advanceTimersByTimeAsync(10);
    await toolkit.close();
    expect(await answer).toMatchObject(REQUIRED);
  });
});
