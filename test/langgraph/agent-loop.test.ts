/**
 * Whole agent loops against a model behind HTTP: what the model is told after each of its calls.
 * Invariant: a tool's answer reaches the model as the text of its envelope, whatever the output is made of.
 */
import { ChatAnthropic } from '@langchain/anthropic';
import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';
import { type ToolkitTool, toLangChainTools } from 'toolcrib/langgraph';
import { orderToolkit, reader, toolkitOf } from '../fixtures/langgraph-tools';
import {
  type ModelRequest,
  type ModelServer,
  type ModelTurn,
  startModelServer,
} from '../fixtures/model-server';

type Model = ChatOpenAI | ChatAnthropic;

interface Told {
  readonly id: unknown;
  readonly content: unknown;
}

interface Provider {
  readonly provider: string;
  connect(server: ModelServer): Model;
  /** The answers of tools that a request carries. */
  told(request: ModelRequest | undefined): Told[];
}

function itemsOf(value: unknown): { readonly [property: string]: unknown }[] {
  return Array.isArray(value) ? value : [];
}

const providers: readonly Provider[] = [
  {
    provider: 'ChatOpenAI',
    connect: ({ url }) =>
      new ChatOpenAI({
        apiKey: 'test',
        model: 'gpt-test',
        maxRetries: 0,
        configuration: { baseURL: `${url}/v1` },
      }),
    told: (request) =>
      itemsOf(request?.body.messages)
        .filter(({ role }) => role === 'tool')
        .map(({ tool_call_id: id, content }) => ({ id, content })),
  },
  {
    provider: 'ChatAnthropic',
    connect: ({ url: anthropicApiUrl }) =>
      new ChatAnthropic({ apiKey: 'test', model: 'claude-test', maxRetries: 0, anthropicApiUrl }),
    told: (request) =>
      itemsOf(request?.body.messages)
        .flatMap(({ content }) => itemsOf(content))
        .filter(({ type }) => type === 'tool_result')
        .map(({ tool_use_id: id, content }) => ({ id, content })),
  },
];

interface Loop {
  readonly loop: string;
  run(
    model: Model,
    tools: ToolkitTool[],
    context: { principal?: unknown },
  ): Promise<{ messages: BaseMessage[] }>;
}

const loops: readonly Loop[] = [
  {
    loop: 'StateGraph',
    run: (model, tools, context) =>
      new StateGraph(MessagesAnnotation)
        .addNode('agent', async ({ messages }) => ({
          messages: [await model.bindTools(tools).invoke(messages)],
        }))
        .addNode('tools', new ToolNode(tools))
        .addEdge('__start__', 'agent')
        .addConditionalEdges('agent', toolsCondition)
        .addEdge('tools', 'agent')
        .compile()
        .invoke({ messages: [new HumanMessage('Where is it?')] }, { context }),
  },
  {
    loop: 'createAgent',
    run: (model, tools, context) =>
      createAgent({ model, tools }).invoke({ messages: [new HumanMessage('Where is it?')] }, { context }),
  },
];

const cases = providers.flatMap((provider) => loops.map((loop) => ({ ...provider, ...loop })));

function asks(id: string, order_id: string): ModelTurn {
  return { calls: [{ id, name: 'orders_lookup', args: { order_id } }] };
}

/** The envelopes that the model was told, by call. */
function envelopes(told: readonly Told[]): unknown[] {
  return told.map(({ id, content }) => {
    if (typeof content !== 'string') throw new TypeError('the answer is not text');
    return { id, ...JSON.parse(content) };
  });
}

let server: ModelServer | undefined;

afterEach(() => server?.close());

describe.each(cases)('$provider in $loop', ({ connect, told, run }) => {
  async function play(script: readonly ModelTurn[], tools: ToolkitTool[], principal?: unknown) {
    server = await startModelServer(script);
    const { messages } = await run(connect(server), tools, { principal });
    return { requests: server.requests, messages };
  }

  it('goes from a rejected argument over its correction to a final failure', async () => {
    const script = [
      asks('call-1', 'bad-id'),
      asks('call-2', 'ORD-1234'),
      asks('call-3', 'ORD-9999'),
      { text: 'It was shipped; there is no other.' },
    ];
    const { requests, messages } = await play(script, toLangChainTools(await orderToolkit()), reader);
    expect(requests).toHaveLength(4);
    expect(requests.map((request) => told(request).length)).toEqual([0, 1, 2, 3]);
    expect(envelopes(told(requests[3]))).toEqual([
      {
        id: 'call-1',
        isError: true,
        error: expect.objectContaining({
          code: 'invalid_input',
          retryable: false,
          detail: { violations: [expect.objectContaining({ path: '/order_id' })] },
        }),
      },
      { id: 'call-2', isError: false, result: { order_id: 'ORD-1234', status: 'shipped' } },
      {
        id: 'call-3',
        isError: true,
        error: expect.objectContaining({ code: 'order_not_found', retryable: false }),
      },
    ]);
    expect(JSON.stringify(told(requests[1]))).not.toContain('bad-id');
    expect(messages.at(-1)?.content).toBe('It was shipped; there is no other.');
  });

  it('tells the model of a missing scope', async () => {
    const script = [asks('call-1', 'ORD-1234'), { text: 'I may not.' }];
    const { requests } = await play(script, toLangChainTools(await orderToolkit()));
    expect(envelopes(told(requests[1]))).toMatchObject([
      { id: 'call-1', isError: true, error: { code: 'insufficient_scope' } },
    ]);
  });

  it.each([
    { output: [] },
    { output: [{ type: 'invoice', total: 7 }, { type: 'receipt' }] },
    { output: [{ type: 'text', text: 'a text block' }] },
    { output: [{ type: 'image_url', image_url: { url: 'data:,' } }] },
    { output: { type: 'tool_call', id: 'x' } },
    { output: '' },
    { output: '[]' },
    { output: null },
  ])('tells the model of the output $output as it is', async ({ output }) => {
    const tools = toLangChainTools(await toolkitOf({ 'a.b': () => output }));
    const script = [{ calls: [{ id: 'call-1', name: 'a_b', args: {} }] }, { text: 'done' }];
    const { requests } = await play(script, tools);
    expect(envelopes(told(requests[1]))).toEqual([{ id: 'call-1', isError: false, result: output }]);
  });

  it('offers the tools again in every request', async () => {
    const script = [asks('call-1', 'ORD-1234'), { text: 'done' }];
    const { requests } = await play(script, toLangChainTools(await orderToolkit()), reader);
    expect(requests).toHaveLength(2);
    expect(requests[1]?.body.tools).toStrictEqual(requests[0]?.body.tools);
    expect(requests[0]?.body.tools).toHaveLength(1);
  });
});
