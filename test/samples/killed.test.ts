/**
 * The sample's agent, in processes that are killed: what waits goes on, and nothing is paid twice.
 * Invariant: processes are ended by SIGKILL alone, and refunds are counted in the database.
 */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { compileSamples, sampleEnvironment } from '../fixtures/compiled-samples';
import type { Application } from '../fixtures/installed-package';

const PROMPT = '[a]pprove, [e]dit or [r]eject? ';

jest.setTimeout(60_000);

/** Ends the process the moment a refund has ended: before its end is recorded, or after. */
const killer = (isRecorded: boolean) => `
  const { SqliteLedger } = require('toolcrib/stores/sqlite');
  const { end } = SqliteLedger.prototype;
  SqliteLedger.prototype.end = async function (key, token, outcome) {
    if (outcome.state === 'finished' && !${isRecorded}) process.kill(process.pid, 'SIGKILL');
    const isEnded = await end.call(this, key, token, outcome);
    if (outcome.state === 'finished') process.kill(process.pid, 'SIGKILL');
    return isEnded;
  };
`;

let application: Application;
beforeAll(() => {
  application = compileSamples();
  application.write('kill-before.js', killer(false));
  application.write('kill-after.js', killer(true));
}, 120_000);
afterEach(() => rmSync(join(application.folder, '.data'), { recursive: true, force: true }));
afterAll(() => application.remove());

/** How one process ends: of itself, with its input, or killed once it asks its first question. */
interface Run {
  readonly preload?: string;
  readonly input?: string;
  readonly isKilledAtPrompt?: boolean;
}

/** Runs the conversation `thread-1` in a process of its own, and gives what it printed and how it ended. */
async function converse(flags: readonly string[], { preload, input, isKilledAtPrompt }: Run = {}) {
  const node = preload === undefined ? [] : ['--require', `./${preload}.js`];
  const argv = [...node, 'samples/agent.js', '--thread', 'thread-1', ...flags];
  const child = spawn(process.execPath, argv, { cwd: application.folder, env: sampleEnvironment() });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    if (isKilledAtPrompt === true && printed.includes(PROMPT)) child.kill('SIGKILL');
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  if (input !== undefined) child.stdin.end(input);
  const ended = await new Promise((go) => child.once('close', (code, signal) => go(signal ?? code)));
  return { ended, printed, complaints };
}

/** What was paid back, by amount, and what the order says. */
function paid() {
  const database = new Database(join(application.folder, '.data/orders.db'));
  const amounts = database.prepare('select amount_minor from refunds order by amount_minor').all();
  const order = database.prepare("select refunded_minor from orders where order_id = 'ORD-1096'").get();
  database.close();
  return { amounts: amounts.map((row) => Object(row).amount_minor), refunded: Object(order).refunded_minor };
}

it('goes on with the request that it was killed at', async () => {
  const killed = await converse(['--interactive'], { isKilledAtPrompt: true });
  expect(killed).toMatchObject({ ended: 'SIGKILL', complaints: '' });
  expect(paid()).toEqual({ amounts: [], refunded: 0 });

  const again = await converse(['--interactive'], { isKilledAtPrompt: true });
  expect(again.ended).toBe('SIGKILL');
  expect(again.printed).not.toContain('orders_lookup');
  expect(paid()).toEqual({ amounts: [], refunded: 0 });

  const scripted = await converse([]);
  expect(scripted).toMatchObject({ ended: 0, complaints: '' });
  expect(paid()).toEqual({ amounts: [], refunded: 0 });

  const flags = /npm start -- (.+)/.exec(again.printed)?.[1]?.split(' ') ?? [];
  expect(flags).toEqual(['--interactive', '--thread', 'thread-1']);
  const rest = await converse(flags.slice(0, 1), { input: 'a\na\ne\n\n2000\n\nr\nNot today.\n' });
  expect(rest).toMatchObject({ ended: 0, complaints: '' });
  expect(paid()).toEqual({ amounts: [1_250, 2_000], refunded: 3_250 });

  expect((await converse([])).printed.split('\n').filter((line) => line !== '')).toHaveLength(1);
  expect(paid().refunded).toBe(3_250);
});

it('does not pay again what was paid and recorded when it was killed', async () => {
  expect((await converse([], { preload: 'kill-after' })).ended).toBe('SIGKILL');
  expect(paid()).toEqual({ amounts: [1_250], refunded: 1_250 });
  expect((await converse([])).ended).toBe(0);
  expect(paid()).toEqual({ amounts: [1_250, 2_000], refunded: 3_250 });
});

it('does not pay again what was paid, and not recorded, when it was killed', async () => {
  expect((await converse([], { preload: 'kill-before' })).ended).toBe('SIGKILL');
  expect(paid()).toEqual({ amounts: [1_250], refunded: 1_250 });
  const { ended, printed } = await converse([]);
  expect(ended).toBe(0);
  expect(printed).toContain('fails with outcome_unknown');
  expect(paid()).toEqual({ amounts: [1_250, 2_000], refunded: 3_250 });
});

it('leaves a request undecided where its input ends', async () => {
  const first = await converse(['--interactive'], { input: 'a\n' });
  expect(first).toMatchObject({ ended: 0, complaints: '' });
  expect(paid()).toEqual({ amounts: [1_250], refunded: 1_250 });
  await converse(['--interactive'], { input: 'a\ne\n\n500\n\nr\nNot today.\n' });
  expect(paid()).toEqual({ amounts: [500, 1_250], refunded: 1_750 });
});

it('refuses a name of a conversation that is none', async () => {
  const { ended, complaints } = await converse(['--thread', '../x']);
  expect([ended, complaints.split('\n').length]).toEqual([1, 2]);
});
