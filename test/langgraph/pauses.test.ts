/**
 * Pauses of the graph from inside a handler, and other exceptions that steer a graph.
 * Invariant: a pause is never an answer; it leaves the tool untouched, and the resumed handler gets the value.
 */
import { ToolMessage } from '@langchain/core/messages';
import {
  Command,
  interrupt,
  isGraphBubbleUp,
  MessagesAnnotation,
  NodeInterrupt,
  ParentCommand,
  StateGraph,
} from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { toolRetryMiddleware } from 'langchain';
import { createToolkit, type Logger } from 'toolcrib';
import { toLangChainTools } from 'toolcrib/langgraph';
import {
  agentRuntime,
  asking,
  bareToolNode,
  pausingRuntimes,
  toolMessages,
} from '../fixtures/langgraph-runtimes';
import { silent, toolkitOf, toToolClass } from '../fixtures/langgraph-tools';

const wire = { id: 'call-1', name: 'money_wire', args: { note: 'rent' } };

describe.each(pausingRuntimes)('$name', (runtime) => {
  it('LG-05: interrupt() pauses the run, and the resumed handler gets the answer', async () => {
    const seen: (readonly [callId: string, answer: unknown])[] = [];
    const toolkit = await toolkitOf(
      {
        'money.wire': ({ note }, { callId }) => {
          const answer: unknown = interrupt({ ask: note });
          seen.push([callId, answer]);
          return { answer };
        },
      },
      { kind: 'write' },
    );
    const run = runtime.prepare(toLangChainTools(toolkit), [wire]);
    const paused = await run.begin();
    expect(paused.__interrupt__?.map(({ value }) => value)).toEqual([{ ask: 'rent' }]);
    expect(toolMessages(paused)).toEqual([]);
    expect(seen).toEqual([]);
    const resumed = await run.resume({ approved: true });
    expect(resumed.__interrupt__).toBeUndefined();
    expect(toolMessages(resumed)).toMatchObject([
      { status: 'success', tool_call_id: 'call-1', artifact: { result: { answer: { approved: true } } } },
    ]);
    expect(seen).toEqual([['call-1', { approved: true }]]);
  });

  it('LG-05: a call beside the one that pauses keeps its answer', async () => {
    const tools = toLangChainTools(
      await toolkitOf({ 'money.wire': () => interrupt('send?'), 'a.b': ({ note }) => note }),
    );
    const run = runtime.prepare(tools, [wire, { id: 'call-2', name: 'a_b', args: { note: 'beside' } }]);
    expect((await run.begin()).__interrupt__).toHaveLength(1);
    expect(toolMessages(await run.resume('yes')).map(({ artifact }) => artifact.result)).toEqual([
      'yes',
      'beside',
    ]);
  });

  it('LG-05: NodeInterrupt pauses the run', async () => {
    const toolkit = await toolkitOf({
      'money.wire': () => {
        throw new NodeInterrupt('send?');
      },
    });
    const paused = await runtime.prepare(toLangChainTools(toolkit), [wire]).begin();
    expect(paused.__interrupt__?.map(({ value }) => value)).toEqual(['send?']);
    expect(toolMessages(paused)).toEqual([]);
  });

  it('LG-05: a pause is not logged as a failure', async () => {
    const error = jest.fn();
    const logger: Logger = { ...silent, error };
    const classes = [toToolClass('money.wire', () => interrupt('send?'), { kind: 'write' })];
    const toolkit = await createToolkit({ discover: { classes }, logger });
    const run = runtime.prepare(toLangChainTools(toolkit), [wire]);
    expect((await run.begin()).__interrupt__).toHaveLength(1);
    expect(error).not.toHaveBeenCalled();
  });
});

it('LG-05: toolRetryMiddleware that lets pauses through repeats nothing', async () => {
  const answers: unknown[] = [];
  let runs = 0;
  const toolkit = await toolkitOf({
    'money.wire': () => {
      runs += 1;
      answers.push(interrupt('send?'));
      return 'sent';
    },
  });
  const retry = toolRetryMiddleware({ retryOn: (error) => !isGraphBubbleUp(error), onFailure: 'error' });
  const run = agentRuntime('createAgent', [retry]).prepare(toLangChainTools(toolkit), [wire]);
  expect((await run.begin()).__interrupt__).toHaveLength(1);
  expect(runs).toBe(1);
  expect((await run.resume('yes')).__interrupt__).toBeUndefined();
  expect(runs).toBe(2);
  expect(answers).toEqual(['yes']);
});

/** As another copy of LangGraph throws it. */
class ForeignPause extends Error {
  override readonly name = 'GraphInterrupt';
  readonly is_bubble_up = true;
  readonly interrupts = [{ value: 'send?' }];
}

it.each([
  new NodeInterrupt('send?'),
  new ParentCommand(new Command({ graph: Command.PARENT, goto: 'elsewhere' })),
  new ForeignPause(),
])('LG-05: $name leaves the tool untouched', async (thrown) => {
  const toolkit = await toolkitOf({
    'money.wire': () => {
      throw thrown;
    },
  });
  const [tool] = toLangChainTools(toolkit);
  await expect(tool?.invoke({ ...wire, type: 'tool_call' })).rejects.toBe(thrown);
  await expect(tool?.invoke({ note: 'rent' })).rejects.toBe(thrown);
});

it('LG-05: a pause of another copy of LangGraph leaves ToolNode', async () => {
  const toolkit = await toolkitOf({
    'money.wire': () => {
      throw new ForeignPause();
    },
  });
  const run = bareToolNode.prepare(toLangChainTools(toolkit), [wire]);
  await expect(run.begin()).rejects.toMatchObject({ interrupts: [{ value: 'send?' }] });
});

it('LG-05: a command to the parent graph reaches it through a ToolNode that handles no errors', async () => {
  const toolkit = await toolkitOf({
    'money.wire': () => {
      throw new ParentCommand(new Command({ graph: Command.PARENT, goto: 'elsewhere' }));
    },
  });
  const node = new ToolNode(toLangChainTools(toolkit), { handleToolErrors: false });
  const child = new StateGraph(MessagesAnnotation)
    .addNode('tools', node)
    .addEdge('__start__', 'tools')
    .compile();
  const reached = new ToolMessage({ content: 'reached', tool_call_id: 'call-1' });
  const parent = new StateGraph(MessagesAnnotation)
    .addNode('child', child, { ends: ['elsewhere'] })
    .addNode('elsewhere', () => ({ messages: [reached] }))
    .addEdge('__start__', 'child')
    .compile();
  const { messages } = await parent.invoke({ messages: [asking([wire])] });
  expect(messages.at(-1)?.content).toBe('reached');
});

it('interrupt() without a checkpointer is an answer and not a pause', async () => {
  const tools = toLangChainTools(await toolkitOf({ 'money.wire': () => interrupt('send?') }));
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('tools', new ToolNode(tools))
    .addEdge('__start__', 'tools')
    .compile();
  expect(toolMessages(await graph.invoke({ messages: [asking([wire])] }))).toMatchObject([
    { status: 'error', artifact: { error: { code: 'internal_error' } } },
  ]);
});
