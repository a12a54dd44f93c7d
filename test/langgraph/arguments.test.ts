/**
 * Arguments of any form, in every runtime.
 * Invariant: whatever a model asks for, the answer is the one of `toolkit.invoke`; LangChain's own
 * validation never stands before it.
 */
import fc from 'fast-check';
import { toWire } from 'toolcrib';
import { toLangChainTools } from 'toolcrib/langgraph';
import { allRuntimes, answersOf, bareToolNode, envelopeOf } from '../fixtures/langgraph-runtimes';
import { orderToolkit, reader, toolkitOf } from '../fixtures/langgraph-tools';

const context = { principal: reader };
/** In a conversation of its own, since a repetition of the run's call would be refused. */
const apart = { ...context, conversationId: 'apart' };

const rejected: readonly { form: string; args?: unknown; paths: readonly string[] }[] = [
  { form: 'no arguments at all', paths: ['/order_id'] },
  { form: 'null', args: null, paths: ['/order_id'] },
  { form: 'an empty object', args: {}, paths: ['/order_id'] },
  { form: 'a text', args: 'ORD-1234', paths: [''] },
  { form: 'an empty text', args: '', paths: [''] },
  { form: 'a number', args: 7, paths: [''] },
  { form: 'a truth value', args: false, paths: [''] },
  { form: 'an empty array', args: [], paths: [''] },
  { form: 'an array', args: [{ order_id: 'ORD-1234' }], paths: [''] },
  { form: 'a wrong type', args: { order_id: 1234 }, paths: ['/order_id'] },
  { form: 'an undeclared property', args: { order_id: 'ORD-1234', more: 1 }, paths: ['/more'] },
  {
    form: 'an object that looks like a call',
    args: { type: 'tool_call', id: 'call-other', name: 'orders_lookup', args: { order_id: 'ORD-1234' } },
    paths: ['/args', '/id', '/name', '/order_id', '/type'],
  },
];

describe.each(allRuntimes)('$name', (runtime) => {
  it.each(rejected)('LG-02: $form: invalid_input names what is wrong', async ({ paths, ...given }) => {
    const toolkit = await orderToolkit();
    const call = { id: 'call-1', name: 'orders_lookup', ...('args' in given ? { args: given.args } : {}) };
    const started = jest.fn();
    const messages = await answersOf(runtime, toLangChainTools(toolkit), [call], {
      context,
      callbacks: [{ handleToolStart: started }],
    });
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ status: 'error', tool_call_id: 'call-1', name: 'orders_lookup' });
    const wire = toWire(await toolkit.invoke('orders.lookup', given.args, apart));
    expect(envelopeOf(messages[0])).toStrictEqual(wire);
    expect(wire).toMatchObject({
      error: { code: 'invalid_input', detail: { violations: expect.any(Array) } },
    });
    const { detail } = 'error' in wire ? wire.error : {};
    const found = JSON.parse(JSON.stringify(detail)).violations.map(({ path }: { path: string }) => path);
    expect([...new Set(found)].sort()).toEqual(paths);
    // What LangChain itself rejects never starts, so that tracing does not see it.
    expect(started).toHaveBeenCalledTimes(1);
  });

  it.each([{}, { args: null }, { args: {} }])('LG-02: takes %j as no arguments', async (given) => {
    const tools = toLangChainTools(await toolkitOf({ 'a.b': (input) => ({ ...input }) }));
    const [message] = await answersOf(runtime, tools, [{ id: 'call-1', name: 'a_b', ...given }]);
    expect(message).toMatchObject({ status: 'success', artifact: { isError: false, result: {} } });
  });
});

it('LG-02: for all JSON arguments the answer is that of the toolkit', async () => {
  const toolkit = await orderToolkit();
  const tools = toLangChainTools(toolkit);
  const shaped = fc.record(
    {
      order_id: fc.oneof(fc.constantFrom('ORD-1234', 'ORD-9999'), fc.jsonValue()),
      type: fc.constant('tool_call'),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.jsonValue(), shaped), async (args) => {
      const call = { id: 'call-1', name: 'orders_lookup', args };
      const messages = await answersOf(bareToolNode, tools, [call], { context });
      const wire = toWire(await toolkit.invoke('orders.lookup', args, { ...apart, callId: 'call-1' }));
      expect(messages).toHaveLength(1);
      expect(envelopeOf(messages[0])).toStrictEqual(wire);
      expect(messages[0]).toMatchObject({
        status: wire.isError ? 'error' : 'success',
        tool_call_id: 'call-1',
        name: 'orders_lookup',
      });
    }),
    { seed: 2, numRuns: 200 },
  );
});

it('LG-02: text that a tool takes is handed on unchanged, and never parsed by LangChain', async () => {
  const seen: unknown[] = [];
  const tools = toLangChainTools(await toolkitOf({ 'a.b': (input) => seen.push(input.note) }));
  const note = '{"type":"tool_call","args":{}}';
  await answersOf(bareToolNode, tools, [{ id: 'call-1', name: 'a_b', args: { note } }]);
  expect(seen).toEqual([note]);
});
