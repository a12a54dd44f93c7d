/**
 * `toolcrib ledger`.
 * Invariant: what is settled on the command line is what the next same call is given.
 */

import { IsInt, IsString } from 'class-validator';
import { createToolkit, type Ledger, MemoryLedger, Scopes, SideEffect, Tool, type Toolkit } from 'toolcrib';
import { SqliteLedger } from 'toolcrib/stores/sqlite';
import { emptyFile } from '../../stores/databases';
import { makeWorkspace, type Workspace } from '../workspace';

class ChargeInput {
  @IsString()
  reference!: string;
}

class Receipt {
  @IsInt()
  cents!: number;
}

@Scopes()
class Charges {
  @Tool({
    name: 'charges.make',
    version: '1.0.0',
    description: 'Makes a charge.',
    input: ChargeInput,
    idempotencyKey: ({ reference }) => reference,
  })
  @SideEffect('write')
  make({ reference }: ChargeInput): string {
    if (reference === 'lost') throw new Error('the line went dead');
    return `charged ${reference}`;
  }

  @Tool({
    name: 'charges.count',
    version: '1.0.0',
    description: 'Makes a charge, and counts it.',
    input: ChargeInput,
    output: Receipt,
    idempotencyKey: ({ reference }) => reference,
  })
  @SideEffect('write')
  count(): Receipt {
    throw new Error('the line went dead');
  }
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };
let ledger: Ledger | false;
let desk: Workspace;
const open = (): Promise<Toolkit> =>
  createToolkit({ discover: { classes: [Charges] }, ledger, logger: silent });

beforeEach(() => {
  ledger = new MemoryLedger();
  desk = makeWorkspace(open);
});
afterEach(() => desk.remove());

/** Makes two calls, as another process would that shares the ledger; gives the key of the one that was lost. */
async function callTwice(): Promise<string> {
  const toolkit = await open();
  await toolkit.invoke('charges.make', { reference: 'good' });
  await toolkit.invoke('charges.make', { reference: 'lost' });
  const [entry] = (await toolkit.ledger?.list({ state: 'unknown' })) ?? [];
  return entry?.key ?? '';
}

it('lists entries, for people and as JSON', async () => {
  const key = await callTwice();
  const { exitCode, json } = await desk.run(['ledger', 'list', '--json']);
  expect(exitCode).toBe(0);
  expect(json()).toMatchObject([{ state: 'finished' }, { state: 'unknown', key }]);
  const { stdout } = await desk.run(['ledger', 'list', '--state', 'unknown']);
  const rows = stdout.trimEnd().split('\n');
  expect(rows.map((row) => row.split(/ {2,}/).slice(0, 4))).toEqual([
    ['KEY', 'STATE', 'TOOL', 'CALLER'],
    [key, 'unknown', 'charges.make@1.0.0', 'nobody'],
  ]);
  const one = await desk.run(['ledger', 'list', '--limit', '1', '--json']);
  expect(one.json()).toHaveLength(1);
  expect(one.stderr).toContain('--limit');
  expect((await desk.run(['ledger', 'list', '--limit', '2', '--json'])).stderr).toBe('');
});

