/**
 * Any sequence of calls, through a toolkit: which of them execute, and what each is answered.
 * Invariant: a model of a few lines says so beforehand.
 */
import * as fc from 'fast-check';
import { type InvokeOptions, ToolError } from 'toolcrib';
import { forAllAwaited } from '../../fixtures/for-all';
import { byHand, codeOf, keyedToolkit } from '../../fixtures/ledger-calls';

class Interrupt extends Error {}

const ends = fc.constantFrom('answers', 'fails', 'breaks', 'pauses', 'is invalid');
const calls = fc.record({
  note: fc.constantFrom('o1', 'o2'),
  id: fc.constantFrom(1, 2),
  principal: fc.constantFrom('ada', 'bob', undefined),
  end: ends,
});
type Call = typeof calls extends fc.Arbitrary<infer One> ? One : never;

function optionsOf({ principal }: Pick<Call, 'principal'>): InvokeOptions {
  return {
    ...(principal === undefined ? {} : { principal: { id: principal, scopes: [] } }),
    isPause: (error) => error instanceof Interrupt,
  };
}

function act(end: Call['end']): unknown {
  if (end === 'fails') throw new ToolError({ code: 'declined', message: 'Declined.', retryable: true });
  if (end === 'breaks') throw new Error('?');
  if (end === 'pauses') throw new Interrupt();
  return end === 'answers' ? 'done' : 10n;
}

/** What a call is answered whose handler runs. */
const ANSWERS = {
  answers: 'done',
  fails: 'declined',
  breaks: 'internal_error',
  pauses: 'pause',
  'is invalid': 'invalid_output',
} as const;

/** What a later same call is answered; undefined: it runs. */
const LATER: { readonly [end in Call['end']]: string | undefined } = {
  answers: 'done',
  fails: undefined,
  breaks: 'outcome_unknown',
  pauses: undefined,
  'is invalid': 'invalid_output',
};

it('executes what the model says, one after another', async () => {
  await forAllAwaited(fc.array(calls, { maxLength: 15 }), async (sequence) => {
    let end: Call['end'] = 'answers';
    let executions = 0;
    const { run, toolkit } = await keyedToolkit(
      () => {
        executions += 1;
        return act(end);
      },
      { retryGuard: false },
    );
    const model = new Map<string, { readonly of: string; readonly later: string | undefined }>();
    for (const call of sequence) {
      const { note, id, principal } = call;
      ({ end } = call);
      const of = `${id} ${principal ?? ''}`;
      const known = model.get(note);
      const before = executions;
      const answer = await run({ note, id }, optionsOf(call)).then(
        (result) => (result.success ? result.result : codeOf(result)),
        () => 'pause',
      );
      const isDuplicate = known !== undefined && known.of !== of;
      const expected = isDuplicate ? 'duplicate_call' : (known?.later ?? ANSWERS[end]);
      expect(answer).toBe(expected);
      const ran = !isDuplicate && known?.later === undefined;
      expect(executions - before).toBe(ran ? 1 : 0);
      if (!ran) continue;
      if (end === 'fails') model.delete(note);
      else model.set(note, { of, later: LATER[end] });
    }
    const running = await toolkit.ledger?.list({ state: 'running' });
    expect(running).toEqual([]);
  });
});

it('executes once what is called at once, whenever it ends, and answers all the same', async () => {
  const twins = fc.record({
    count: fc.integer({ min: 2, max: 20 }),
    turns: fc.integer({ min: 0, max: 8 }),
    end: fc.constantFrom<Call['end']>('answers', 'is invalid', 'breaks'),
  });
  await forAllAwaited(twins, async ({ count, turns, end }) => {
    const hand = byHand();
    let executions = 0;
    const { run } = await keyedToolkit(async () => {
      executions += 1;
      await hand.promise;
      return act(end);
    });
    const together = Array.from({ length: count }, () =>
      run({ note: 'o1' }, optionsOf({ principal: 'ada' })),
    );
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    hand.resolve(undefined);
    const codes = (await Promise.all(together)).map((result) =>
      result.success ? result.result : codeOf(result),
    );
    const [first, ...others] = codes;
    expect(executions).toBe(1);
    expect(first).toBe(ANSWERS[end]);
    expect(new Set(others)).toEqual(new Set([LATER[end]]));
  });
});
