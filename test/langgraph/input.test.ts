/**
 * Questions of handlers in a graph.
 * Invariant: an answer reaches the question that it names, and a run that is resumed with anything else asks again.
 */
import { IsInt, Max, Min } from 'class-validator';
import type { InputAnswer } from 'toolcrib';
import { type CallInput, type InputInterrupt, toLangChainTools } from 'toolcrib/langgraph';
import { moneyTools, type WireInput, wire } from '../fixtures/approval-runs';
import { bareToolNode, pausingRuntimes, type RunState, toolMessages } from '../fixtures/langgraph-runtimes';

class Fee {
  @IsInt()
  @Min(0)
  @Max(9)
  fee!: number;
}

function isQuestion(value: unknown): value is InputInterrupt {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'tool_input';
}

function questionsOf({ __interrupt__ = [] }: RunState): InputInterrupt[] {
  return __interrupt__.map(({ value }) => value).filter(isQuestion);
}

function answering(state: RunState, says: (question: InputInterrupt) => InputAnswer<unknown>): object {
  const inputs = questionsOf(state).map((question): [string, CallInput] => [
    question.callId,
    { ...says(question), binding: question.binding },
  ]);
  return { inputs: Object.fromEntries(inputs) };
}

/** Tools that ask for a fee before they act, and what they were answered. */
async function askingTools() {
  const heard = new Set<string>();
  const made = await moneyTools({ approval: false }, async ({ amount }: WireInput, context) => {
    const answer = await context.requestInput(Fee, { message: `Which fee for ${amount}?` });
    const said = answer?.action === 'accept' ? answer.content.fee : (answer?.action ?? 'nobody');
    heard.add(`${amount}: ${said}`);
  });
  return { ...made, heard };
}

const fee = (content: unknown): InputAnswer<unknown> => ({ action: 'accept', content });

describe.each(pausingRuntimes)('$name', (runtime) => {
  it('asks by an interrupt, and goes on with the answer that names the question', async () => {
    const { tools, heard, effects } = await askingTools();
    const run = runtime.prepare(tools, [wire('call-1', 5)]);
    const paused = await run.begin();
    expect(questionsOf(paused)).toMatchObject([
      {
        callId: 'call-1',
        key: '1',
        tool: 'money.wire',
        version: '1.0.0',
        message: 'Which fee for 5?',
        schema: { type: 'object', properties: { fee: { type: 'integer', minimum: 0, maximum: 9 } } },
      },
    ]);
    const done = await run.resume(answering(paused, () => fee({ fee: 3, extra: 1 })));
    expect(toolMessages(done)).toMatchObject([{ status: 'success', artifact: { result: 5 } }]);
    expect([...heard]).toEqual(['5: 3']);
    expect([...effects.values()]).toEqual([[5]]);
  });

  it('asks again for what is no answer to the question, and tells why', async () => {
    const { tools, heard } = await askingTools();
    const run = runtime.prepare(tools, [wire('call-1', 5)]);
    let state = await run.begin();
    const [{ binding } = { binding: '' }] = questionsOf(state);
    const wrong = [
      true,
      { inputs: { 'call-1': { action: 'accept', content: { fee: 1 } } } },
      { inputs: { 'call-1': { binding: `${binding}0`, action: 'accept', content: { fee: 1 } } } },
      { inputs: { 'call-1': { binding, action: 'yes' } } },
      { inputs: { 'call-1': { binding, ...fee({ fee: 99 }) } } },
    ];
    for (const resumed of wrong) {
      state = await run.resume(resumed);
      expect(questionsOf(state)[0]?.problem).toMatch(/./);
    }
    expect(heard.size).toBe(0);
    await run.resume(answering(state, () => ({ action: 'decline' })));
    expect([...heard]).toEqual(['5: decline']);
  });

  it('gives each of two calls its own answer', async () => {
    const { tools, effects, heard } = await askingTools();
    const run = runtime.prepare(tools, [wire('call-1', 5), wire('call-2', 6)]);
    let state = await run.begin();
    for (let rounds = 0; questionsOf(state).length > 0 && rounds < 9; rounds += 1) {
      state = await run.resume(answering(state, ({ callId }) => fee({ fee: callId === 'call-1' ? 1 : 2 })));
    }
    expect([...effects.values()].flat().sort()).toEqual([5, 6]);
    expect([...heard].sort()).toEqual(['5: 1', '6: 2']);
  });
});

it('asks nobody where the run cannot pause', async () => {
  const { toolkit, heard } = await askingTools();
  await bareToolNode.prepare(toLangChainTools(toolkit), [wire('call-1', 5)]).begin();
  expect([...heard]).toEqual(['5: nobody']);
});
