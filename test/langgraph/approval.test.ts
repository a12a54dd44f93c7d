/**
 * Approval in LangGraph: what a reviewer is shown, and which answers count.
 * Invariant: a destructive call has its effect once, by a decision on its id and its arguments, and never else.
 */
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { IsString } from 'class-validator';
import { type AuditEvent, createToolkit, Scopes, SideEffect, Tool } from 'toolcrib';
import { toLangChainTools } from 'toolcrib/langgraph';
import {
  answering,
  approvingRuntimes,
  moneyTools,
  requestsOf,
  reviewed,
  wire,
  wired,
} from '../fixtures/approval-runs';
import { keepingSink, shortly } from '../fixtures/audited-toolkit';
import { asking, toolMessages } from '../fixtures/langgraph-runtimes';

const approve = () => ({ type: 'approve' });

describe.each(approvingRuntimes)('$name', (runtime) => {
  it('shows the call, and runs it once it is approved', async () => {
    const { tools, effects } = await moneyTools();
    const run = runtime.prepare(tools, [wire('c1', 5)]);
    const paused = await run.begin({ context: { principal: { id: 'ada', scopes: [] } } });
    expect(requestsOf(paused)).toEqual([
      {
        type: 'tool_approval',
        callId: 'c1',
        argumentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        tool: 'money.wire',
        version: '1.0.0',
        description: 'Wires money',
        arguments: { amount: 5 },
        sideEffect: { kind: 'destructive', idempotent: false, openWorld: false, declared: true },
        principal: 'ada',
        actionRequests: [
          { name: 'money_wire', args: { amount: 5 }, description: expect.stringContaining('money.wire') },
        ],
        reviewConfigs: [
          {
            actionName: 'money_wire',
            allowedDecisions: ['approve', 'edit', 'reject'],
            argsSchema: expect.objectContaining({ required: ['amount'] }),
          },
        ],
      },
    ]);
    expect(wired(effects)).toEqual([]);
    const resumed = await run.resume(answering(paused, approve), {
      context: { principal: { id: 'ada', scopes: [] } },
    });
    expect(toolMessages(resumed)).toMatchObject([{ status: 'success', artifact: { result: 5 } }]);
    expect(wired(effects)).toEqual([5]);
  });

  it('records the request, its decision and its call under one id', async () => {
    const events: AuditEvent[] = [];
    const { tools } = await moneyTools({ audit: { sink: keepingSink(events) } });
    const by = () => ({ type: 'approve', by: 'grace' });
    await reviewed(runtime.prepare(tools, [wire('c1', 5)]), by);
    expect(shortly(events)).toEqual([
      'approval_requested',
      'approval_decided approve',
      'call_started',
      'call_ended succeeded',
    ]);
    expect(new Set(events.map(({ approvalId }) => approvalId)).size).toBe(1);
    expect(events[1]).toMatchObject({ by: 'grace', approvalId: expect.any(String) });
  });

  it('asks before an effect, and not of a tool that only writes', async () => {
    const { tools, effects } = await moneyTools();
    const charge = { id: 'c2', name: 'money_charge', args: { amount: 7 } };
    const done = await reviewed(runtime.prepare(tools, [wire('c1', 5), charge]), approve);
    expect(toolMessages(done)).toMatchObject([{ artifact: { result: 5 } }, { artifact: { result: 7 } }]);
    expect(wired(effects)).toEqual([5, 7]);
  });

  it.each([
    ['true', () => true],
    ['yes', () => 'yes'],
    ['zero', () => 0],
    ['a list by position', () => ({ decisions: [{ type: 'approve' }] })],
    ['another id', (hash: string) => ({ decisions: { c9: { type: 'approve', argumentHash: hash } } })],
    ['another hash', () => ({ decisions: { c1: { type: 'approve', argumentHash: 'f'.repeat(64) } } })],
    ['no hash', () => ({ decisions: { c1: { type: 'approve' } } })],
    ['a decision of no type', (hash: string) => ({ decisions: { c1: { type: 'ok', argumentHash: hash } } })],
    [
      'an approval with other arguments',
      (hash: string) => ({
        decisions: { c1: { type: 'approve', argumentHash: hash, arguments: { amount: 9 } } },
      }),
    ],
  ])('is not approved by %s, and asks again', async (_case, answer) => {
    const { tools, effects } = await moneyTools();
    const run = runtime.prepare(tools, [wire('c1', 5)]);
    const [first] = requestsOf(await run.begin());
    const again = await run.resume(answer(first?.argumentHash ?? ''));
    expect(requestsOf(again)).toMatchObject([{ callId: 'c1', argumentHash: first?.argumentHash }]);
    expect(wired(effects)).toEqual([]);
    const done = await run.resume(answering(again, approve));
    expect(toolMessages(done)).toMatchObject([{ artifact: { result: 5 } }]);
    expect(wired(effects)).toEqual([5]);
  });

  it('never approves another tool that has the same id and arguments', async () => {
    const { tools, effects, toolkit } = await moneyTools({ approval: { policy: () => true } });
    const charge = { id: 'c1', name: 'money_charge', args: { amount: 5 } };
    const run = runtime.prepare(tools, [wire('c1', 5), charge]);
    let state = await run.begin();
    const [first] = requestsOf(state);
    state = await run.resume(answering({ ...state, __interrupt__: [{ value: first }] }, approve));
    expect(requestsOf(state)).toMatchObject([{ callId: 'c1', tool: 'money.charge' }]);
    const done = await toolkit.ledger?.list({ state: 'finished' });
    expect(done?.map(({ tool }) => tool)).toEqual(['money.wire@1.0.0']);
    expect(wired(effects)).toEqual([5]);
  });

  it('never approves the call of another principal', async () => {
    const { tools, effects } = await moneyTools();
    const run = runtime.prepare(tools, [wire('c1', 5)]);
    const asPrincipal = (id: string) => ({ context: { principal: { id, scopes: [] } } });
    const asked = await run.begin(asPrincipal('ann'));
    const again = await run.resume(answering(asked, approve), asPrincipal('bob'));
    expect(requestsOf(again)).toMatchObject([{ callId: 'c1', principal: 'bob' }]);
    expect(wired(effects)).toEqual([]);
  });

  it('never approves two calls by one scalar', async () => {
    const { tools, effects } = await moneyTools();
    const run = runtime.prepare(tools, [wire('c1', 1), wire('c2', 2)]);
    await run.begin();
    expect(requestsOf(await run.resume(true)).length).toBeGreaterThan(0);
    expect(wired(effects)).toEqual([]);
  });

  it('brings each decision to its own call', async () => {
    const { tools, effects } = await moneyTools();
    const calls = [wire('c1', 1), wire('c2', 2), wire('c3', 3), wire('c4', 4)];
    const says: { readonly [id: string]: object } = {
      c1: { type: 'approve' },
      c2: { type: 'reject', reason: 'Too much.' },
      c3: { type: 'edit', arguments: { amount: 30 } },
      c4: { type: 'reject' },
    };
    const done = await reviewed(runtime.prepare(tools, calls), ({ callId }) => says[callId] ?? {});
    expect(toolMessages(done)).toMatchObject([
      { tool_call_id: 'c1', status: 'success', artifact: { result: 1 } },
      {
        tool_call_id: 'c2',
        status: 'error',
        artifact: { error: { code: 'approval_rejected', message: expect.stringContaining('Too much.') } },
      },
      { tool_call_id: 'c3', status: 'success', artifact: { result: 30 } },
      { tool_call_id: 'c4', status: 'error', artifact: { error: { code: 'approval_rejected' } } },
    ]);
    expect(wired(effects)).toEqual([1, 30]);
  });

  it('takes decisions one at a time, and leaves the other calls pending', async () => {
    const { tools, effects } = await moneyTools();
    const run = runtime.prepare(tools, [wire('c1', 1), wire('c2', 2), wire('c3', 3)]);
    let state = await run.begin();
    for (const amount of [1, 2, 3]) {
      const decisions = Object.entries(Object(answering(state, approve)).decisions).slice(0, 1);
      state = await run.resume({ decisions: Object.fromEntries(decisions) });
      expect(wired(effects)).toHaveLength(amount);
    }
    expect(requestsOf(state)).toEqual([]);
    expect(toolMessages(state).map(({ artifact }) => artifact.result)).toEqual([1, 2, 3]);
    expect(wired(effects)).toEqual([1, 2, 3]);
  });

  it('asks again, and says why, where edited arguments are invalid', async () => {
    const { tools, effects } = await moneyTools();
    const run = runtime.prepare(tools, [wire('c1', 5)]);
    const paused = await run.begin();
    const again = await run.resume(answering(paused, () => ({ type: 'edit', arguments: { amount: 0 } })));
    expect(requestsOf(again)).toMatchObject([
      { callId: 'c1', arguments: { amount: 5 }, problem: expect.stringContaining('/amount') },
    ]);
    const done = await run.resume(answering(again, () => ({ type: 'edit', arguments: { amount: 6 } })));
    expect(toolMessages(done)).toMatchObject([{ artifact: { result: 6 } }]);
    expect(wired(effects)).toEqual([6]);
  });

  it('validates and authorises before it asks', async () => {
    const { tools, effects } = await moneyTools();
    const done = await runtime.prepare(tools, [wire('c1', 0)]).begin();
    expect(requestsOf(done)).toEqual([]);
    expect(toolMessages(done)).toMatchObject([{ artifact: { error: { code: 'invalid_input' } } }]);
    expect(wired(effects)).toEqual([]);
  });
});

