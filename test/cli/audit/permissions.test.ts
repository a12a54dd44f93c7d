/**
 * `toolcrib audit permissions`, as a command: forms, exit codes and what is refused.
 * Invariant: what is found is tested with the review, and names that would break a form beside this.
 */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolSpec } from 'toolcrib';
import { FileAudit } from 'toolcrib/audit';
import { TOOLS, tool } from '../../audit/permissions/planted';
import { makeWorkspace, toolkitOf, type Workspace } from '../workspace';
import { fromCsv } from './csv';

const GRANTS = {
  principals: [
    { id: 'reader', scopes: ['orders:read'] },
    { id: 'clerk', scopes: ['orders:write', 'orders:read'] },
    { id: 'cashier', scopes: ['orders:refund'] },
  ],
};
/** Writes a trail of calls that the clerk made at some times. */
async function writeTrail(file: string, ...times: readonly string[]): Promise<void> {
  const audit = await FileAudit.open({ file: join(desk.folder, file) });
  for (const time of times) {
    await audit.append({ time, kind: 'call_started', tool: 'orders.note@1.0.0', principalId: 'clerk' });
  }
  await audit.close();
}

let specs: readonly ToolSpec[] = TOOLS;
let desk: Workspace;
beforeAll(() => {
  desk = makeWorkspace(() => toolkitOf(...specs));
  desk.write('grants.json', JSON.stringify(GRANTS));
});
beforeEach(() => {
  specs = TOOLS;
});
afterAll(() => desk.remove());

const run = (...more: readonly string[]) =>
  desk.run(['audit', 'permissions', '--grants', 'grants.json', ...more]);

