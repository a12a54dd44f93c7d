/**
 * `toolcrib doctor`, as a command: what it looks at is tested apart.
 * Invariant: one thing that fails keeps nothing else from being looked at.
 */
import { Tool } from 'toolcrib';
import { OrderDesk } from '../order-desk';
import { makeWorkspace, openClasses, toolkitOf, type Workspace, workspaceOfClasses } from '../workspace';

class Broken {
  @Tool({ name: 'a b', version: '1', description: 'Has no name' })
  run(): void {}
}

const workspaces: Workspace[] = [];
function keep(workspace: Workspace): Workspace {
  workspaces.push(workspace);
  return workspace;
}
afterAll(() => {
  for (const workspace of workspaces) workspace.remove();
});

type Symptom = { readonly check: string; readonly status: string; readonly mend?: string };

async function examine(workspace: Workspace, ...more: readonly string[]) {
  const { exitCode, stdout } = await workspace.run(['doctor', '--json', ...more]);
  const symptoms: readonly Symptom[] = JSON.parse(stdout);
  const statusOf = (check: string) =>
    symptoms.filter((one) => one.check === check).map(({ status }) => status);
  return { exitCode, symptoms, statusOf };
}

it('looks at everything, and succeeds where nothing fails', async () => {
  const { exitCode, symptoms, statusOf } = await examine(keep(workspaceOfClasses(OrderDesk)));
  expect(exitCode).toBe(0);
  const own = jest.requireActual<{ peerDependencies: object }>('../../../package.json');
  const peers = Object.keys(own.peerDependencies).map((name) => `peer: ${name}`);
  expect(symptoms.map(({ check }) => check)).toEqual([
    'node',
    ...peers,
    'copies: class-transformer',
    'copies: class-validator',
    'copies: class-validator-jsonschema',
    'reflect-metadata',
    'configuration',
    'declarations',
    'emitted types',
    'ledger',
    'approvals',
    'clock',
  ]);
  // OrderDesk has a tool without scopes, and the ledger is in memory.
  expect([statusOf('declarations'), statusOf('ledger'), statusOf('emitted types')]).toEqual([
    ['warn'],
    ['warn'],
    ['ok'],
  ]);
  for (const { status, mend } of symptoms) expect(mend === undefined).toBe(status === 'ok');
});

it('looks at the audit file that is named', async () => {
  const workspace = keep(workspaceOfClasses(OrderDesk));
  expect((await examine(workspace, '--audit', 'trail.jsonl')).statusOf('audit')).toEqual(['ok']);
  const { exitCode, statusOf } = await examine(workspace, '--audit', 'nowhere/trail.jsonl');
  expect([exitCode, statusOf('audit')]).toEqual([1, ['fail']]);
});

it.each([
  'toolcrib.config.js/trail.jsonl',
  `${'x'.repeat(300)}.jsonl`,
  'a\0b.jsonl',
  'postgres://localhost:1/none',
  'pg://localhost:1/none',
])('fails where the trail is %j, and looks at the rest', async (trail) => {
  const workspace = keep(workspaceOfClasses(OrderDesk));
  const { exitCode, statusOf } = await examine(workspace, '--audit', trail);
  expect([exitCode, statusOf('audit')]).toEqual([1, ['fail']]);
  expect([statusOf('configuration'), statusOf('clock')]).toEqual([['ok'], ['ok']]);
});

it.each<[string, () => Workspace, string]>([
  ['there is no configuration', () => makeWorkspace(), 'configuration'],
  [
    'the configuration throws',
    () => makeWorkspace(() => Promise.reject(new Error('no database'))),
    'configuration',
  ],
  ['there are no tools', () => makeWorkspace(() => toolkitOf()), 'declarations'],
  ['declarations are wrong', () => makeWorkspace(() => openClasses(Broken)), 'declarations'],
])('fails where %s, and looks at the rest', async (_, make, check) => {
  const { exitCode, statusOf } = await examine(keep(make()), '--config', 'toolcrib.config.js');
  expect(exitCode).toBe(1);
  expect(statusOf(check)).toContain('fail');
  expect(statusOf('node')).toEqual(['ok']);
  expect(statusOf('clock')).toEqual(['ok']);
});

it('writes a line for each, and below it what to do', async () => {
  const workspace = keep(workspaceOfClasses(OrderDesk));
  const { stdout, stderr } = await workspace.run(['doctor']);
  const { symptoms } = await examine(workspace);
  const lines = stdout.split('\n').filter((line) => line !== '');
  expect(lines.filter((line) => /^(ok|warn|fail) /.test(line))).toHaveLength(symptoms.length);
  expect(lines.filter((line) => line.startsWith('      '))).toHaveLength(
    symptoms.filter(({ mend }) => mend !== undefined).length,
  );
  expect(stderr).toMatch(/^0 of \d+ fail, \d+ warn\n$/);
});