it('shows one entry', async () => {
  const key = await callTwice();
  expect((await desk.run(['ledger', 'show', key, '--json'])).json()).toMatchObject({ key, state: 'unknown' });
  const { exitCode, stdout } = await desk.run(['ledger', 'show', key]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(key);
  expect(stdout).toContain('unknown');
});

it('takes the beginning of a key for the whole, where one entry has it', async () => {
  const running = new MemoryLedger();
  ledger = running;
  const said = {
    argumentHash: 'a',
    tool: 'charges.make@1.0.0',
    principalId: null,
    callId: 'c',
    leaseMs: 1e6,
  };
  for (const key of ['12345678', '123456789a', '123456789b']) running.claim({ ...said, key });
  const show = async (key: string) => (await desk.run(['ledger', 'show', key, '--json'])).json();
  expect(await show('123456789b')).toMatchObject({ key: '123456789b' });
  expect(await show('12345678')).toMatchObject({ key: '12345678' });
  expect(await show('123456789')).toMatchObject({ error: { code: 'ambiguous_id' } });
  expect(await show('1234567')).toMatchObject({
    error: { code: 'unknown_key', message: expect.stringContaining('at least 8 characters') },
  });
  const missing = await show('00000000');
  expect(JSON.stringify(missing)).not.toContain('characters');
  const key = await callTwice();
  const settled = await desk.run(['ledger', 'settle', key.slice(0, 8), '--not-executed', '--json']);
  expect(settled.json()).toEqual({ key, outcome: 'not_executed' });
});

it('settles what was carried out, and later calls get the result', async () => {
  const key = await callTwice();
  const settle = ['ledger', 'settle', key, '--executed', '--result', '"charged it"'];
  expect(await desk.run([...settle, '--by', 'grace'])).toMatchObject({ exitCode: 0, stderr: '' });
  const toolkit = await open();
  const result = await toolkit.invoke('charges.make', { reference: 'lost' });
  expect(result).toEqual({ success: true, result: 'charged it' });
  const again = await desk.run([...settle, '--json']);
  expect(again.exitCode).toBe(2);
  expect(again.json()).toMatchObject({ error: { code: 'not_unknown' } });
});

it('holds a result to what the tool declares, before anybody gets it', async () => {
  const toolkit = await open();
  await toolkit.invoke('charges.count', { reference: 'lost' });
  const [{ key = '' } = {}] = (await toolkit.ledger?.list()) ?? [];
  const settle = async (...result: readonly string[]) => {
    const { exitCode, json } = await desk.run(['ledger', 'settle', key, '--executed', ...result, '--json']);
    return [exitCode, json()];
  };
  const place = { tool: 'charges.count@1.0.0', path: '/cents' };
  expect(await settle('--result', '{"cents":"five"}')).toMatchObject([
    2,
    { error: { code: 'illegal_result', problems: [{ code: 'isInt', place }] } },
  ]);
  expect(await settle()).toMatchObject([2, { error: { code: 'illegal_result' } }]);
  expect((await toolkit.ledger?.get(key))?.state).toBe('unknown');
  expect(await settle('--result', '{"cents":5}')).toMatchObject([0, { key, result: { cents: 5 } }]);
  expect(await toolkit.invoke('charges.count', { reference: 'lost' })).toEqual({
    success: true,
    result: { cents: 5 },
  });
});

it('says until when an entry runs that cannot be settled yet', async () => {
  const running = new MemoryLedger();
  ledger = running;
  const said = { argumentHash: 'a', tool: 'charges.make@1.0.0', principalId: null, callId: 'c' };
  running.claim({ ...said, key: 'runs', leaseMs: 60_000 });
  const ends = new Date((await running.get('runs'))?.leaseEndsAt ?? 0).toISOString();
  const { json } = await desk.run(['ledger', 'settle', 'runs', '--not-executed', '--json']);
  expect(json()).toMatchObject({ error: { code: 'not_unknown', message: expect.stringContaining(ends) } });
});

it('settles what was not carried out, and the key is free', async () => {
  const key = await callTwice();
  const { exitCode, json } = await desk.run(['ledger', 'settle', key, '--not-executed', '--json']);
  expect([exitCode, json()]).toEqual([0, { key, outcome: 'not_executed' }]);
  expect((await desk.run(['ledger', 'list', '--state', 'unknown', '--json'])).json()).toEqual([]);
});

it.each([
  ['unknown_key', ['show', 'nothing']],
  ['unknown_key', ['settle', 'nothing', '--executed']],
  ['illegal_option', ['settle', 'nothing']],
  ['illegal_option', ['settle', 'nothing', '--not-executed', '--result', '1']],
  ['conflicting_option', ['settle', 'nothing', '--not-executed', '--executed']],
  ['illegal_arguments', ['settle', 'nothing', '--executed', '--result', 'yes']],
  ['invalid_argument', ['list', '--state', 'lost']],
  ['invalid_argument', ['list', '--limit', '0']],
  ['no_tables', ['migrate']],
  ['missing_command', []],
])('%s is an exit code 2: %j', async (code, argv) => {
  const { exitCode, json } = await desk.run(['ledger', ...argv, '--json']);
  expect([exitCode, json()]).toMatchObject([2, { error: { code } }]);
});

it('says that there is no ledger', async () => {
  ledger = false;
  const { exitCode, json } = await desk.run(['ledger', 'list', '--json']);
  expect([exitCode, json()]).toMatchObject([2, { error: { code: 'no_ledger' } }]);
});

it('migrates the tables, which it says when they are missing', async () => {
  const { at: file, remove } = await emptyFile();
  const stored = await SqliteLedger.open({ file });
  ledger = stored;
  const missing = await desk.run(['ledger', 'list', '--json']);
  expect([missing.exitCode, missing.json()]).toMatchObject([
    2,
    { error: { code: 'ledger_failed', message: expect.stringContaining('toolcrib ledger migrate') } },
  ]);
  const migrated = ['0001_ledger_and_approvals'];
  expect((await desk.run(['ledger', 'migrate', '--json'])).json()).toEqual({ migrated });
  expect(await desk.run(['ledger', 'migrate'])).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await desk.run(['ledger', 'list', '--json'])).json()).toEqual([]);
  await stored.close();
  await remove();
});
