/**
 * `toolcrib schema --dialect`.
 * Invariant: a document shows what `describe` gives in the dialect; what cannot be carried leaves nothing behind.
 */
import { readdirSync } from 'node:fs';
import { DIALECT_NAMES, describe as describeTool, type ToolSpec } from 'toolcrib';
import { toDocuments } from '../../../src/cli/export/document';
import { CARRIED, FREE, RECURSIVE } from '../../fixtures/dialect-schemas';
import { specOf } from '../../fixtures/in-dialect';
import { makeWorkspace, toolkitOf, type Workspace } from '../workspace';

const specs = [
  specOf(CARRIED.optionals ?? {}, 'forms.optionals'),
  specOf(CARRIED.names ?? {}, 'forms.names'),
];
const FILES = ['forms.names@1.0.0.json', 'forms.optionals@1.0.0.json'];

let opened: Workspace;
function open(...given: readonly ToolSpec[]): Workspace {
  opened = makeWorkspace(() => toolkitOf(...given));
  return opened;
}
afterEach(() => opened.remove());

it.each(DIALECT_NAMES.filter((name) => name !== 'json-schema'))(
  '%s shows what describe gives',
  async (dialect) => {
    const { exitCode, json } = await open(...specs).run(['schema', 'forms.names', '--dialect', dialect]);
    const [, spec] = specs;
    const { definition, changes } = describeTool(spec ?? specOf({}), { dialect });
    const { name, description, inputSchema } = definition;
    const expected = { tool: 'forms.names@1.0.0', dialect, name, description, inputSchema, changes };
    expect([exitCode, json()]).toEqual([0, expected]);
    expect((await opened.run(['schema', '--dialect', dialect])).json()).toHaveLength(2);
  },
);

it('json-schema is what is printed without a dialect', async () => {
  const { stdout } = await open(...specs).run(['schema', '--dialect', 'json-schema']);
  expect(stdout).toBe((await opened.run(['schema'])).stdout);
  expect(JSON.parse(stdout)).toEqual(toDocuments([...specs].reverse()));
});

it('is written to a folder, and compared with it', async () => {
  const first = await open(...specs).run(['schema', '--dialect', 'gemini', '--out', 'out', '--json']);
  expect([first.exitCode, first.json()]).toEqual([0, { written: FILES, unchanged: [] }]);
  expect(JSON.parse(opened.read('out/forms.names@1.0.0.json'))).toMatchObject({ dialect: 'gemini' });
  const check = ['schema', '--out', 'out', '--check', '--dialect'];
  expect((await opened.run([...check, 'gemini'])).exitCode).toBe(0);
  const other = await opened.run([...check, 'anthropic', '--json']);
  expect([other.exitCode, other.json()]).toEqual([1, { stale: FILES, missing: [], unexpected: [] }]);
});

it('of a name that is none lists those that there are', async () => {
  const { exitCode, stdout, stderr } = await open(...specs).run(['schema', '--dialect', 'openai']);
  expect([exitCode, stdout]).toEqual([2, '']);
  for (const name of DIALECT_NAMES) expect(stderr).toContain(name);
  const help = await opened.run(['schema', '--help']);
  for (const name of DIALECT_NAMES) expect(help.stdout).toContain(name);
});

it('does not go with review sheets', async () => {
  const { json } = await open(...specs).run(['schema', '--markdown', '--dialect', 'gemini', '--json']);
  expect(json()).toMatchObject({ error: { code: 'conflicting_option' } });
});

it('names everything that cannot be carried, and writes nothing', async () => {
  const refused = [specOf(RECURSIVE.root ?? {}, 'forms.root'), specOf(FREE.list ?? {}, 'forms.list')];
  const run = open(...specs, ...refused).run;
  const { exitCode, json } = await run(['schema', '--dialect', 'gemini', '--out', 'out', '--json']);
  expect([exitCode, json()]).toMatchObject([
    2,
    {
      error: {
        code: 'invalid_declaration',
        problems: [
          { code: 'outside_dialect', place: { tool: 'forms.list@1.0.0' } },
          { code: 'outside_dialect', place: { tool: 'forms.root@1.0.0' } },
        ],
      },
    },
  ]);
  expect(readdirSync(opened.folder)).toEqual(['toolcrib.config.js']);
});
