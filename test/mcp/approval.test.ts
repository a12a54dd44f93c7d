/**
 * Approval by the person at an MCP client.
 * Invariant: a destructive call runs only by an accepted form that says so, for these arguments and this caller.
 */
import { Client } from '@modelcontextprotocol/client';
import * as fc from 'fast-check';
import { type AuditEvent, createToolkit, MemoryLedger, NoInput, Scopes, SideEffect, Tool } from 'toolcrib';
import { createMcpHandler, type McpHandlerOptions } from 'toolcrib/mcp';
import { destructive } from '../fixtures/approved-toolkit';
import { clientOf, envelopeOf, type FormAnswer, rawCall, userOf } from '../fixtures/asking-client';
import { keepingSink, shortly } from '../fixtures/audited-toolkit';
import { forAllAwaited } from '../fixtures/for-all';
import type { RecordedOptions } from '../fixtures/recorded-toolkit';

const approve = { action: 'accept', content: { decision: 'approve' } } as const;

async function serving(options: RecordedOptions = {}, served: McpHandlerOptions = {}) {
  const made = await destructive(options);
  return { ...made, handler: createMcpHandler(made.toolkit, { principal: userOf, ...served }) };
}

async function callOf(client: Client, args: Record<string, unknown> = {}) {
  const { content, structuredContent, isError } = await client.callTool({
    name: 'test_run',
    arguments: args,
  });
  const [block] = content;
  return isError === true && block?.type === 'text' ? JSON.parse(block.text).error : structuredContent;
}

