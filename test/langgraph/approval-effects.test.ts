/**
 * Effects in LangGraph's own ways of running a tool again: resumed runs, retries, siblings that pause.
 * Invariant: each call has its effect exactly once, however often its node runs.
 */

import { getRetryable } from '@langchain/core/errors';
import {
  Command,
  interrupt,
  isGraphBubbleUp,
  MemorySaver,
  MessagesAnnotation,
  StateGraph,
} from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { toolRetryMiddleware } from 'langchain';
import {
  answering,
  approvingRuntimes,
  moneyTools,
  requestsOf,
  reviewed,
  wire,
  wired,
} from '../fixtures/approval-runs';
import { agentRuntime, asking, toolMessages } from '../fixtures/langgraph-runtimes';

const approve = () => ({ type: 'approve' });
const charge = (id: string, amount: number) => ({ id, name: 'money_charge', args: { amount } });

describe.each(approvingRuntimes)('$name', (runtime) => {
  it('has each effect once where one approval lets siblings run again', async () => {
    const { tools, effects } = await moneyTools();
    const calls = [charge('c1', 1), wire('c2', 2), charge('c3', 3), wire('c4', 4)];
    const done = await reviewed(runtime.prepare(tools, calls), approve);
    expect(toolMessages(done).map(({ artifact }) => artifact.result)).toEqual([1, 2, 3, 4]);
    expect(wired(effects)).toEqual([1, 2, 3, 4]);
  });

  it('resumes a handler that itself pauses twice after the approval', async () => {
    const answers: unknown[] = [];
    const { tools, effects } = await moneyTools({}, () => {
      const both: unknown[] = [interrupt('first?'), interrupt('second?')];
      answers.push(both);
    });
    const run = runtime.prepare(tools, [wire('c1', 5)]);
    const asked = await run.begin();
    const first = await run.resume(answering(asked, approve));
    expect(first.__interrupt__).toMatchObject([{ value: 'first?' }]);
    const second = await run.resume('yes');
    expect(second.__interrupt__).toMatchObject([{ value: 'second?' }]);
    expect(wired(effects)).toEqual([]);
    const done = await run.resume('surely');
    expect(toolMessages(done)).toMatchObject([{ artifact: { result: 5 } }]);
    expect(answers).toEqual([['yes', 'surely']]);
    expect(wired(effects)).toEqual([5]);
  });

  it('brings decisions to their own calls whatever the order in which the calls arrive', async () => {
    const order = [0, 30, 60, 10, 0, 40, 20];
    let at = 0;
    const interceptors = [
      {
        stage: 'approve',
        run: async (_call: unknown, next: () => Promise<never>) => {
          at += 1;
          for (let turns = order[at % order.length] ?? 0; turns > 0; turns -= 1) {
            await new Promise((resolve) => setImmediate(resolve));
          }
          return next();
        },
      } as const,
    ];
    const { tools, effects } = await moneyTools({ interceptors });
    const calls = [1, 2, 3, 4, 5].map((amount) => wire(`c${amount}`, amount));
    const done = await reviewed(runtime.prepare(tools, calls), ({ callId }) =>
      callId === 'c2' || callId === 'c4' ? { type: 'reject' } : { type: 'approve' },
    );
    expect(toolMessages(done).map(({ status }) => status)).toEqual([
      'success',
      'error',
      'success',
      'error',
      'success',
    ]);
    expect(wired(effects)).toEqual([1, 3, 5]);
  });
});

it('has its effect once under a retryPolicy', async () => {
  const { tools, effects } = await moneyTools();
  let crashes = 0;
  const node = new ToolNode(tools);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode(
      'tools',
      async (state, config) => {
        const answer = await node.invoke(state, config);
        crashes += 1;
        if (crashes < 3) throw new Error('the node crashed after its tools had run');
        return answer;
      },
      { retryPolicy: { maxAttempts: 3, initialInterval: 1, jitter: false, logWarning: false } },
    )
    .addEdge('__start__', 'tools')
    .compile({ checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: 'thread-1' } };
  const calls = [charge('c1', 1), wire('c2', 2)];
  const paused = await graph.invoke({ messages: [asking(calls)] }, config);
  const done = await graph.invoke(new Command({ resume: answering(paused, approve) }), config);
  expect(toolMessages(done).map(({ artifact }) => artifact.result)).toEqual([1, 2]);
  expect(crashes).toBe(3);
  expect(wired(effects)).toEqual([1, 2]);
});

it('passes through toolRetryMiddleware that lets pauses through', async () => {
  const retry = toolRetryMiddleware({
    maxRetries: 3,
    initialDelayMs: 0,
    jitter: false,
    retryOn: (error) => !isGraphBubbleUp(error) && (getRetryable(error) ?? true),
    onFailure: 'error',
  });
  const { tools, effects } = await moneyTools();
  const run = agentRuntime('createAgent', [retry]).prepare(tools, [wire('c1', 1), charge('c2', 2)]);
  const paused = await run.begin();
  expect(requestsOf(paused)).toHaveLength(1);
  const done = await run.resume(answering(paused, approve));
  expect(toolMessages(done).map(({ artifact }) => artifact.result)).toEqual([1, 2]);
  expect(wired(effects)).toEqual([1, 2]);
});

it('goes on in another toolkit over the same checkpointer, and has its effect there', async () => {
  const checkpointer = new MemorySaver();
  const config = { configurable: { thread_id: 'thread-1' } };
  const graphOf = async () => {
    const money = await moneyTools();
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('tools', new ToolNode(money.tools))
      .addEdge('__start__', 'tools')
      .compile({ checkpointer });
    return { ...money, graph };
  };
  const before = await graphOf();
  const paused = await before.graph.invoke({ messages: [asking([wire('c1', 5)])] }, config);
  const after = await graphOf();
  const done = await after.graph.invoke(new Command({ resume: answering(paused, approve) }), config);
  expect(toolMessages(done)).toMatchObject([{ artifact: { result: 5 } }]);
  expect([wired(before.effects), wired(after.effects)]).toEqual([[], [5]]);
});
