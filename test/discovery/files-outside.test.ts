/**
 * Patterns that leave the folder they start from, escaped brackets, and the other language's extension.
 * Invariant: wherever a pattern leads, tests, mocks, declarations and installed packages are not loaded.
 */
import fs, { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { discoverTools } from 'toolcrib';
import { rejectionOf } from '../fixtures/declaration-problems';

const AROUND = [
  'a.test.js',
  'a.spec.ts',
  'a.e2e-spec.js',
  'a.stories.js',
  'a.d.ts',
  'a.d.mts',
  'a.d.cts',
  '__mocks__/a.js',
  '__tests__/a.js',
  'node_modules/pkg/a.js',
  'node_modules/pkg/dist/b.js',
];

let folder: string;
let cwd: string;

function write(...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), '');
  }
}

/** The files that patterns load, relative to the folder. */
async function loadedBy(...patterns: readonly string[]): Promise<readonly string[]> {
  const loaded: string[] = [];
  const load = (file: string): object => {
    loaded.push(relative(folder, file).replaceAll('\\', '/'));
    return {};
  };
  await discoverTools({ patterns, cwd, load });
  return loaded;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolcrib-outside-'));
  cwd = join(folder, 'app');
  mkdirSync(cwd);
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

describe('a pattern that leaves cwd', () => {
  it.each([
    ['a sibling folder', '../other/**'],
    ['all folders around', '../**/*'],
    ['all folders around, by extension', '../**/*.{js,ts,mts,cts}'],
  ])('DIS-01: by %s loads the source and nothing around it', async (_where, pattern) => {
    write('other/a.js', ...AROUND.map((name) => `other/${name}`));
    expect(await loadedBy(pattern)).toEqual(['other/a.js']);
  });

  it('DIS-01: by an absolute path loads the source and nothing around it', async () => {
    write('other/a.js', ...AROUND.map((name) => `other/${name}`));
    const absolute = join(folder, 'other').replaceAll('\\', '/');
    expect(await loadedBy(`${absolute}/*`)).toEqual(['other/a.js']);
    expect(await loadedBy(`${absolute}/**`)).toEqual(['other/a.js']);
  });

  it.each(AROUND)('DIS-01: never loads %s, even when it names it', async (name) => {
    write(`other/${name}`);
    const absolute = join(folder, 'other', name).replaceAll('\\', '/');
    for (const pattern of [`../other/${name}`, absolute]) {
      const problems = await rejectionOf(discoverTools({ patterns: [pattern], cwd, load: () => ({}) }));
      expect(problems).toMatchObject([{ code: 'no_match', place: { file: pattern } }]);
    }
  });

  it('DIS-01: still loads what lies in cwd where cwd itself is installed, or is a folder of tests', async () => {
    for (const place of ['node_modules/pkg', '__tests__/app']) {
      write(`${place}/a.tool.js`);
      cwd = join(folder, place);
      expect(await loadedBy('*.tool.js')).toEqual([`${place}/a.tool.js`]);
    }
  });
});

describe('escaped brackets', () => {
  it('find a folder of that name, and read no other', async () => {
    write('app/[id]/a.tool.js', 'app/i/b.tool.js', 'app/other/c.tool.js');
    const readdir = jest.spyOn(fs, 'readdir');
    expect(await loadedBy('\\[id\\]/*.tool.js')).toEqual(['app/[id]/a.tool.js']);
    const read = readdir.mock.calls.map(([path]) => relative(cwd, String(path)).replaceAll('\\', '/'));
    expect(read.length).toBeGreaterThan(0);
    for (const path of read) expect(path.replace(/\/$/, '')).toBe('[id]');
  });

  it('stand beside backslashes that separate', async () => {
    write('app/in/[id]/a.tool.js', 'app/in/i/b.tool.js');
    expect(await loadedBy('in\\*\\*.tool.js', '!in\\i\\*')).toEqual(['app/in/[id]/a.tool.js']);
    expect(await loadedBy('in/\\[id\\]\\*.tool.js')).toEqual(['app/in/[id]/a.tool.js']);
  });
});

describe('a pattern that matches nothing', () => {
  const messageOf = async (pattern: string): Promise<string> => {
    const [problem, ...others] = await rejectionOf(discoverTools({ patterns: [pattern], cwd }));
    expect(problem).toMatchObject({ code: 'no_match', place: { file: pattern } });
    expect(others).toEqual([]);
    return String(problem?.message);
  };

  it.each([
    ['src/*.tool.js', 'src/*.tool.ts'],
    ['src/*.tool.ts', 'src/*.tool.js'],
    ['src/*.tool.mjs', 'src/*.tool.mts'],
    ['src/*.tool.cts', 'src/*.tool.cjs'],
  ])('says that, for %s, %s does', async (pattern, other) => {
    write(`app/${other.replace('*', 'a')}`);
    expect(await messageOf(pattern)).toContain(other);
  });

  it('does not speak of another pattern that matches nothing that can be loaded either', async () => {
    write('app/src/a.d.ts', 'app/src/a.test.ts');
    expect(await messageOf('src/*.js')).not.toContain('src/*.ts');
  });
});