describe('approval over MCP', () => {
  it('lets a call run that is approved', async () => {
    const { handler, ran, toolkit } = await serving();
    const client = await clientOf(handler, () => approve);
    expect(await callOf(client, { id: 1 })).toBe('done');
    expect(ran).toEqual([{ id: 1 }]);
    expect(await toolkit.approvals.list()).toEqual([]);
  });

  it('is recorded as that of the caller, who has the form', async () => {
    const events: AuditEvent[] = [];
    const principal = () => ({ id: 'ada', scopes: [] });
    const { handler } = await serving({ audit: { sink: keepingSink(events) } }, { principal });
    await callOf(await clientOf(handler, () => approve), { id: 1 });
    expect(shortly(events)).toEqual([
      'approval_requested',
      'approval_decided approve',
      'call_started',
      'call_ended succeeded',
    ]);
    expect(new Set(events.map(({ approvalId }) => approvalId)).size).toBe(1);
    expect(events[1]).toMatchObject({ by: 'ada', principalId: 'ada' });
  });

  it.each<[string, FormAnswer]>([
    ['rejects', { action: 'accept', content: { decision: 'reject', reason: 'Not today.' } }],
    ['declines', { action: 'decline' }],
  ])('answers approval_rejected where the person %s', async (_, answer) => {
    const { handler, ran } = await serving();
    const error = await callOf(await clientOf(handler, () => answer));
    expect(error).toMatchObject({ code: 'approval_rejected', retryable: false });
    expect(error.message.includes('Not today.')).toBe(answer.content !== undefined);
    expect(ran).toEqual([]);
  });

  it.each<[string, FormAnswer]>([
    ['cancels', { action: 'cancel' }],
    ['sends no decision', { action: 'accept', content: {} }],
    ['says something else', { action: 'accept', content: { decision: 'yes' } }],
    ['sends no text', { action: 'accept', content: { decision: true } }],
  ])('keeps the request open where the person %s', async (_, answer) => {
    const { handler, ran, toolkit } = await serving();
    const error = await callOf(await clientOf(handler, () => answer));
    expect(error).toMatchObject({ code: 'approval_required', retryable: true });
    expect(await toolkit.approvals.list()).toHaveLength(1);
    expect(ran).toEqual([]);
  });

  it.each([
    ['the client cannot show forms', {}, undefined],
    ['the application has others approve', { clientApproves: false }, () => approve],
  ] as const)('answers approval_required where %s', async (_, served, answer) => {
    const { handler, ran, toolkit } = await serving({}, served);
    const client = await clientOf(handler, answer);
    expect(await callOf(client)).toMatchObject({ code: 'approval_required' });
    const [open] = await toolkit.approvals.list();
    await toolkit.approvals.approve(open?.request.id ?? '', { by: 'ada' });
    expect(await callOf(client)).toBe('done');
    expect(ran).toHaveLength(1);
  });

  it('runs a call by a form that approves it, and by nothing else', async () => {
    const { handler, ran } = await serving();
    const word = fc.oneof(fc.jsonValue(), fc.constantFrom('approve', 'reject', 'APPROVE', 'approve '));
    const content = fc.oneof(
      fc.jsonValue(),
      fc.record({ decision: word, reason: word }, { requiredKeys: [] }),
    );
    const action = fc.constantFrom('accept', 'decline', 'cancel', 'approve', 'ACCEPT');
    const forms = [approve, { action: 'decline', content: approve.content }];
    let id = 0;
    await forAllAwaited(
      fc.oneof(fc.record({ action, content }), fc.constantFrom(...forms)),
      async (approval) => {
        const before = ran.length;
        id += 1;
        const { result } = await rawCall(handler, { arguments: { id } });
        const { requestState } = result ?? {};
        await rawCall(handler, { arguments: { id }, requestState, inputResponses: { approval } });
        const { decision } = Object(approval.content);
        const isApproved = approval.action === 'accept' && decision === 'approve';
        expect(ran).toHaveLength(isApproved ? before + 1 : before);
      },
    );
    expect(ran.length).toBeGreaterThan(0);
  });

  it('runs an approved call once, however often its approval is sent', async () => {
    const { handler, ran } = await serving();
    const { result } = await rawCall(handler, { arguments: { id: 1 } });
    const last = {
      arguments: { id: 1 },
      requestState: result?.requestState,
      inputResponses: { approval: approve },
    };
    const answers = await Promise.all([1, 2, 3].map(() => rawCall(handler, last)));
    expect(answers.map((answer) => answer.result?.structuredContent)).toEqual(['done', 'done', 'done']);
    expect(ran).toEqual([{ id: 1 }]);
  });

  it('holds for one call: not for other arguments, not for another caller, not without its state', async () => {
    const { handler, ran } = await serving();
    const { result } = await rawCall(handler, { arguments: { id: 1 } });
    const { requestState } = result ?? {};
    const inputResponses = { approval: approve };
    const others = [
      { arguments: { id: 2 }, requestState, inputResponses },
      { arguments: { id: 1 }, requestState, inputResponses, user: 'bob' },
      { arguments: { id: 1 }, inputResponses },
    ];
    const answers = await Promise.all(others.map((other) => rawCall(handler, other)));
    expect(answers.map(({ error, result: asked }) => error?.code ?? asked?.resultType)).toEqual([
      -32602,
      -32602,
      'input_required',
    ]);
    expect(ran).toEqual([]);
  });

  it('shows the call: tool, side effect, caller, and arguments with their secrets masked', async () => {
    const { handler } = await serving();
    const { result } = await rawCall(handler, {
      arguments: { id: 7, free: { password: 'hunter2-hunter2' } },
    });
    const { message = '' } = result?.inputRequests?.approval?.params ?? {};
    for (const part of ['test.run@1.0.0', 'destructive', '"ann"', '"id":7']) expect(message).toContain(part);
    expect(message).not.toContain('hunter2');
  });

  it('shows the preview, and takes up in one process what another has asked', async () => {
    @Scopes()
    @SideEffect('destructive')
    class Refunds {
      @Tool({ name: 'test.run', version: '1.0.0', description: 'Pays back', input: NoInput, preview: 'show' })
      pay(_: NoInput): string {
        return 'paid';
      }

      show(): object {
        return { left: '12 <b>EUR</b>' };
      }
    }
    const ledger = new MemoryLedger();
    const [one, other] = await Promise.all(
      [1, 2].map(async () =>
        createMcpHandler(await createToolkit({ discover: { classes: [Refunds] }, ledger }), {
          requestStateKey: 'k'.repeat(32),
        }),
      ),
    );
    if (one === undefined || other === undefined) throw new TypeError('there are two');
    const { result } = await rawCall(one, {});
    const { message } = result?.inputRequests?.approval?.params ?? {};
    expect(message).toContain('"left":"12 \\u003cb\\u003eEUR');
    const last = { requestState: result?.requestState, inputResponses: { approval: approve } };
    for (const handler of [other, one]) {
      expect((await rawCall(handler, last)).result?.structuredContent).toBe('paid');
    }
    expect(await ledger.list({ state: 'finished' })).toHaveLength(1);
  });

  it('asks nobody to approve what no form can show whole', async () => {
    const { handler, ran, toolkit } = await serving();
    const answer = await rawCall(handler, { arguments: { note: 'word '.repeat(2_000) } });
    expect(envelopeOf(answer)).toMatchObject({ error: { code: 'approval_required' } });
    expect(await toolkit.approvals.list()).toHaveLength(1);
    expect(ran).toEqual([]);
  });

  it('is asked for again where the answer is missing', async () => {
    const { handler, ran } = await serving();
    const first = await rawCall(handler, { arguments: { id: 1 } });
    const { requestState } = first.result ?? {};
    const wrongKey = { requestState, arguments: { id: 1 }, inputResponses: { other: approve } };
    const again = await rawCall(handler, wrongKey);
    expect(Object.keys(again.result?.inputRequests ?? {})).toEqual(['approval']);
    expect(ran).toEqual([]);
  });
});
