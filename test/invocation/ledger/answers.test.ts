/**
 * What goes between the stage `claim` and its ledger.
 * Invariant: a ledger that answers at once and one that answers later come to the same.
 */
import { type InvokeOptions, type LedgerOutcome, MemoryLedger } from 'toolcrib';
import { brokenLedger, keyedToolkit, onlyEntryOf } from '../../fixtures/ledger-calls';

const order = { note: 'o1', id: 500 };
const same: InvokeOptions = {
  principal: { id: 'ada', scopes: [] },
  conversationId: 'talk',
  callId: 'call-1',
};

it('gives the ledger the JSON of an output with its result', async () => {
  const outcomes: LedgerOutcome[] = [];
  const whole = new MemoryLedger();
  const end: MemoryLedger['end'] = (...args) => {
    outcomes.push(args[2]);
    return whole.end(...args);
  };
  const { run } = await keyedToolkit(() => ({ text: 'a "b" ü', at: new Date(0) }), {
    ledger: brokenLedger({ end }, whole),
  });
  const first = await run(order, same);
  expect(outcomes).toEqual([
    { state: 'finished', result: first, json: '{"text":"a \\"b\\" ü","at":"1970-01-01T00:00:00.000Z"}' },
  ]);
  expect(await run(order, same)).toEqual(first);
});

it('takes the answers of a ledger at once or later, with the same end', async () => {
  const whole = new MemoryLedger();
  const later = brokenLedger(
    { claim: async (claim) => whole.claim(claim), end: async (...end) => whole.end(...end) },
    whole,
  );
  for (const ledger of [later, new MemoryLedger()]) {
    const handler = jest.fn(() => 'done');
    const { run } = await keyedToolkit(handler, { ledger });
    const twins = await Promise.all([run(order, same), run(order, same)]);
    expect([...twins, await run(order, same)]).toEqual(Array(3).fill({ success: true, result: 'done' }));
    expect(handler).toHaveBeenCalledTimes(1);
    expect(await onlyEntryOf(ledger)).toMatchObject({ state: 'finished' });
  }
});
