/**
 * What tracing sees of a call.
 * Invariant: every call starts and ends once, a failed one with an error, with the arguments as they came.
 */
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { toLangChainTools } from 'toolcrib/langgraph';
import { allRuntimes, answersOf, asking } from '../fixtures/langgraph-runtimes';
import { orderToolkit, reader } from '../fixtures/langgraph-tools';

const lookUp = (order_id: string) => ({ id: 'call-1', name: 'orders_lookup', args: { order_id } });
const context = { principal: reader };

/** Callbacks that keep what they were called with. */
function recorder() {
  const events: (readonly unknown[])[] = [];
  const callbacks = [
    {
      handleToolStart: (_tool: object, input: string) => {
        events.push(['start', JSON.parse(input)]);
      },
      handleToolEnd: (output: { readonly status?: string }) => {
        events.push(['end', output.status]);
      },
      handleToolError: (error: { readonly body?: { readonly code: string } }) => {
        events.push(['error', error.body?.code]);
      },
    },
  ];
  return { events, callbacks };
}

describe.each(allRuntimes)('$name', (runtime) => {
  it.each([
    { order_id: 'ORD-1234', last: ['end', 'success'], config: { context } },
    { order_id: 'bad-id', last: ['error', 'invalid_input'], config: { context } },
    { order_id: 'ORD-9999', last: ['error', 'order_not_found'], config: { context } },
    { order_id: 'ORD-1234', last: ['error', 'insufficient_scope'], config: {} },
  ])('shows $order_id as $last', async ({ order_id, last, config }) => {
    const { events, callbacks } = recorder();
    const tools = toLangChainTools(await orderToolkit());
    await answersOf(runtime, tools, [lookUp(order_id)], { ...config, callbacks });
    expect(events).toEqual([['start', { order_id }], last]);
  });
});

it.each([
  { order_id: 'ORD-1234', last: 'on_tool_end' },
  { order_id: 'bad-id', last: 'on_tool_error' },
  { order_id: 'ORD-9999', last: 'on_tool_error' },
])('streamEvents tells of $order_id by on_tool_start and $last', async ({ order_id, last }) => {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('tools', new ToolNode(toLangChainTools(await orderToolkit())))
    .addEdge('__start__', 'tools')
    .compile();
  const events: (readonly [event: string, name: string])[] = [];
  const config = { version: 'v2', context } as const;
  for await (const { event, name } of graph.streamEvents(
    { messages: [asking([lookUp(order_id)])] },
    config,
  )) {
    if (event.startsWith('on_tool')) events.push([event, name]);
  }
  expect(events).toEqual([
    ['on_tool_start', 'orders_lookup'],
    [last, 'orders_lookup'],
  ]);
});

it('the metadata of a run names the version that is called', async () => {
  const seen: unknown[] = [];
  const handleToolStart = (...[, , , , , metadata]: readonly unknown[]) => {
    seen.push(metadata);
  };
  const [tool] = toLangChainTools(await orderToolkit());
  const config = { context, callbacks: [{ handleToolStart }] };
  await tool?.invoke({ order_id: 'ORD-1234' }, config);
  expect(seen).toMatchObject([{ toolcrib: { key: 'orders.lookup@1.0.0', owner: 'OrderTeam' } }]);
});
