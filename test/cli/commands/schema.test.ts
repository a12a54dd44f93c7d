/**
 * `toolcrib schema`.
 * Invariant: an export is whole or not at all, the same tools give the same bytes, and a comparison tells every
 * difference.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolSpec } from 'toolcrib';
import { toDocuments } from '../../../src/cli/export/document';
import { makeSpec } from '../../fixtures/hand-made-spec';
import { OrderDesk } from '../order-desk';
import { makeWorkspace, openClasses, toolkitOf, type Workspace, workspaceOfClasses } from '../workspace';

const FILES = ['desk.caller@1.0.0', 'desk.wipe@1.0.0', 'orders.lookup@1.0.0', 'orders.remind@2.1.0'];

let desk: Workspace;
let specs: readonly ToolSpec[];
beforeEach(async () => {
  desk = workspaceOfClasses(OrderDesk);
  specs = (await openClasses(OrderDesk)).registry.list();
});
afterEach(() => desk.remove());

/** What is wrong with an export of specs, and what it left in the folder. */
async function refusal(...given: readonly ToolSpec[]) {
  const opened = makeWorkspace(() => toolkitOf(...given));
  const { exitCode, stdout } = await opened.run(['schema', '--out', 'out', '--json']);
  const left = readdirSync(opened.folder);
  opened.remove();
  return { exitCode, answer: JSON.parse(stdout), left };
}

describe('without a folder', () => {
  it('prints the documents of all tools', async () => {
    const { exitCode, json } = await desk.run(['schema']);
    expect([exitCode, json()]).toEqual([0, toDocuments(specs)]);
  });

  it('prints the document of one tool, the same with --json', async () => {
    const { stdout, json } = await desk.run(['schema', 'orders.lookup']);
    expect(json()).toMatchObject({ title: 'orders.lookup@1.0.0', type: 'object' });
    expect((await desk.run(['schema', 'orders_lookup', '--json'])).stdout).toBe(stdout);
  });

  it('prints review sheets', async () => {
    const { exitCode, stdout } = await desk.run(['schema', '--markdown']);
    const heads = stdout.split('\n').filter((line) => line.startsWith('# '));
    expect([exitCode, heads]).toEqual([0, FILES.map((key) => `# ${key}`)]);
    const { stdout: one } = await desk.run(['schema', 'desk.wipe', '--markdown']);
    expect(one).toContain('- [ ] missing_scopes at ');
  });
});

