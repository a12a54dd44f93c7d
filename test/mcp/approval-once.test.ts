/**
 * How long an approval by a form at an MCP client holds, and for what.
 * Invariant: it lets one call run once, within ten minutes, of the tool that the person was shown.
 */
import { ToolError } from 'toolcrib';
import { createMcpHandler } from 'toolcrib/mcp';
import { destructive } from '../fixtures/approved-toolkit';
import { envelopeOf, rawCall, userOf } from '../fixtures/asking-client';
import { type RecordedOptions, toolkitRunning } from '../fixtures/recorded-toolkit';

const approve = { action: 'accept', content: { decision: 'approve' } } as const;

async function serving(options: RecordedOptions = {}) {
  const made = await destructive(options);
  return { ...made, handler: createMcpHandler(made.toolkit, { principal: userOf }) };
}

describe('an approval over MCP', () => {
  const approved = { arguments: { id: 1 }, inputResponses: { approval: approve } };
  const required = { error: { code: 'approval_required' } };

  it.each<[string, RecordedOptions]>([
    ['without a ledger', { ledger: false }],
    ['that has no side effect', { kind: 'none', approval: { policy: () => true } }],
  ])('lets a call run once by one approval %s', async (_, options) => {
    const { handler, ran, toolkit } = await serving(options);
    const { result } = await rawCall(handler, { arguments: { id: 1 } });
    const last = { ...approved, requestState: result?.requestState };
    const answers = await Promise.all([1, 2, 3].map(() => rawCall(handler, last)));
    const others = answers.filter(({ result: one }) => one?.structuredContent !== 'done');
    expect(others.map(envelopeOf)).toMatchObject([required, required]);
    expect(ran).toHaveLength(1);
    expect(await toolkit.approvals.list()).toHaveLength(1);
  });

  it('lets a call that may be tried again run once by one approval', async () => {
    let runs = 0;
    const { toolkit } = await toolkitRunning(
      () => {
        runs += 1;
        throw new ToolError({ code: 'busy_now', message: 'Busy.', retryable: true });
      },
      { kind: 'destructive', approval: {} },
    );
    const handler = createMcpHandler(toolkit, { principal: userOf });
    const { result } = await rawCall(handler, { arguments: { id: 1 } });
    const last = { ...approved, requestState: result?.requestState };
    const [first, second] = [await rawCall(handler, last), await rawCall(handler, last)];
    expect(envelopeOf(first)).toMatchObject({ error: { code: 'busy_now' } });
    expect(envelopeOf(second)).toMatchObject(required);
    expect(runs).toBe(1);
  });

  it('is rejected for good: the same state approves nothing any more', async () => {
    const { handler, ran } = await serving();
    const { result } = await rawCall(handler, { arguments: { id: 1 } });
    const { requestState } = result ?? {};
    const rejection = { arguments: { id: 1 }, inputResponses: { approval: { action: 'decline' } } };
    for (const sent of [rejection, approved]) {
      const answer = await rawCall(handler, { ...sent, requestState });
      expect(envelopeOf(answer)).toMatchObject({ error: { code: 'approval_rejected' } });
    }
    expect(ran).toEqual([]);
  });

  it('holds ten minutes from when it was asked for, however often the state was renewed', async () => {
    const { handler, ran } = await serving();
    const now = Date.now();
    const first = await rawCall(handler, { arguments: { id: 1 } });
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 540_000);
    try {
      const { requestState } = first.result ?? {};
      const { result } = await rawCall(handler, { arguments: { id: 1 }, requestState });
      clock.mockReturnValue(now + 660_000);
      const late = await rawCall(handler, { ...approved, requestState: result?.requestState });
      expect(late.error?.code).toBe(-32602);
      expect(ran).toEqual([]);
    } finally {
      clock.mockRestore();
    }
  });

  it('holds for the tool as it was when it was asked for', async () => {
    const { handler, ran, toolkit } = await serving();
    const { result } = await rawCall(handler, { arguments: { id: 1 } });
    const spec = toolkit.registry.get('test.run@1.0.0');
    if (spec === undefined) throw new TypeError('there is one');
    toolkit.registry.update((draft) => {
      draft.remove(spec.key);
      draft.register(Object.freeze({ ...spec, description: 'Runs otherwise' }));
    });
    const answer = await rawCall(handler, { ...approved, requestState: result?.requestState });
    expect(answer.error?.code).toBe(-32602);
    expect(ran).toEqual([]);
  });
});
