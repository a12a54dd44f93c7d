/**
 * `toolcrib audit list`.
 * Invariant: what is printed are the records that were asked for, in their order, one a line.
 */
import { FileAudit } from 'toolcrib/audit';
import { makeWorkspace, type Workspace } from '../workspace';

let desk: Workspace;
beforeAll(async () => {
  desk = makeWorkspace();
  const audit = await FileAudit.open({ file: `${desk.folder}/audit.jsonl` });
  const at = (hour: number) => `2026-11-30T${String(hour).padStart(2, '0')}:00:00.000Z`;
  const event = { kind: 'call_started', tool: 'rows.add@1.0.0', principalId: 'ada' } as const;
  await audit.append({ ...event, time: at(9) });
  await audit.append({ ...event, time: at(10), tool: 'rows.add@2.0.0' });
  await audit.append({ ...event, time: at(11), principalId: 'bob\u001b[2J' });
  await audit.append({ ...event, time: at(12), tool: 'rows.wipe@1.0.0' });
  await audit.append({
    ...event,
    time: at(13),
    kind: 'settled',
    principalId: 'bob',
    by: 'ada',
    outcome: 'executed',
  });
  await audit.append({ time: at(14), kind: 'gap', missing: 7 });
  await audit.close();
});
afterAll(() => desk.remove());

const list = (...more: readonly string[]) => desk.run(['audit', 'list', 'audit.jsonl', ...more]);

it.each<[readonly string[], readonly number[]]>([
  [[], [1, 2, 3, 4, 5, 6]],
  [
    ['--principal', 'ada'],
    [1, 2, 4, 5],
  ],
  [
    ['--tool', 'rows.add'],
    [1, 2, 3, 5],
  ],
  [['--tool', 'rows.add@2.0.0'], [2]],
  [
    ['--since', '2026-11-30T10:00:00Z', '--until', '2026-11-30T13:00:00+01:00'],
    [2, 3],
  ],
  [['--until', '2026-11-30'], []],
  [['--principal', 'ada', '--tool', 'rows.wipe', '--since', '2026-11-30'], [4]],
])('prints what was asked for: %j', async (more, wanted) => {
  const { exitCode, stdout } = await list(...more, '--json');
  const records = stdout
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));
  expect([exitCode, records]).toMatchObject([0, wanted.map((sequence) => ({ sequence }))]);
  expect((await list(...more)).stdout.split('\n')).toHaveLength(wanted.length + 1);
});

it('says who did what, and steers no terminal', async () => {
  const { stdout } = await list();
  expect(stdout).toContain('2026-11-30T13:00:00.000Z  5  settled executed  rows.add@1.0.0  for bob  by ada');
  expect(stdout).toContain('gap  7 missing');
  expect(stdout).not.toContain('\u001b');
});

it.each([
  [['audit.jsonl', '--since', 'yesterday'], 'illegal_option'],
  [['audit.jsonl', '--until', '12'], 'illegal_option'],
  [['none.jsonl'], 'unreadable_file'],
])('refuses %j', async (more, code) => {
  const { exitCode, json } = await desk.run(['audit', 'list', ...more, '--json']);
  expect([exitCode, json()]).toMatchObject([2, { error: { code } }]);
});
