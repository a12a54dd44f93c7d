/**
 * `toolcrib approvals`, and `toolcrib call --approve`.
 * Invariant: what is decided on the command line is what the toolkit's next same call is given.
 */

import { IsInt, IsOptional, IsString } from 'class-validator';
import { createToolkit, MemoryApprovalStore, Scopes, SideEffect, Tool, type Toolkit } from 'toolcrib';
import { Approvals } from '../../../src/invocation/approval/approvals';
import { makeWorkspace, type Workspace } from '../workspace';

class WipeInput {
  @IsInt()
  rows!: number;

  @IsOptional()
  @IsString()
  token?: string;

  @IsOptional()
  @IsString()
  why?: string;
}

@Scopes()
class Tables {
  @Tool({ name: 'tables.wipe', version: '1.0.0', description: 'Wipes rows.', input: WipeInput })
  @SideEffect('destructive')
  wipe({ rows }: WipeInput): number {
    return rows;
  }
}

let store: MemoryApprovalStore;
let desk: Workspace;
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const open = (): Promise<Toolkit> =>
  createToolkit({ discover: { classes: [Tables] }, approval: { store }, logger: silent });

beforeEach(() => {
  store = new MemoryApprovalStore();
  desk = makeWorkspace(open);
});
afterEach(() => desk.remove());

/** Makes a request, as another process would that shares the store. */
async function request(): Promise<string> {
  const toolkit = await open();
  await toolkit.invoke('tables.wipe', { rows: 3 });
  const [kept] = await toolkit.approvals.list();
  return kept?.request.id ?? '';
}

const CALL = ['call', 'tables.wipe', '--args', '{"rows":3}'];

it('lists what is pending, for people and as JSON', async () => {
  const id = await request();
  const { exitCode, json } = await desk.run(['approvals', 'list', '--json']);
  expect(exitCode).toBe(0);
  expect(json()).toMatchObject([{ state: 'pending', request: { id, arguments: { rows: 3 } } }]);
  const rows = (await desk.run(['approvals', 'list'])).stdout.trimEnd().split('\n');
  expect(rows.map((row) => row.split(/ {2,}/).slice(0, 4))).toEqual([
    ['ID', 'STATE', 'TOOL', 'CALLER'],
    [id, 'pending', 'tables.wipe@1.0.0', 'nobody'],
  ]);
});

it('lists so many, and says where there are more', async () => {
  const toolkit = await open();
  for (const rows of [1, 2, 3]) await toolkit.invoke('tables.wipe', { rows });
  const two = await desk.run(['approvals', 'list', '--limit', '2', '--json']);
  expect(two.json()).toHaveLength(2);
  expect(two.stderr).toContain('--limit');
  const three = await desk.run(['approvals', 'list', '--limit', '3', '--json']);
  expect(three.json()).toHaveLength(3);
  expect(three.stderr).toBe('');
});

it('takes the beginning of an id for the whole, where one request has it', async () => {
  const id = await request();
  const show = async (beginning: string) =>
    (await desk.run(['approvals', 'show', beginning, '--json'])).json();
  expect(await show(id.slice(0, 8))).toMatchObject({ request: { id } });
  expect(await show(id.slice(0, 7))).toMatchObject({ error: { code: 'unknown_approval' } });
  expect(await show(`${id.slice(0, 8)}x`)).toMatchObject({ error: { code: 'unknown_approval' } });
  const { exitCode, json } = await desk.run([
    'approvals',
    'approve',
    id.slice(0, 10),
    '--by',
    'ada',
    '--json',
  ]);
  expect([exitCode, json()]).toMatchObject([0, { state: 'approved', request: { id } }]);
  expect(await show(id.slice(0, 8))).toMatchObject({ state: 'approved' });
});

it('edits, after which the call runs once with the other arguments', async () => {
  const id = await request();
  const edit = ['approvals', 'edit', id, '--by', 'ada', '--json', '--args'];
  expect((await desk.run([...edit, 'four'])).json()).toMatchObject({ error: { code: 'illegal_arguments' } });
  expect((await desk.run([...edit, '{"rows":4}'])).json()).toMatchObject({
    decision: { type: 'edit', arguments: { rows: 4 } },
  });
  expect(await desk.run(CALL)).toMatchObject({ exitCode: 0, stdout: '4\n' });
});

