/**
 * The positional answers of langchain's human-in-the-loop interfaces, as decisions by call id.
 * Invariant: an answer reaches the call that it was shown for, or is refused.
 */
import { toDecisions } from 'toolcrib/langgraph';
import { moneyTools, requestsOf, wire, wired } from '../fixtures/approval-runs';
import { plainAgent, toolMessages } from '../fixtures/langgraph-runtimes';

async function pausedRun(...amounts: readonly number[]) {
  const money = await moneyTools();
  const run = plainAgent.prepare(
    money.tools,
    amounts.map((amount, at) => wire(`c${at + 1}`, amount)),
  );
  const paused = await run.begin();
  return { ...money, run, paused, interrupts: paused.__interrupt__ ?? [] };
}

const edited = (name: string, args: object) => ({ type: 'edit', editedAction: { name, args } });

it('brings approve, edit and reject to their own calls', async () => {
  const { run, paused, interrupts, effects } = await pausedRun(1, 2, 3);
  expect(requestsOf(paused)).toHaveLength(3);
  const resume = toDecisions(interrupts, {
    decisions: [
      { type: 'approve' },
      { type: 'reject', message: 'Not this one.' },
      edited('money_wire', { amount: 30 }),
    ],
  });
  const ids = requestsOf(paused).map(({ callId }) => callId);
  expect(Object.keys(resume.decisions)).toEqual(ids);
  const done = await run.resume(resume);
  expect(toolMessages(done)).toMatchObject([
    { tool_call_id: 'c1', artifact: { result: 1 } },
    { tool_call_id: 'c2', artifact: { error: { message: expect.stringContaining('Not this one.') } } },
    { tool_call_id: 'c3', artifact: { result: 30 } },
  ]);
  expect(wired(effects)).toEqual([1, 30]);
});

it('takes one interrupt, also as JSON carries it', async () => {
  const { run, interrupts } = await pausedRun(5);
  const [interrupt] = JSON.parse(JSON.stringify(interrupts));
  const done = await run.resume(toDecisions(interrupt, { decisions: [{ type: 'approve' }] }));
  expect(toolMessages(done)).toMatchObject([{ artifact: { result: 5 } }]);
});

it('may be given to each interrupt by its id', async () => {
  const { run, interrupts, effects } = await pausedRun(1, 2);
  const byId = interrupts.map((interrupt, at) => [
    String(Reflect.get(interrupt, 'id')),
    toDecisions(interrupt, { decisions: [{ type: at === 0 ? 'reject' : 'approve' }] }),
  ]);
  const done = await run.resume(Object.fromEntries(byId));
  expect(toolMessages(done).map(({ status }) => status)).toEqual(['error', 'success']);
  expect(wired(effects)).toEqual([2]);
});

it.each([
  ['too few answers', []],
  ['too many answers', [{ type: 'approve' }, { type: 'approve' }]],
  ['an answer of no type', [{ type: 'ok' }]],
  ['a scalar', [true]],
  ['an edit that names another tool', [edited('money_charge', { amount: 1 })]],
  [
    'an approval with an edited action',
    [{ type: 'approve', editedAction: { name: 'money_wire', args: {} } }],
  ],
  ['an edit without an action', [{ type: 'edit' }]],
  ['a rejection whose message is no text', [{ type: 'reject', message: 7 }]],
])('refuses %s', async (_case, decisions) => {
  const { interrupts } = await pausedRun(5);
  expect(() => toDecisions(interrupts, { decisions })).toThrow(TypeError);
});

it('names the answer, counted from 1, and the call that it is to', async () => {
  const { interrupts } = await pausedRun(1, 2);
  const answering = (second: unknown) => () =>
    toDecisions(interrupts, { decisions: [{ type: 'approve' }, second] });
  for (const wrong of [{ type: 'ok' }, edited('money_charge', {})]) {
    expect(answering(wrong)).toThrow(/\b2\b.*\bc2\b.*\bmoney_wire\b/);
  }
  const inPython = { type: 'edit', edited_action: { name: 'money_wire', args: { amount: 3 } } };
  expect(answering(inPython)).toThrow(/\beditedAction\b/);
});

it.each([[{ value: 'send?' }], [{ value: { actionRequests: [] } }], [{}]])(
  'refuses the interrupt %j, which asks for no approval',
  (interrupt) => {
    expect(() => toDecisions(interrupt, { decisions: [{ type: 'approve' }] })).toThrow(TypeError);
  },
);
