/**
 * The outcomes of a call, in every runtime.
 * Invariant: one table holds for all runtimes: each gives the message that carries exactly the wire form of
 * what `toolkit.invoke` answers.
 */
import { type Principal, toWire } from 'toolcrib';
import { toLangChainTools } from 'toolcrib/langgraph';
import { allRuntimes, answersOf, bareToolNode, envelopeOf, stateGraph } from '../fixtures/langgraph-runtimes';
import { orderToolkit, reader } from '../fixtures/langgraph-tools';

interface Outcome {
  readonly outcome: string;
  readonly order_id: string;
  readonly principal: Principal | undefined;
  readonly status: 'success' | 'error';
  readonly envelope: object;
}

const failed = (code: string, detail?: object) => ({
  isError: true,
  error: expect.objectContaining({ code, retryable: false, ...(detail === undefined ? {} : { detail }) }),
});

const outcomes: readonly Outcome[] = [
  {
    outcome: 'result',
    order_id: 'ORD-1234',
    principal: reader,
    status: 'success',
    envelope: { isError: false, result: { order_id: 'ORD-1234', status: 'shipped' } },
  },
  {
    outcome: 'invalid_input',
    order_id: 'bad-id',
    principal: reader,
    status: 'error',
    envelope: failed('invalid_input', {
      violations: [expect.objectContaining({ path: '/order_id', rule: 'matches' })],
    }),
  },
  {
    outcome: 'order_not_found',
    order_id: 'ORD-9999',
    principal: reader,
    status: 'error',
    envelope: failed('order_not_found'),
  },
  {
    outcome: 'insufficient_scope',
    order_id: 'ORD-1234',
    principal: undefined,
    status: 'error',
    envelope: failed('insufficient_scope', { missing: ['orders:read'] }),
  },
];

describe.each(allRuntimes)('$name', (runtime) => {
  it.each(outcomes)('LG-01: answers $outcome with its status, envelope, id and name', async (row) => {
    const { order_id, principal, status, envelope } = row;
    const toolkit = await orderToolkit();
    const call = { id: 'call-1', name: 'orders_lookup', args: { order_id } };
    const messages = await answersOf(runtime, toLangChainTools(toolkit), [call], { context: { principal } });
    // In a conversation of its own, since a repetition would be refused.
    const apart = { principal, conversationId: 'apart' };
    const wire = toWire(await toolkit.invoke('orders.lookup', { order_id }, apart));
    expect(wire).toEqual(envelope);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ status, tool_call_id: 'call-1', name: 'orders_lookup' });
    expect(messages[0]?.artifact).toStrictEqual(wire);
    expect(envelopeOf(messages[0])).toStrictEqual(wire);
    if (status === 'error') expect(messages[0]?.content).not.toContain(order_id);
  });

  it('LG-01: answers several calls in their order, each by itself', async () => {
    const calls = outcomes.map(({ order_id }, index) => ({
      id: `call-${index}`,
      name: 'orders_lookup',
      args: { order_id },
    }));
    const tools = toLangChainTools(await orderToolkit());
    const messages = await answersOf(runtime, tools, calls, { context: { principal: reader } });
    expect(messages.map(({ tool_call_id, status }) => [tool_call_id, status])).toEqual([
      ['call-0', 'success'],
      ['call-1', 'error'],
      ['call-2', 'error'],
      ['call-3', 'success'],
    ]);
  });
});

describe.each([bareToolNode, stateGraph])('$name', (runtime) => {
  it.each(outcomes)('LG-01: answers a call without an id with the status of $outcome', async (row) => {
    const call = { name: 'orders_lookup', args: { order_id: row.order_id } };
    const tools = toLangChainTools(await orderToolkit());
    const messages = await answersOf(runtime, tools, [call], { context: { principal: row.principal } });
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ status: row.status, tool_call_id: '', artifact: row.envelope });
  });
});

describe('a tool that is invoked directly', () => {
  it('answers bare arguments with the envelope as text', async () => {
    const [tool] = toLangChainTools(await orderToolkit());
    const answers = [
      await tool?.invoke({ order_id: 'ORD-1234' }, { context: { principal: reader } }),
      await tool?.invoke({ order_id: 'bad-id' }, { context: { principal: reader } }),
    ];
    expect(answers.map((answer) => JSON.parse(String(answer)).isError)).toEqual([false, true]);
  });

  it('answers bare arguments with a message where the configuration names the call', async () => {
    const [tool] = toLangChainTools(await orderToolkit());
    const toolCall = { id: 'call-7', name: 'orders_lookup', args: {}, type: 'tool_call' } as const;
    const config = { context: { principal: reader }, toolCall };
    for (const [order_id, status] of [
      ['ORD-1234', 'success'],
      ['bad-id', 'error'],
    ]) {
      expect(await tool?.invoke({ order_id }, config)).toMatchObject({ status, tool_call_id: 'call-7' });
    }
  });

  it('answers alike through the deprecated call method', async () => {
    const [tool] = toLangChainTools(await orderToolkit());
    const answer = await tool?.call({ order_id: 'bad-id' }, { context: { principal: reader } });
    expect(JSON.parse(String(answer))).toMatchObject({ isError: true, error: { code: 'invalid_input' } });
  });
});