it('shows one request', async () => {
  const id = await request();
  const { exitCode, stdout } = await desk.run(['approvals', 'show', id]);
  expect(exitCode).toBe(0);
  for (const said of [id, 'Wipes rows.', '{"rows":3}', 'destructive']) expect(stdout).toContain(said);
  expect((await desk.run(['approvals', 'show', id, '--json'])).json()).toMatchObject({ request: { id } });
});

it('shows each fact on its line, whatever an id says', async () => {
  const toolkit = await open();
  await toolkit.invoke(
    'tables.wipe',
    { rows: 3 },
    { conversationId: 'talk\n  arguments   {"rows":1}\u001b[2J' },
  );
  const [kept] = await toolkit.approvals.list();
  const { stdout } = await desk.run(['approvals', 'show', kept?.request.id ?? '']);
  const lines = stdout.split('\n').filter((line) => line.startsWith('  arguments'));
  expect(lines).toEqual(['  arguments   {"rows":3}']);
  expect(stdout).toContain('  in          talk\\n  arguments   {"rows":1}\\u001b[2J\n');
});

it('approves, after which the same call runs once', async () => {
  const id = await request();
  const { exitCode, json } = await desk.run(['approvals', 'approve', id, '--by', 'ada', '--json']);
  expect([exitCode, json()]).toMatchObject([0, { state: 'approved', decidedBy: 'ada' }]);
  expect(await desk.run(CALL)).toMatchObject({ exitCode: 0, stdout: '3\n' });
  expect(await desk.run(CALL)).toMatchObject({ exitCode: 1 });
});

it('rejects, with a reason that the caller is told', async () => {
  const id = await request();
  expect(await desk.run(['approvals', 'reject', id, '--by', 'ada', '--reason', 'No.'])).toMatchObject({
    exitCode: 0,
  });
  const { exitCode, json } = await desk.run([...CALL, '--json']);
  expect([exitCode, json()]).toMatchObject([
    1,
    { error: { code: 'approval_rejected', message: expect.stringContaining('No.') } },
  ]);
});

it('ends with 2 where there is no such request, it was decided, or nobody is named', async () => {
  const id = await request();
  const codeOf = async (...argv: readonly string[]) => {
    const { exitCode, json } = await desk.run(['approvals', ...argv, '--json']);
    return [exitCode, Object(json()).error.code];
  };
  expect(await codeOf('show', 'x')).toEqual([2, 'unknown_approval']);
  expect(await codeOf('approve', 'x', '--by', 'ada')).toEqual([2, 'unknown_approval']);
  expect(await codeOf('approve', id)).toEqual([2, 'missing_mandatory_option_value']);
  expect(await codeOf('approve', id, '--by', ' ')).toEqual([2, 'invalid_argument']);
  expect(await codeOf('list', '--limit', '0')).toEqual([2, 'invalid_argument']);
  await desk.run(['approvals', 'reject', id, '--by', 'ada']);
  expect(await codeOf('approve', id, '--by', 'bob')).toEqual([2, 'already_decided']);
  expect(await new Approvals(store).get(id)).toMatchObject({ state: 'rejected', decidedBy: 'ada' });
});

it('has help, and ends with 2 without a command or with a state that there is not', async () => {
  const help = await desk.run(['approvals', '--help']);
  expect(help.exitCode).toBe(0);
  for (const command of ['list', 'show', 'approve', 'reject']) expect(help.stdout).toContain(command);
  expect(await desk.run(['approvals'])).toMatchObject({ exitCode: 2 });
  expect(await desk.run(['approvals', 'list', '--state', 'lost'])).toMatchObject({ exitCode: 2 });
});

it('call needs approval, and --approve gives it', async () => {
  const { exitCode, stderr } = await desk.run(CALL);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('approval_required');
  expect(stderr).toContain('--approve');
  expect(await desk.run([...CALL, '--approve'])).toMatchObject({ exitCode: 0, stdout: '3\n' });
});

it('shows what nobody would see, and says what is masked', async () => {
  const toolkit = await open();
  await toolkit.invoke('tables.wipe', {
    rows: 3,
    token: 'hunter2-and-more',
    why: 'for eve@evil.example\u202e\u200b',
  });
  const [kept] = await toolkit.approvals.list();
  const { stdout } = await desk.run(['approvals', 'show', kept?.request.id ?? '']);
  expect(stdout).toContain('"token":"[redacted]","why":"for eve@evil.example\\u202e\\u200b"');
  expect(stdout).toMatch(/Masked: "\/arguments\/token" \(16 characters, digest [0-9a-f]{8}\)/);
  expect(stdout).not.toContain('hunter2');
});
