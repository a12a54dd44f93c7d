/**
 * Handlers that throw anything at all, in every runtime.
 * Invariant: each call is answered once with the envelope, and neither its siblings nor the run notice.
 */
import { toLangChainTools } from 'toolcrib/langgraph';
import { allRuntimes, answersOf, envelopeOf, toolMessages } from '../fixtures/langgraph-runtimes';
import { type Handler, toolkitOf } from '../fixtures/langgraph-tools';

const opaque = new Proxy(
  {},
  {
    get() {
      throw new Error('no');
    },
    has() {
      throw new Error('no');
    },
    getPrototypeOf() {
      throw new Error('no');
    },
  },
);

const throwing =
  (value: unknown): Handler =>
  () => {
    throw value;
  };

const faults: readonly { readonly fault: string; readonly handler: Handler }[] = [
  { fault: 'throws undefined', handler: throwing(undefined) },
  { fault: 'throws null', handler: throwing(null) },
  { fault: 'rejects with undefined', handler: () => Promise.reject(undefined) },
  { fault: 'rejects with null', handler: () => Promise.reject(null) },
  { fault: 'throws a text', handler: throwing('password=hunter2') },
  { fault: 'throws an error', handler: throwing(new Error('connect postgres://admin:hunter2@db')) },
  { fault: 'throws an object that cannot be looked at', handler: throwing(opaque) },
  { fault: 'throws what only looks like a pause', handler: throwing({ name: 'GraphInterrupt' }) },
  { fault: 'throws what only looks like a rejected input', handler: throwing({ output: '{}', message: 7 }) },
];

describe.each(allRuntimes)('$name', (runtime) => {
  it.each(faults)('LG-03: a handler that $fault costs nobody else an answer', async ({ handler }) => {
    let runs = 0;
    const tools = toLangChainTools(
      await toolkitOf({
        'bad.one': (input, context) => {
          runs += 1;
          return handler(input, context);
        },
        'good.one': ({ note }) => note,
      }),
    );
    const state = await runtime
      .prepare(tools, [
        { id: 'call-1', name: 'good_one', args: { note: 'first' } },
        { id: 'call-2', name: 'bad_one', args: {} },
        { id: 'call-3', name: 'good_one', args: { note: 'last' } },
      ])
      .begin();
    const messages = toolMessages(state);
    expect(messages).toMatchObject([
      { status: 'success', tool_call_id: 'call-1', artifact: { result: 'first' } },
      { status: 'error', tool_call_id: 'call-2', name: 'bad_one' },
      { status: 'success', tool_call_id: 'call-3', artifact: { result: 'last' } },
    ]);
    expect(envelopeOf(messages[1])).toMatchObject({
      isError: true,
      error: { code: 'internal_error', retryable: false },
    });
    expect(messages[1]?.content).not.toMatch(/hunter2|fix your mistakes/);
    // A middleware that repeats what throws finds nothing to repeat.
    expect(runs).toBe(1);
    if (runtime.name !== 'ToolNode alone') expect(state.messages.at(-1)?.content).toBe('done');
  });

  it('LG-03: a tool that the author made fail again and again is run once for each call', async () => {
    const handler = jest.fn<Promise<never>, []>(() => Promise.reject(new Error('down')));
    const tools = toLangChainTools(await toolkitOf({ 'bad.one': handler }));
    const calls = ['call-1', 'call-2'].map((id) => ({ id, name: 'bad_one', args: {} }));
    const answers = await answersOf(runtime, tools, calls);
    expect(answers.map(({ status, tool_call_id }) => [status, tool_call_id])).toEqual([
      ['error', 'call-1'],
      ['error', 'call-2'],
    ]);
    expect(handler).toHaveBeenCalledTimes(2);
  });

  it('a closed toolkit answers unavailable', async () => {
    const toolkit = await toolkitOf({ 'good.one': ({ note }) => note });
    const tools = toLangChainTools(toolkit);
    await toolkit.close();
    const answers = await answersOf(runtime, tools, [{ id: 'call-1', name: 'good_one', args: {} }]);
    expect(answers).toMatchObject([{ status: 'error', artifact: { error: { code: 'unavailable' } } }]);
  });
});
