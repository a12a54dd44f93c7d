/**
 * A recorded result that a later call gets.
 * Invariant: what does not fit the output that its tool declares is never answered as a success.
 */
import { IsInt } from 'class-validator';
import { type InvokeOptions, MemoryLedger } from 'toolcrib';
import { keyedToolkit, onlyEntryOf } from '../../fixtures/ledger-calls';

class Receipt {
  @IsInt()
  cents!: number;
}

const order = { note: 'o1' };
const caller: InvokeOptions = { principal: { id: 'ada', scopes: [] } };

/** A ledger in which an order of somebody stands as carried out, with some result. */
async function settledWith(ledger: MemoryLedger, ...result: readonly [] | readonly [null | object]) {
  const { run } = await keyedToolkit(() => Promise.reject(new Error('the line went dead')), { ledger });
  await run(order, caller);
  const { key = '' } = (await onlyEntryOf(ledger)) ?? {};
  const executed = { outcome: 'executed', ...(result.length === 0 ? {} : { result: result[0] }) };
  expect(await Reflect.apply(ledger.settle, ledger, [key, executed])).toBe(true);
}

it.each<readonly [string, readonly [] | readonly [null | object]]>([
  ['of another form', [{ cents: 'five' }]],
  ['with more than is declared', [{ cents: 5, card: '4242' }]],
  ['that was left out', []],
])('that does not fit is an invalid output of an action that was carried out: %s', async (_case, result) => {
  const ledger = new MemoryLedger();
  await settledWith(ledger, ...result);
  const handler = jest.fn(() => ({ cents: 1 }));
  const { run, log } = await keyedToolkit(handler, { ledger, tool: { output: Receipt } });
  const message = expect.stringContaining('carried out');
  expect(await run(order, caller)).toMatchObject({
    success: false,
    error: { code: 'invalid_output', retryable: false, message, detail: { violations: expect.anything() } },
  });
  expect(handler).not.toHaveBeenCalled();
  expect(log).toMatchObject([{ level: 'error', fields: { code: 'invalid_output', principal: 'ada' } }]);
});

it('that fits is given as it is', async () => {
  const ledger = new MemoryLedger();
  await settledWith(ledger, { cents: 5 });
  const { run, log } = await keyedToolkit(() => ({ cents: 1 }), { ledger, tool: { output: Receipt } });
  expect(await run(order, caller)).toEqual({ success: true, result: { cents: 5 } });
  expect(log).toEqual([]);
});
