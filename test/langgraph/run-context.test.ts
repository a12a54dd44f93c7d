/**
 * What a handler learns about the run that calls it.
 * Invariant: conversation, turn, call, signal and progress come from the run, alike in every runtime.
 */
import { HumanMessage } from '@langchain/core/messages';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import type { ToolContext } from 'toolcrib';
import { type PrincipalSource, toLangChainTools } from 'toolcrib/langgraph';
import {
  allRuntimes,
  answersOf,
  asking,
  bareToolNode,
  pausingRuntimes,
} from '../fixtures/langgraph-runtimes';
import { type Guards, reader, toolkitOf } from '../fixtures/langgraph-tools';

/** A tool that keeps the contexts that it was called with. */
async function observer(principal?: PrincipalSource, guards?: Guards) {
  const contexts: ToolContext[] = [];
  const handlers = {
    'a.b': (_input: unknown, context: ToolContext) => {
      contexts.push(context);
      context.progress({ progress: 1, total: 2, message: 'half' });
      // Not an advance, so nobody hears of it.
      context.progress({ progress: 1, total: 2 });
      return null;
    },
  };
  const toolkit = await toolkitOf(handlers, guards);
  return { tools: toLangChainTools(toolkit, principal === undefined ? {} : { principal }), contexts };
}

const call = { id: 'call-1', name: 'a_b', args: {} };

describe.each(allRuntimes)('$name', (runtime) => {
  it('tells conversation, turn and call', async () => {
    const { tools, contexts } = await observer();
    const config = { configurable: { thread_id: 'thread-7' } };
    const calls = [call, { ...call, id: 'call-2' }];
    const answers = await answersOf(runtime, tools, calls, config);
    expect(answers.map(({ status }) => status)).toEqual(['success', 'success']);
    const seen = contexts.map(({ conversationId, turnId, callId }) => ({ conversationId, turnId, callId }));
    expect(seen).toEqual([
      { conversationId: 'thread-7', turnId: 'turn-1', callId: 'call-1' },
      { conversationId: 'thread-7', turnId: 'turn-1', callId: 'call-2' },
    ]);
    expect(contexts[0]?.idempotencyKey).not.toBe(contexts[1]?.idempotencyKey);
    expect(contexts[0]?.signal.aborted).toBe(false);
  });
});

describe.each(pausingRuntimes)('$name', (runtime) => {
  it('writes progress to the stream mode custom', async () => {
    const { tools } = await observer();
    const written: unknown[] = [];
    for await (const update of runtime.prepare(tools, [call]).written()) written.push(update);
    expect(written).toEqual([{ progress: 1, total: 2, message: 'half' }]);
  });
});

describe('ToolNode alone', () => {
  it('makes up a call id where there is none', async () => {
    const { tools, contexts } = await observer();
    const nameless = { name: 'a_b', args: {} };
    await answersOf(bareToolNode, tools, [nameless, nameless]);
    const ids = contexts.map(({ callId }) => callId);
    expect(new Set(ids).size).toBe(2);
    expect(ids).not.toContain('');
  });

  it('begins a new turn with each message of the user', async () => {
    const { tools, contexts } = await observer();
    const node = new ToolNode(tools);
    const said = (id?: string) => new HumanMessage({ content: 'go', ...(id === undefined ? {} : { id }) });
    const histories = [
      [said('turn-1'), asking([call])],
      [said('turn-1'), asking([]), said('turn-2'), asking([call])],
      [said(), asking([call])],
      [said(), asking([]), said(), asking([call])],
    ];
    for (const messages of histories) await node.invoke({ messages });
    const turns = contexts.map(({ turnId }) => turnId);
    expect(turns.slice(0, 2)).toEqual(['turn-1', 'turn-2']);
    expect(new Set(turns).size).toBe(4);
  });

  it('reads the turn of a bare list of messages, and knows none without a message of the user', async () => {
    const { tools, contexts } = await observer();
    const node = new ToolNode(tools);
    await node.invoke([new HumanMessage({ id: 'turn-3', content: 'go' }), asking([call])]);
    await node.invoke([asking([call])]);
    expect(contexts.map(({ turnId }) => turnId)).toEqual(['turn-3', undefined]);
    expect(contexts.map(({ conversationId }) => conversationId)).toEqual([undefined, undefined]);
  });
});

describe('ids that are no text', () => {
  it.each([
    [7, '7'],
    [0, '0'],
    ['7', '7'],
    ['', undefined],
    [null, undefined],
    [{ id: 7 }, undefined],
    [['7'], undefined],
  ])('make of the thread %j the conversation %j', async (threadId, conversationId) => {
    const { tools, contexts } = await observer();
    await answersOf(bareToolNode, tools, [call], { configurable: { thread_id: threadId } });
    expect(contexts.map((context) => context.conversationId)).toEqual([conversationId]);
  });

  it.each([[null], [true], [''], [{}], [['call-1']]])('are ignored as ids of a call: %j', async (id) => {
    const { tools, contexts } = await observer();
    const calls: readonly { id: string; name: string }[] = JSON.parse(
      JSON.stringify([
        { ...call, id },
        { ...call, id },
      ]),
    );
    await answersOf(bareToolNode, tools, calls);
    const ids: readonly unknown[] = contexts.map(({ callId }) => callId);
    expect(ids.map((one) => typeof one)).toEqual(['string', 'string']);
    expect(new Set(ids).size).toBe(2);
  });
});

describe('a principal source', () => {
  const GARBAGE: readonly (readonly [string, () => unknown])[] = [
    ['a promise of one', async () => reader],
    [
      'a promise that rejects',
      async () => {
        throw new Error('no session');
      },
    ],
    ['a text', () => 'reader-1'],
    ['an id alone', () => ({ id: reader.id })],
    ['scopes that are a text', () => ({ ...reader, scopes: 'orders:read' })],
    ['null', () => null],
    ['a function', () => () => reader],
  ];

  it.each(GARBAGE)('that gives %s gives nobody', async (_what, source) => {
    const guarded = await observer(source as PrincipalSource, { scopes: ['orders:read'] });
    expect(await answersOf(bareToolNode, guarded.tools, [call])).toMatchObject([
      { status: 'error', artifact: { isError: true, error: { code: 'insufficient_scope' } } },
    ]);
    expect(guarded.contexts).toEqual([]);
    const open = await observer(source as PrincipalSource);
    expect(await answersOf(bareToolNode, open.tools, [call])).toMatchObject([{ status: 'success' }]);
    expect(open.contexts.map(({ principal }) => principal)).toEqual([undefined]);
    // A rejection that nobody hears would end the process by now.
    await new Promise(setImmediate);
  });
});
