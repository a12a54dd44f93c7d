/**
 * `toolcrib audit`.
 * Invariant: exit code 0 says that the trail is whole, 1 that it is not, and 2 that it could not be read.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { appendAll, type TrailFolder, trailFolder } from '../../audit/trails';
import { makeWorkspace, toolkitOf, type Workspace } from '../workspace';

let desk: Workspace;
let trail: TrailFolder;
let head: string;
beforeEach(async () => {
  desk = makeWorkspace();
  trail = trailFolder();
  const audit = await trail.open();
  await appendAll(audit, 1, 5);
  head = `${audit.head.sequence}:${audit.head.hash}`;
  await audit.close();
});
afterEach(() => {
  desk.remove();
  trail.remove();
});

it('says of a trail that it is whole, and where it ends', async () => {
  const ran = await desk.run(['audit', 'verify', trail.file]);
  expect(ran).toMatchObject({ exitCode: 0, stderr: '', stdout: `5 records, whole; head ${head}\n` });
  expect(await desk.run(['audit', 'head', trail.file])).toMatchObject({ exitCode: 0, stdout: `${head}\n` });
  const [sequence, hash] = head.split(':');
  expect((await desk.run(['audit', 'head', trail.file, '--json'])).json()).toEqual({
    sequence: Number(sequence),
    hash,
  });
});

it('finds what was changed, and says where', async () => {
  writeFileSync(trail.file, readFileSync(trail.file, 'utf8').replace('clerk-3', 'clerk-4'));
  const ran = await desk.run(['audit', 'verify', trail.file]);
  expect(ran.exitCode).toBe(1);
  expect(ran.stdout).toMatch(`${trail.file}:3: changed_record, record 3: `);
  const json = await desk.run(['audit', 'verify', trail.file, '--json']);
  expect(json.json()).toMatchObject({
    ok: false,
    lines: 5,
    problems: [{ code: 'changed_record', file: trail.file, line: 3, sequence: 3 }],
  });
  expect((await desk.run(['audit', 'head', trail.file])).exitCode).toBe(1);
});

it('holds a trail to a head that was kept elsewhere', async () => {
  rmSync(`${trail.file}.head`);
  writeFileSync(trail.file, `${trail.lines().slice(0, 4).join('\n')}\n`);
  const without = await desk.run(['audit', 'verify', trail.file]);
  expect(without).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/--head/) });
  const held = await desk.run(['audit', 'verify', trail.file, '--head', head]);
  expect(held).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/:4: truncated, record 5: /) });
});

it.each([
  [['verify', 'none.jsonl'], 'unreadable_file'],
  [['verify', 'none/none.jsonl'], 'unreadable_file'],
  [['verify', '.', '--head', '5'], 'illegal_option'],
  [['verify', 'postgres://localhost:1/none'], 'audit_failed'],
  [['verify', 'POSTGRES://localhost:1/none'], 'audit_failed'],
  [['verify', 'PostgreSQL://localhost:1/none'], 'audit_failed'],
  [['verify', 'pg://localhost:1/none'], 'illegal_option'],
  [['head', 'mysql://localhost:1/none'], 'illegal_option'],
  [['head', 'none.jsonl'], 'unreadable_file'],
])('%j cannot be done', async (argv, code) => {
  const ran = await desk.run(['audit', ...argv, '--json']);
  expect(ran.exitCode).toBe(2);
  expect(ran.json()).toMatchObject({ error: { code } });
});

const SCHEMES = [
  'postgres://',
  'POSTGRES://',
  'postgresql://',
  'pg://',
  'postgres:/',
  ' postgres://',
  '"pg://',
];
it.each(SCHEMES)('the password of %sname:password@host is never told', async (scheme) => {
  const url = `${scheme}bob:s3cretpw@localhost:1/none`;
  const app = makeWorkspace(() => toolkitOf());
  app.write('grants.json', '{"principals":[]}');
  for (const argv of [
    ['audit', 'verify', url],
    ['audit', 'head', url],
    ['audit', 'permissions', '--grants', url],
    ['audit', 'permissions', '--grants', 'grants.json', '--trail', url],
    ['doctor', '--audit', url],
  ]) {
    for (const json of [[], ['--json']]) {
      const { exitCode, stdout, stderr } = await app.run([...argv, ...json]);
      expect(exitCode).toBeGreaterThan(0);
      expect(stdout).not.toMatch(/_config/);
      expect(`${stdout}${stderr}`).not.toContain('s3cretpw');
    }
  }
  app.remove();
});
