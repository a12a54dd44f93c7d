/**
 * The sample's conversation, on the scripted model and on a real one behind a local server.
 * Invariant: only what the transcript says is looked at.
 */

import { MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { type Conversation, converse } from '../../samples/agent';
import type { App } from '../../samples/app';
import { turnsOf } from '../../samples/conversation';
import { chooseModel } from '../../samples/models';
import { scriptedReviewer } from '../../samples/reviewer';
import { run } from '../../samples/run';
import { ScriptedModel } from '../../samples/scripted-model';
import { LookupOrderTool } from '../../samples/tools/lookup-order';
import { formatLine, type TranscriptLine } from '../../samples/transcript';
import { startModelServer } from '../fixtures/model-server';
import { everything, openSampleApp, outputOf } from '../fixtures/sample-app';

let app: App;
beforeEach(async () => {
  app = await openSampleApp();
});

/** Holds a conversation, and gives what was said in it. */
async function hear(changed: Partial<Conversation> = {}): Promise<TranscriptLine[]> {
  const conversation = {
    toolkit: app.toolkit,
    model: new ScriptedModel(),
    checkpointer: new MemorySaver(),
    thread: 'thread-1',
    turns: turnsOf(),
    reviewer: scriptedReviewer,
    isInteractive: false,
    ...changed,
  };
  const lines: TranscriptLine[] = [];
  for await (const line of converse(conversation)) lines.push(line);
  return lines;
}
const nobody = async () => undefined;
const others: App[] = [];
afterEach(async () => {
  for (const opened of [app, ...others.splice(0)]) await opened.close();
});

const REFUND = { order_id: 'ORD-1096', amount_minor: 1_250, refund_id: 'REF-2026' };

async function another(): Promise<App> {
  const other = await openSampleApp();
  others.push(other);
  return other;
}

async function refundedOf(order_id: string): Promise<number> {
  return outputOf(await app.toolkit.invoke(LookupOrderTool, { order_id }, everything)).refunded_minor;
}

/** The calls and answers of the turn that begins with the first line of the user that has these words. */
function turnWith(transcript: readonly TranscriptLine[], words: string): unknown[] {
  const isUser = (line: TranscriptLine) => line.from === 'user';
  const start = transcript.findIndex((line) => 'text' in line && isUser(line) && line.text.includes(words));
  const end = transcript.findIndex((line, index) => index > start && isUser(line));
  return transcript.slice(start + 1, end < 0 ? undefined : end).map((line) => {
    if ('text' in line) return line.from;
    if ('request' in line) return line.decision?.type;
    if (!('answer' in line)) return line.args;
    return line.answer.isError ? line.answer.error.code : 'success';
  });
}

it('shows a success, a corrected argument, a final failure, a passing one and a refusal', async () => {
  const transcript = await hear();
  const parcel = { tracking_number: 'RR100000234DE' };
  expect(turnWith(transcript, 'ORD-1234')).toEqual([{ order_id: 'ORD-1234' }, 'success', 'agent']);
  expect(turnWith(transcript, '1042')).toEqual([
    { order_id: '1042' },
    'invalid_input',
    { order_id: 'ORD-1042' },
    'success',
    'agent',
  ]);
  expect(turnWith(transcript, 'ORD-9999')).toEqual([{ order_id: 'ORD-9999' }, 'order_not_found', 'agent']);
  expect(turnWith(transcript, 'parcel')).toEqual([parcel, 'carrier_unavailable', parcel, 'success', 'agent']);
  expect(turnWith(transcript, 'Please refund')).toEqual([REFUND, 'insufficient_scope', 'agent']);
});

it('shows an approval, a repetition that is not paid again, an edit and a rejection', async () => {
  const transcript = await hear();
  expect(turnWith(transcript, 'I may')).toEqual([REFUND, 'approve', 'success', 'agent']);
  expect(turnWith(transcript, 'Did that work?')).toEqual([REFUND, 'approve', 'success', 'agent']);
  const larger = { ...REFUND, amount_minor: 4_500, refund_id: 'REF-20262' };
  expect(turnWith(transcript, 'too')).toEqual([larger, 'edit', 'success', 'agent']);
  expect(turnWith(transcript, 'cancel')).toEqual([
    { order_id: 'ORD-1000' },
    'reject',
    'approval_rejected',
    'agent',
  ]);
  const answers = transcript.flatMap((line) =>
    'answer' in line && line.tool === 'orders_refund' && !line.answer.isError ? [line.answer.result] : [],
  );
  expect(answers).toMatchObject([
    { refunded_minor: 1_250 },
    { refunded_minor: 1_250 },
    { refunded_minor: 3_250 },
  ]);
  expect(await refundedOf('ORD-1096')).toBe(3_250);
  expect(transcript.filter(({ from }) => from === 'reviewer')).toMatchObject([
    { request: { preview: { pays: '12.50 EUR', refunded: '0.00 EUR', remains: '394.74 EUR' } } },
    { request: { preview: { pays: 'nothing', refunded: '12.50 EUR', note: expect.any(String) } } },
    { request: { preview: { pays: '45.00 EUR', remains: '349.74 EUR' } } },
    { request: { tool: 'orders.cancel' } },
  ]);
});

it('waits where nobody decides, and goes on from there, with what was decided by then', async () => {
  const checkpointer = new MemorySaver();
  const undecided = await hear({ checkpointer, reviewer: nobody });
  expect(undecided.at(-1)).toMatchObject({ from: 'reviewer', decision: undefined });
  expect(await refundedOf('ORD-1096')).toBe(0);
  const rest = await hear({ checkpointer });
  expect(rest[0]).toMatchObject({ from: 'user', text: expect.stringContaining('I may') });
  const whole = await hear({ toolkit: (await another()).toolkit });
  expect([...undecided.slice(0, -3), ...rest].map(formatLine)).toEqual(whole.map(formatLine));
  expect(await hear({ checkpointer })).toEqual([]);
});

it.each([
  ['begun', async () => {}],
  ['taken over', async (checkpointer: MemorySaver) => void (await hear({ checkpointer, reviewer: nobody }))],
])('leaves what waits for a person to a person, where they have %s the conversation', async (_, before) => {
  const checkpointer = new MemorySaver();
  await before(checkpointer);
  await hear({ checkpointer, reviewer: nobody, isInteractive: true });
  const scripted = await hear({ checkpointer });
  expect(scripted).toMatchObject([
    { from: 'user' },
    { from: 'agent' },
    { from: 'reviewer', decision: undefined },
  ]);
  expect(await refundedOf('ORD-1096')).toBe(0);
  await hear({ checkpointer, isInteractive: true });
  expect(await refundedOf('ORD-1096')).toBe(3_250);
});

it('leaves the later requests of a conversation that a person has begun to a person too', async () => {
  const checkpointer = new MemorySaver();
  const turns = turnsOf().slice(0, 6);
  await hear({ checkpointer, turns, isInteractive: true });
  expect((await hear({ checkpointer })).at(-1)).toMatchObject({ from: 'reviewer', decision: undefined });
  expect(await refundedOf('ORD-1096')).toBe(1_250);
});

it('goes alike every time', async () => {
  const other = await another();
  const [first, second] = await Promise.all([app, other].map(({ toolkit }) => hear({ toolkit })));
  expect(first?.map(formatLine)).toEqual(second?.map(formatLine));
});

it('is printed with a line for each entry', async () => {
  const printed = (await hear()).map(formatLine);
  expect(printed.every((line) => /^\n?(user|agent|tool|review) {1,3}\S/.test(line))).toBe(true);
  expect(printed.filter((line) => line.includes('order_not_found'))).toHaveLength(1);
});

it('runs on a model that is reached over HTTP, which is offered every tool', async () => {
  const call = { id: 'call_1', name: 'orders_lookup', args: { order_id: 'ORD-9999' } };
  const model = await startModelServer([
    { calls: [call] },
    { text: 'There is none.' },
    ...turnsOf()
      .slice(1)
      .map(({ text }) => ({ text })),
  ]);
  const configuration = { baseURL: `${model.url}/v1` };
  const chat = new ChatOpenAI({ apiKey: 'none', model: 'local', configuration });
  const transcript = await hear({ model: chat });
  await model.close();
  expect(transcript.slice(1, 4)).toMatchObject([
    { from: 'agent', tool: 'orders_lookup', args: { order_id: 'ORD-9999' } },
    { from: 'tool', answer: { isError: true, error: { code: 'order_not_found', retryable: false } } },
    { from: 'agent', text: 'There is none.' },
  ]);
  const offered = app.toolkit.registry.list().map(({ modelName: name, input }) => ({
    type: 'function',
    function: expect.objectContaining({ name, parameters: input.schema }),
  }));
  expect(model.requests[0]?.body.tools).toEqual(offered);
});

describe('around it', () => {
  const { OPENAI_API_KEY, ANTHROPIC_API_KEY, ...environment } = process.env;
  const before = process.env;
  beforeEach(() => {
    process.env = { ...environment };
  });
  afterEach(() => {
    process.env = before;
    process.exitCode = undefined;
  });

  it('the model is the scripted one unless there is a key', async () => {
    expect(await chooseModel()).toBeInstanceOf(ScriptedModel);
  });

  it('a failure is printed without its stack, and the exit code is 1', async () => {
    const print = jest.spyOn(console, 'error').mockImplementation(() => {});
    const refused = new AggregateError([new Error('refused by ::1'), new Error('refused by 127.0.0.1')]);
    await run(() => Promise.reject(refused));
    const printed = print.mock.calls.flat().join('\n');
    print.mockRestore();
    expect(printed).toContain('refused by ::1; refused by 127.0.0.1');
    expect(printed.split('\n')).toHaveLength(1);
    expect(process.exitCode).toBe(1);
  });
});