it('answers approval_required where the run has no checkpointer', async () => {
  const { tools, toolkit, effects } = await moneyTools();
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('tools', new ToolNode(tools))
    .addEdge('__start__', 'tools')
    .compile();
  const state = await graph.invoke({ messages: [asking([wire('c1', 5)])] });
  expect(toolMessages(state)).toMatchObject([
    { status: 'error', artifact: { error: { code: 'approval_required', retryable: true } } },
  ]);
  expect(wired(effects)).toEqual([]);
  const [kept] = await toolkit.approvals.list();
  await toolkit.approvals.approve(kept?.request.id ?? '', { by: 'ada' });
  const again = await graph.invoke({ messages: [asking([wire('c2', 5)])] });
  expect(toolMessages(again)).toMatchObject([{ artifact: { result: 5 } }]);
});

it('keeps the request of a call without an id, which no decision could name', async () => {
  const { tools, toolkit } = await moneyTools();
  const [runtime] = approvingRuntimes;
  const { id: _id, ...call } = wire('', 5);
  const done = await runtime?.prepare(tools, [call]).begin();
  expect(done?.__interrupt__).toBeUndefined();
  expect(await toolkit.approvals.list()).toHaveLength(1);
});

class SendInput {
  @IsString() to!: string;
  @IsString() token!: string;
}

@Scopes()
@SideEffect('destructive')
class Mail {
  @Tool({ name: 'mail.send', version: '1.0.0', description: 'Sends', input: SendInput, preview: 'show' })
  send({ to }: SendInput): string {
    return to;
  }

  show({ to }: SendInput): object {
    return { to };
  }
}

it('shows what the tool would get, in words with escapes, and says what is masked', async () => {
  const toolkit = await createToolkit({ discover: { classes: [Mail] } });
  const [runtime] = approvingRuntimes;
  const to = 'eve@evil.example\u200b\u202e';
  const call = { id: 'c1', name: 'mail_send', args: { to, token: 'hunter2-and-more' } };
  const paused = await runtime?.prepare(toLangChainTools(toolkit), [call]).begin();
  if (paused === undefined) throw new TypeError('there is a runtime');
  const [request] = requestsOf(paused);
  expect(request).toMatchObject({
    arguments: { to, token: '[redacted]' },
    preview: { to },
    masked: [{ path: '/arguments/token', characters: 16 }],
  });
  const { description = '' } = request?.actionRequests[0] ?? {};
  expect(description).toContain('It would: {"to":"eve@evil.example\\u200b\\u202e"}');
  expect(description).toContain('Masked: "/arguments/token" (16 characters');
});
