/**
 * What a toolkit takes for a ledger.
 * Invariant: what is none is refused when the toolkit is made.
 */
import { MemoryLedger, type ToolkitOptions } from 'toolcrib';
import { brokenLedger } from '../../fixtures/ledger-calls';
import { type RecordedOptions, toolkitRunning } from '../../fixtures/recorded-toolkit';

function given(option: object): RecordedOptions {
  const options: Partial<ToolkitOptions> = option;
  return options;
}

it('has one in memory by itself, a new one for each toolkit', async () => {
  const [one, other] = [await toolkitRunning(() => 1), await toolkitRunning(() => 1)];
  expect(one.toolkit.ledger).toBeInstanceOf(MemoryLedger);
  expect(one.toolkit.ledger).not.toBe(other.toolkit.ledger);
});

it('takes the one that it is given, or none', async () => {
  const ledger = brokenLedger({});
  expect((await toolkitRunning(() => 1, { ledger })).toolkit.ledger).toBe(ledger);
  expect((await toolkitRunning(() => 1, { ledger: false })).toolkit.ledger).toBeUndefined();
});

it.each([
  ['true', { ledger: true }],
  ['null', { ledger: null }],
  ['a text', { ledger: 'memory' }],
  ['a store without settled', { ledger: { ...brokenLedger({}), settled: undefined } }],
  ['recordArguments that is no boolean', { recordArguments: 'yes' }],
])('refuses %s', async (_case, option) => {
  await expect(toolkitRunning(() => 1, given(option))).rejects.toThrow(TypeError);
});