describe('the report', () => {
  it('is JSON with its version', async () => {
    const { exitCode, json, stderr } = await run('--json');
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(json()).toMatchObject({ schemaVersion: 1, summary: { tools: 3, principals: 3 }, findings: [] });
  });

  it('is a table and findings for a terminal', async () => {
    specs = [...TOOLS, tool('orders.wipe', 'destructive')];
    const { exitCode, stdout, stderr } = await run();
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^orders\.lookup@1\.0\.0 +orders:read +none +no +Team +clerk, reader$/m);
    expect(stdout).toMatch(/^high\n {2}open_effect {2}orders\.wipe@1\.0\.0\n {4}\S.*\n {4}\S/m);
    expect(stderr).toMatch(/^1 findings .* in 4 tools\n$/);
  });

  it('is Markdown that says what its words mean', async () => {
    specs = [...TOOLS, tool('orders.wipe', 'destructive')];
    const { stdout } = await run('--markdown');
    const headings = stdout.split('\n').filter((line) => line.startsWith('#'));
    expect(headings).toEqual([
      '# Permission review',
      '## Summary',
      '## Findings',
      '### Severity: high',
      '## Tools',
      '## Who may call what',
      '## Scopes',
      '## Principals',
      '## What the words mean',
    ]);
    expect(stdout).toContain('| `orders.lookup@1.0.0` |  | by name | by name |\n');
  });

  it('tells a reviewer in Markdown what tools do, what was read, and what was counted', async () => {
    specs = [...TOOLS, tool('orders.wipe', 'destructive', { description: 'Wipe | all\n\n# of <it>' })];
    await writeTrail('used.jsonl', '2026-02-01T00:00:00.000Z');
    const audit = await FileAudit.open({ file: join(desk.folder, 'used.jsonl') });
    const denied = { kind: 'denied', tool: 'orders.note@1.0.0', principalId: 'clerk' } as const;
    await audit.append({ ...denied, time: '2026-02-03T00:00:00.000Z' });
    await audit.append({ ...denied, time: '2026-02-03T00:00:00.000Z', kind: 'call_refused' });
    await audit.close();
    const { stdout } = await run('--markdown', '--trail', 'used.jsonl');
    expect(stdout).toContain('| Wipe \\| all \\# of \\<it\\> |');
    expect(stdout).toContain('| grants that were read | `grants.json` |');
    expect(stdout).toContain(
      '| trail that was read | `used.jsonl`: 2026-02-01T00:00:00.000Z to 2026-02-03T00:00:00.000Z |',
    );
    expect(stdout).toMatch(/^\| approval \| .*clientApproves/m);
    expect(stdout).toMatch(/^\| decides on approvals: not known \| /m);
    expect(stdout).toMatch(/^\| `orders\.note@1\.0\.0` \|.* by name, 1 call, 1 refused, 1 denied \|/m);
    expect(stdout).toMatch(/^\| `clerk` \|.*\| 1 call, 1 refused, 1 denied \|$/m);
    const table = await run('--trail', 'used.jsonl');
    expect(table.stdout).toContain('clerk (1 call, 1 refused, 1 denied)');
    const [head = [], ...rows] = fromCsv((await run('--csv', '--trail', 'used.jsonl')).stdout);
    const counted = rows.find((row) => row.includes('orders.note@1.0.0'));
    expect(['calls', 'refused', 'denied'].map((column) => counted?.[head.indexOf(column)])).toEqual([
      '1',
      '1',
      '1',
    ]);
  });

  it('is CSV with a row for each caller and each finding', async () => {
    specs = [...TOOLS, tool('orders.wipe', 'destructive')];
    const [head = [], ...rows] = fromCsv((await run('--csv')).stdout);
    const at = (row: readonly string[], column: string) => row[head.indexOf(column)];
    expect(new Set(rows.map((row) => row.length))).toEqual(new Set([head.length]));
    expect(
      rows.map((row) => [
        at(row, 'row'),
        at(row, 'tool'),
        at(row, 'principal'),
        at(row, 'access'),
        at(row, 'code'),
      ]),
    ).toEqual([
      ['access', 'orders.lookup@1.0.0', 'clerk', 'by name', ''],
      ['access', 'orders.lookup@1.0.0', 'reader', 'by name', ''],
      ['access', 'orders.note@1.0.0', 'clerk', 'by name', ''],
      ['access', 'orders.refund@1.0.0', 'cashier', 'by name', ''],
      ['access', 'orders.wipe@1.0.0', '', 'anyone', ''],
      ['finding', 'orders.wipe@1.0.0', '', '', 'open_effect'],
    ]);
  });

  it('has more than one matrix where there are many principals', async () => {
    const principals = Array.from({ length: 20 }, (_, n) => ({ id: `user-${n}`, scopes: ['orders:read'] }));
    desk.write('many.json', JSON.stringify({ principals }));
    const { stdout } = await desk.run(['audit', 'permissions', '--grants', 'many.json', '--markdown']);
    expect(stdout.match(/^\| tool \| `user-/gm)).toHaveLength(3);
  });

  it('shows a matrix where nobody was granted anything', async () => {
    desk.write('none.json', '{"principals":[]}');
    const { stdout } = await desk.run(['audit', 'permissions', '--grants', 'none.json', '--markdown']);
    expect(stdout).toContain('| tool |\n| --- |\n| `orders.lookup@1.0.0` |\n');
  });

  it('takes the use of tools from trails', async () => {
    const [february, march] = ['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'];
    await writeTrail('one.jsonl', march);
    await writeTrail('two.jsonl', february);
    const { json } = await run('--json', '--trail', 'one.jsonl', 'two.jsonl', 'one.jsonl');
    expect(json()).toMatchObject({
      summary: { trail: { from: february, to: march, records: 2, missing: 0 } },
      findings: [{ code: 'unused_scope', scope: 'orders:refund' }],
    });
  });

  it('reads a trail once, whose rotated files are named beside it', async () => {
    await writeTrail('long.jsonl', '2026-02-01T00:00:00.000Z');
    renameSync(join(desk.folder, 'long.jsonl'), join(desk.folder, 'long.000000000001.jsonl'));
    desk.write('long.jsonl', '');
    const { json } = await run('--json', '--trail', 'long.jsonl', 'long.000000000001.jsonl');
    expect(json()).toMatchObject({ summary: { trail: { records: 1 } } });
  });

  it('reads grants that begin with a byte order mark', async () => {
    desk.write('marked.json', `\ufeff${JSON.stringify(GRANTS)}`);
    const { json } = await desk.run(['audit', 'permissions', '--json', '--grants', 'marked.json']);
    expect(json()).toEqual((await run('--json')).json());
  });

  it.each(['object', 'promise', 'function'])('takes grants from a module: %s', async (kind) => {
    const value = JSON.stringify(GRANTS);
    const text = { object: value, promise: `Promise.resolve(${value})`, function: `async () => (${value})` }[
      kind
    ];
    const file = `${kind}.cjs`;
    desk.write(file, `module.exports = ${text};`);
    const { json } = await desk.run(['audit', 'permissions', '--json', '--grants', file]);
    expect(json()).toEqual((await run('--json')).json());
  });
});

describe('the exit code', () => {
  it.each([
    [1, []],
    [1, ['--fail-on', 'high']],
    [1, ['--fail-on', 'info']],
    [0, ['--fail-on', 'never']],
  ])('is %d for a finding that is high and %j', async (expected, more) => {
    specs = [...TOOLS, tool('orders.wipe', 'destructive')];
    expect((await run('--json', ...more)).exitCode).toBe(expected);
  });

  it.each([
    [0, []],
    [0, ['--fail-on', 'high']],
    [0, ['--fail-on', 'low']],
    [1, ['--fail-on', 'info']],
  ])('is %d for a finding that is info and %j', async (expected, more) => {
    specs = [...TOOLS, tool('math.add', 'none')];
    expect((await run('--json', ...more)).exitCode).toBe(expected);
  });
});

describe('what cannot be reviewed ends with exit code 2', () => {
  it.each<[string, readonly string[], { readonly [file: string]: string }]>([
    ['missing_mandatory_option_value', [], {}],
    ['unreadable_file', ['--grants', 'nowhere.json'], {}],
    ['unreadable_file', ['--grants', 'throws.cjs'], { 'throws.cjs': 'throw new Error("no")' }],
    ['illegal_grants', ['--grants', 'torn.json'], { 'torn.json': '{"principals":[' }],
    [
      'illegal_grants',
      ['--grants', 'other.json'],
      { 'other.json': '{"principals":[{"id":"a","scope":["b"]}]}' },
    ],
    [
      'illegal_grants',
      ['--grants', 'twice.json'],
      { 'twice.json': '{"principals":[{"id":"a","scopes":["b"]}],"principals":[]}' },
    ],
    [
      'illegal_grants',
      ['--grants', 'scopes.json'],
      { 'scopes.json': '{"principals":[{"id":"a","scopes":["b"],"scopes":[]}]}' },
    ],
    ['unreadable_file', ['--grants', 'grants.json', '--trail', 'nowhere.jsonl'], {}],
    [
      'audit_failed',
      ['--grants', 'grants.json', '--trail', 'other.jsonl'],
      { 'other.jsonl': '{"kind":"gap"}\n' },
    ],
    ['illegal_option', ['--grants', 'grants.json', '--csv'], {}],
    ['conflicting_option', ['--grants', 'grants.json', '--csv', '--markdown'], {}],
    ['invalid_argument', ['--grants', 'grants.json', '--fail-on', 'some'], {}],
  ])('%s %j', async (code, argv, files) => {
    for (const [file, text] of Object.entries(files)) desk.write(file, text);
    const { exitCode, json } = await desk.run(['audit', 'permissions', '--json', ...argv]);
    expect([exitCode, json()]).toEqual([2, { error: expect.objectContaining({ code }) }]);
  });
});