describe('with a folder', () => {
  it('CLI-04: writes one document a tool, and again the same bytes', async () => {
    const first = await desk.run(['schema', '--out', 'out/deep', '--json']);
    const names = FILES.map((key) => `${key}.json`);
    expect([first.exitCode, first.json()]).toEqual([0, { written: names, unchanged: [] }]);
    const texts = names.map((name) => desk.read(join('out/deep', name)));
    expect(texts.map((text) => JSON.parse(text))).toEqual(toDocuments(specs));
    for (const text of texts) expect(text).toMatch(/^\{\n[^\r]*\n\}\n$/);
    expect(texts.join('')).not.toContain(desk.folder);

    const again = await desk.run(['schema', '--out', 'out/deep', '--json']);
    expect(again.json()).toEqual({ written: [], unchanged: names });
    await desk.run(['schema', '--out', 'other']);
    expect(names.map((name) => desk.read(join('other', name)))).toEqual(texts);
  });

  it('writes one tool alone', async () => {
    const { stdout } = await desk.run(['schema', 'orders.lookup', '--out', 'out']);
    expect(stdout).toBe('wrote orders.lookup@1.0.0.json\n');
    expect(readdirSync(join(desk.folder, 'out'))).toEqual(['orders.lookup@1.0.0.json']);
  });

  it('writes review sheets', async () => {
    await desk.run(['schema', '--out', 'out', '--markdown']);
    const { stdout } = await desk.run(['schema', 'desk.wipe', '--markdown']);
    expect(readdirSync(join(desk.folder, 'out'))).toEqual(FILES.map((key) => `${key}.md`));
    expect(desk.read('out/desk.wipe@1.0.0.md')).toBe(stdout);
  });

  it('is compared with --check', async () => {
    await desk.run(['schema', '--out', 'out']);
    const clean = await desk.run(['schema', '--out', 'out', '--check', '--json']);
    expect([clean.exitCode, clean.json()]).toEqual([0, { stale: [], missing: [], unexpected: [] }]);

    desk.write('out/desk.wipe@1.0.0.json', '{}\n');
    desk.write('out/orders.gone@1.0.0.json', '{}\n');
    desk.write('out/README.md', '');
    await desk.run(['schema', '--out', 'fresh']);
    const found = { stale: ['desk.wipe@1.0.0.json'], missing: [], unexpected: ['orders.gone@1.0.0.json'] };
    const json = await desk.run(['schema', '--out', 'out', '--check', '--json']);
    expect([json.exitCode, json.json()]).toEqual([1, found]);
    const words = await desk.run(['schema', '--out', 'out', '--check']);
    expect([words.exitCode, words.stdout]).toEqual([
      1,
      'stale: desk.wipe@1.0.0.json\nunexpected: orders.gone@1.0.0.json\n',
    ]);
    expect(desk.read('out/desk.wipe@1.0.0.json')).toBe('{}\n');
    const one = await desk.run(['schema', 'orders.lookup', '--out', 'out', '--check']);
    expect(one.exitCode).toBe(0);
  });

  it('that is not there misses everything', async () => {
    const { exitCode, json } = await desk.run(['schema', '--out', 'nothing', '--check', '--json']);
    const missing = FILES.map((key) => `${key}.json`);
    expect([exitCode, json()]).toEqual([1, { stale: [], missing, unexpected: [] }]);
    expect(readdirSync(desk.folder)).toEqual(['toolcrib.config.js']);
  });

  it.each([['toolcrib.config.js'], ['toolcrib.config.js/deep'], ['/proc/toolcrib'], ['a\u0000b']])(
    'that is no folder is refused: %j',
    async (out) => {
      const { exitCode, json } = await desk.run(['schema', '--out', out, '--json']);
      expect([exitCode, json()]).toMatchObject([2, { error: { code: 'unusable_folder' } }]);
      expect(readdirSync(desk.folder)).toEqual(['toolcrib.config.js']);
    },
  );
});

describe('an export is refused whole', () => {
  it('CLI-01: when two files would be one without letter case', async () => {
    const sound = makeSpec('a.sound');
    const { exitCode, answer, left } = await refusal(
      sound,
      makeSpec('a.b', '1.0.0-A'),
      makeSpec('a.b', '1.0.0-a'),
    );
    expect(exitCode).toBe(2);
    expect(answer).toMatchObject({
      error: {
        code: 'illegal_export',
        problems: [{ code: 'file_name_clash', place: { tool: 'a.b@1.0.0-a' } }],
      },
    });
    expect(answer.error.problems[0].message).toContain('a.b@1.0.0-A');
    expect(left).toEqual(['toolcrib.config.js']);
  });

  it('CLI-01: also when one of the two is exported by itself', async () => {
    const opened = makeWorkspace(() => toolkitOf(makeSpec('a.b', '1.0.0-A'), makeSpec('a.b', '1.0.0-a')));
    const { exitCode } = await opened.run(['schema', 'a.b@1.0.0-A', '--out', 'out']);
    const left = readdirSync(opened.folder);
    opened.remove();
    expect([exitCode, left]).toEqual([2, ['toolcrib.config.js']]);
  });

  it('CLI-01: names that differ in letter case alone are wrong declarations already', async () => {
    const opened = makeWorkspace(() => toolkitOf(makeSpec('getUser'), makeSpec('getuser')));
    const { exitCode, json } = await opened.run(['schema', '--out', 'out', '--json']);
    opened.remove();
    expect(exitCode).toBe(2);
    expect(json()).toMatchObject({ error: { problems: [{ code: 'model_name_collision' }] } });
  });

  it('CLI-04: when a schema is none', async () => {
    const { input } = makeSpec('a.b');
    const broken = makeSpec('a.b', '1.0.0', { input: { ...input, schema: { type: 'int' } } });
    const { exitCode, answer, left } = await refusal(makeSpec('a.sound'), broken);
    expect(exitCode).toBe(2);
    expect(answer).toMatchObject({
      error: { code: 'illegal_export', problems: [{ code: 'illegal_schema', place: { tool: 'a.b@1.0.0' } }] },
    });
    expect(left).toEqual(['toolcrib.config.js']);
  });
});
