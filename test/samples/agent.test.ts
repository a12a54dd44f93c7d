/**
 * The sample's conversation, on the scripted model and on a real one behind a local server.
 * Invariant: only what the transcript says is looked at.
 */
import { ChatOpenAI } from '@langchain/openai';
import { converse } from '../../samples/agent';
import type { App } from '../../samples/app';
import { chooseModel } from '../../samples/models';
import { run } from '../../samples/run';
import { ScriptedModel } from '../../samples/scripted-model';
import { formatLine, type TranscriptLine } from '../../samples/transcript';
import { startModelServer } from '../fixtures/model-server';
import { openSampleApp } from '../fixtures/sample-app';

let app: App;
beforeEach(async () => {
  app = await openSampleApp();
});
afterEach(() => app.close());

/** The calls and answers of the turn that begins with the first line of the user that has these words. */
function turnWith(transcript: readonly TranscriptLine[], words: string): unknown[] {
  const isUser = (line: TranscriptLine) => line.from === 'user';
  const start = transcript.findIndex((line) => 'text' in line && isUser(line) && line.text.includes(words));
  const end = transcript.findIndex((line, index) => index > start && isUser(line));
  return transcript.slice(start + 1, end < 0 ? undefined : end).map((line) => {
    if ('text' in line) return line.from;
    if (!('answer' in line)) return line.args;
    return line.answer.isError ? line.answer.error.code : 'success';
  });
}

it('shows a success, a corrected argument, a final failure, a passing one and a refusal', async () => {
  const transcript = await converse(app.toolkit, new ScriptedModel());
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
  expect(turnWith(transcript, 'refund')).toEqual([
    { order_id: 'ORD-1234', amount_minor: 1_250, refund_id: 'REF-1234' },
    'insufficient_scope',
    'agent',
  ]);
});

it('goes alike every time', async () => {
  const other = await openSampleApp();
  const transcripts = await Promise.all(
    [app, other].map(({ toolkit }) => converse(toolkit, new ScriptedModel())),
  );
  await other.close();
  expect(transcripts[0]).toEqual(transcripts[1]);
});

it('is printed with a line for each entry', async () => {
  const transcript = await converse(app.toolkit, new ScriptedModel());
  const printed = transcript.map(formatLine);
  expect(printed.every((line) => /^\n?(user|agent|tool) {2,3}\S/.test(line))).toBe(true);
  expect(printed.filter((line) => line.includes('order_not_found'))).toHaveLength(1);
});

it('runs on a model that is reached over HTTP, which is offered every tool', async () => {
  const call = { id: 'call_1', name: 'orders_lookup', args: { order_id: 'ORD-9999' } };
  const model = await startModelServer([
    { calls: [call] },
    { text: 'There is none.' },
    ...['two', 'three', 'four', 'five'].map((text) => ({ text })),
  ]);
  const configuration = { baseURL: `${model.url}/v1` };
  const chat = new ChatOpenAI({ apiKey: 'none', model: 'local', configuration });
  const transcript = await converse(app.toolkit, chat);
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
