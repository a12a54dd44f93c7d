/**
 * Commands beside an application that writes its audit trail to a file.
 * Invariant: what only looks works; what has to be recorded changes nothing, and says why.
 */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { IsString } from 'class-validator';
import {
  createToolkit,
  MemoryApprovalStore,
  MemoryLedger,
  Scopes,
  SideEffect,
  Tool,
  type Toolkit,
} from 'toolcrib';
import { FileAudit } from 'toolcrib/audit';
import { recordsOf } from '../../audit/trails';
import { makeWorkspace, type Workspace } from '../workspace';

class RowInput {
  @IsString()
  row!: string;
}

@Scopes()
class Rows {
  @Tool({ name: 'rows.add', version: '1.0.0', description: 'Adds a row.', input: RowInput })
  @SideEffect('write')
  add(): string {
    throw new Error('the line went dead');
  }

  @Tool({ name: 'rows.wipe', version: '1.0.0', description: 'Wipes a row.', input: RowInput })
  @SideEffect('destructive')
  wipe(): string {
    return 'wiped';
  }
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };
let desk: Workspace;
let ledger: MemoryLedger;
let store: MemoryApprovalStore;
let running: { readonly toolkit: Toolkit; close(): Promise<void> };
const file = () => join(desk.folder, 'audit.jsonl');

async function open() {
  const sink = await FileAudit.open({ file: file() });
  const toolkit = await createToolkit({
    discover: { classes: [Rows] },
    ledger,
    approval: { store },
    audit: { sink },
    logger: silent,
  });
  return { toolkit, close: () => sink.close() };
}

beforeEach(async () => {
  ledger = new MemoryLedger();
  store = new MemoryApprovalStore();
  desk = makeWorkspace(open);
  running = await open();
  const ada = { principal: { id: 'ada', scopes: [] } };
  await running.toolkit.invoke('rows.add', { row: 'a' }, ada);
  await running.toolkit.invoke('rows.wipe', { row: 'a' }, ada);
});
afterEach(() => desk.remove());

async function stop(): Promise<void> {
  await running.toolkit.close();
  await running.close();
}

const keyOf = async () => (await ledger.list({ state: 'unknown' }))[0]?.key ?? '';
const idOf = async () => (await store.list())[0]?.request.id ?? '';

it('look on', async () => {
  for (const argv of [['list'], ['show', 'rows.add'], ['ledger', 'list'], ['approvals', 'list']]) {
    expect(await desk.run(argv)).toMatchObject({ exitCode: 0 });
  }
  expect(await desk.run(['audit', 'verify', file()])).toMatchObject({ exitCode: 0 });
  await stop();
});

it('settle and decide nothing that they cannot record', async () => {
  const settle = ['ledger', 'settle', await keyOf(), '--executed', '--by', 'grace'];
  const approve = ['approvals', 'approve', await idOf(), '--by', 'grace'];
  for (const argv of [settle, approve]) {
    const { exitCode, json } = await desk.run([...argv, '--json']);
    expect(exitCode).toBe(2);
    expect(json()).toMatchObject({
      error: { code: 'audit_failed', message: expect.stringContaining(String(process.pid)) },
    });
  }
  expect([await keyOf(), await idOf()]).not.toContain('');
  await stop();
  for (const argv of [settle, approve]) expect(await desk.run(argv)).toMatchObject({ exitCode: 0 });
  expect([await keyOf(), await idOf()]).toEqual(['', '']);
  expect((await recordsOf(file())).slice(-2)).toMatchObject([
    { kind: 'settled', by: 'grace' },
    { kind: 'approval_decided', by: 'grace' },
  ]);
});

it('settle for nobody who is not named, and say so', async () => {
  const key = await keyOf();
  await stop();
  const { exitCode, stderr } = await desk.run(['ledger', 'settle', key, '--not-executed']);
  expect(exitCode).toBe(0);
  expect(stderr).toContain('--by');
  expect((await recordsOf(file())).at(-1)).toMatchObject({ kind: 'settled', principalId: 'ada', by: null });
});

it('verify no trail whose head is gone, unless they are given it', async () => {
  await stop();
  const head = desk.read('audit.jsonl.head').trim();
  renameSync(`${file()}.head`, `${file()}.gone`);
  const { exitCode, json } = await desk.run(['audit', 'verify', file(), '--json']);
  expect([exitCode, json()]).toMatchObject([1, { problems: [{ code: 'no_head' }] }]);
  expect(await desk.run(['audit', 'verify', file(), '--head', head])).toMatchObject({ exitCode: 0 });
});
