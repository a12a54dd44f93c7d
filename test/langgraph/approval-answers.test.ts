/**
 * What a paused run may be resumed with: anything.
 * Invariant: nothing runs but by a decision on this very call and these arguments.
 */
import fc from 'fast-check';
import { answering, moneyTools, requestsOf, wire, wired } from '../fixtures/approval-runs';
import { plainAgent, stateGraph, toolMessages } from '../fixtures/langgraph-runtimes';

const hash = fc.constantFrom('RIGHT', 'f'.repeat(64), '', null, true);
const id = fc.constantFrom('c1', 'c2', 'C1', '__proto__', 'toString', '0');
const nearDecision = fc.record(
  {
    type: fc.constantFrom('approve', 'edit', 'reject', 'accept', true),
    argumentHash: hash,
    arguments: fc.jsonValue(),
    reason: fc.jsonValue(),
    approved: fc.boolean(),
  },
  { requiredKeys: [] },
);
/** A decision that lacks nothing but the call or the hash that it is on. */
const misplaced = fc.oneof(
  fc.record({ c1: fc.record({ type: fc.constantFrom('approve', 'reject'), argumentHash: hash }) }),
  fc.record({ c2: fc.record({ type: fc.constantFrom('approve', 'reject'), argumentHash: hash }) }),
);
/** Answers that look like decisions, and those that do not. */
const answer = fc.oneof(
  fc.record({ decisions: misplaced }),
  fc.jsonValue().filter((value) => value !== null),
  fc.record({ decisions: fc.oneof(fc.jsonValue(), fc.array(nearDecision), fc.dictionary(id, nearDecision)) }),
);

/** Whether the value is a decision on the call `c1`, whose hash it states. */
function isDecision(value: unknown): boolean {
  const own: unknown = Object(Object(value).decisions).c1;
  const { type, argumentHash, ...rest } = Object(own);
  if (argumentHash !== 'RIGHT') return false;
  const keys = Object.keys(rest);
  if (type === 'approve') return keys.length === 0;
  if (type === 'edit') return keys.length === 1 && keys[0] === 'arguments';
  return (
    type === 'reject' && (keys.length === 0 || (keys.join() === 'reason' && typeof rest.reason === 'string'))
  );
}

it.each([stateGraph, plainAgent])(
  '$name: whatever is no decision asks again, and runs nothing',
  async (runtime) => {
    await fc.assert(
      fc.asyncProperty(
        answer.filter((value) => !isDecision(value)),
        async (value) => {
          const { tools, effects, toolkit } = await moneyTools();
          const run = runtime.prepare(tools, [wire('c1', 5)]);
          const [request] = requestsOf(await run.begin());
          const resume: unknown = JSON.parse(
            JSON.stringify(value).replaceAll('"RIGHT"', JSON.stringify(request?.argumentHash)),
          );
          const again = await run.resume(resume);
          expect(requestsOf(again)).toMatchObject([{ callId: 'c1' }]);
          expect(wired(effects)).toEqual([]);
          await toolkit.close();
        },
      ),
      { numRuns: 60 },
    );
  },
);

it('gets the result of a sibling that was still running when the run paused', async () => {
  let open: (value?: unknown) => void = () => {};
  const gate = new Promise((resolve) => {
    open = resolve;
  });
  const { tools, effects } = await moneyTools({}, ({ amount }) => (amount === 1 ? gate : undefined));
  const charge = { id: 'c1', name: 'money_charge', args: { amount: 1 } };
  const run = stateGraph.prepare(tools, [charge, wire('c2', 2)]);
  const paused = await run.begin();
  expect(requestsOf(paused)).toMatchObject([{ callId: 'c2' }]);
  const resumed = run.resume(answering(paused, () => ({ type: 'approve' })));
  open();
  const done = await resumed;
  expect(toolMessages(done).map(({ artifact }) => artifact)).toMatchObject([{ result: 1 }, { result: 2 }]);
  expect(wired(effects)).toEqual([1, 2]);
});
