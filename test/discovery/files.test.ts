/**
 * Which files patterns find, and how they are loaded.
 * Invariant: declarations, maps, tests and mocks are never loaded, and a file is loaded once.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { discoverTools } from 'toolcrib';
import { codesOf, rejectionOf } from '../fixtures/declaration-problems';

const FOLDER = join(__dirname, '../fixtures/discovery');

/** The files that patterns load, relative to a folder, in the order in which they are loaded. */
async function loadedBy(patterns: readonly string[], cwd = FOLDER): Promise<readonly string[]> {
  const loaded: string[] = [];
  const load = (file: string): object => {
    loaded.push(relative(cwd, file).replaceAll('\\', '/'));
    return {};
  };
  await discoverTools({ patterns, cwd, load });
  return loaded;
}

describe('patterns', () => {
  it('DIS-01: find a tool’s source once and none of the files around it', async () => {
    expect(await loadedBy(['tools/*ping*'])).toEqual(['tools/ping.tool.ts']);
    expect(await loadedBy(['tools/**/*ping.tool*', 'tools/ping.tool.ts'])).toEqual(['tools/ping.tool.ts']);
  });

  it('DIS-01: find the tools of a whole folder and of no test, story or mock', async () => {
    expect(await loadedBy(['tools/**'])).toEqual([
      'tools/index.ts',
      'tools/nested/clock.tool.ts',
      'tools/ping.tool.ts',
    ]);
    const specs = await discoverTools({ patterns: ['tools/**/*'], cwd: FOLDER });
    expect(specs.map(({ key }) => key)).toEqual(['clock.read@1.0.0', 'clock.set@1.0.0', 'net.ping@1.0.0']);
  });

  it.each([
    'tools/ping.tool.d.ts',
    'tools/ping.tool.d.mts',
    'tools/ping.tool.d.cts',
    'tools/ping.tool.test.ts',
    'tools/ping.tool.spec.ts',
    'tools/ping.tool.stories.ts',
    'tools/ping.tool.js.map',
    'tools/.ping.tool.ts.swp',
    'tools/__mocks__/*.ts',
    'tools/__tests__/*.ts',
  ])('DIS-01: do not load %s, even when they name it', async (pattern) => {
    const problems = await rejectionOf(discoverTools({ patterns: [pattern], cwd: FOLDER }));
    expect(problems).toMatchObject([{ code: 'no_match', place: { file: pattern } }]);
  });

  it('DIS-01: exclude more with an exclamation mark', async () => {
    expect(await loadedBy(['tools/**', '!tools/nested/**', '!**/index.ts'])).toEqual(['tools/ping.tool.ts']);
    expect(await loadedBy(['!tools/nested/**', 'tools/**/*.tool.ts'])).toEqual(['tools/ping.tool.ts']);
  });

  it('take the separators of Windows', async () => {
    expect(await loadedBy(['tools\\*.tool.ts'])).toEqual(['tools/ping.tool.ts']);
    expect(await loadedBy(['tools\\**\\*.tool.ts', '!tools\\nested\\**'])).toEqual(['tools/ping.tool.ts']);
  });

  it('are relative to cwd, and may leave it', async () => {
    expect(await loadedBy(['*.tool.ts'], join(FOLDER, 'tools'))).toEqual(['ping.tool.ts']);
    expect(await loadedBy(['../tools/*.tool.ts'], join(FOLDER, 'broken'))).toEqual(['../tools/ping.tool.ts']);
  });

  it('are relative to the working directory of the process when there is no cwd', async () => {
    const pattern = relative(process.cwd(), join(FOLDER, 'tools/*.tool.ts'));
    const specs = await discoverTools({ patterns: [pattern] });
    expect(specs.map(({ key }) => key)).toEqual(['net.ping@1.0.0']);
  });

  it('may be absolute', async () => {
    const absolute = join(FOLDER, 'tools/*.tool.ts').replaceAll('\\', '/');
    expect(await loadedBy([absolute], tmpdir())).toHaveLength(1);
  });

  it('that match nothing are each named', async () => {
    const patterns = ['tols/**', 'tools/*.tool.ts', 'tools\\none\\*'];
    const problems = await rejectionOf(discoverTools({ patterns, cwd: FOLDER, load: () => ({}) }));
    expect(problems).toMatchObject([
      { code: 'no_match', place: { file: 'tols/**' } },
      { code: 'no_match', place: { file: 'tools/none/*' } },
    ]);
  });

  it('that match only what is excluded are named', async () => {
    const problems = await rejectionOf(
      discoverTools({ patterns: ['tools/*.tool.ts', '!**/ping*'], cwd: FOLDER }),
    );
    expect(codesOf(problems)).toEqual(['no_match']);
  });
});

describe('a folder made for the purpose', () => {
  let folder: string;
  const files = (names: readonly string[]): void => {
    for (const name of names) {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), '');
    }
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'toolcrib-files-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is searched for every extension that can be loaded and for no other', async () => {
    const loadable = ['a.cjs', 'a.cts', 'a.js', 'a.jsx', 'a.mjs', 'a.mts', 'a.ts', 'a.tsx'];
    files([...loadable, 'a.json', 'a.css', 'a.md', 'a.node', 'a.ts.bak', 'a.tsbuildinfo', 'README']);
    expect(await loadedBy(['**'], folder)).toEqual(loadable);
  });

  it('is not searched inside node_modules, in hidden folders or for hidden files', async () => {
    files(['a.js', 'node_modules/x/b.js', 'sub/node_modules/y/c.js', '.cache/d.js', '.e.js']);
    expect(await loadedBy(['**/*.js'], folder)).toEqual(['a.js']);
  });

  it('is loaded in the order of the paths’ code units, however it was written and asked for', async () => {
    const names = ['B/a.js', 'a/z.js', 'a10.js', 'a2.js', 'é.js'];
    files([...names].reverse());
    expect(await loadedBy(['é.js', 'a*.js', '**/*.js'], folder)).toEqual(names);
  });

  it('may have a name that globs, URLs and other alphabets give a meaning to', async () => {
    const odd = 'a #1 (ü) [x] %20';
    files([`${odd}/t.js`]);
    expect(await loadedBy(['*.js'], join(folder, odd))).toEqual(['t.js']);
  });

  it('gives a class once that is reached through a link as well', async () => {
    symlinkSync(join(FOLDER, 'tools'), join(folder, 'link'));
    const patterns = ['link/*.tool.ts', join(FOLDER, 'tools/*.tool.ts')];
    const load = jest.fn((file: string): unknown => require(file));
    const specs = await discoverTools({ patterns, cwd: folder, load });
    expect(load).toHaveBeenCalledTimes(2);
    expect(specs.map(({ key }) => key)).toEqual(['net.ping@1.0.0']);
  });
});

describe('load', () => {
  it('is given each file’s absolute path once, and may answer later', async () => {
    const load = jest.fn(async (file: string) => require(file));
    const specs = await discoverTools({ patterns: ['tools/*.tool.ts', 'tools/p*'], cwd: FOLDER, load });
    expect(load.mock.calls).toEqual([[join(FOLDER, 'tools/ping.tool.ts')]]);
    expect(specs.map(({ source }) => source.file)).toEqual([join(FOLDER, 'tools/ping.tool.ts')]);
  });

  it('that throws, rejects or answers with a module that throws is load_failed, and names the file', async () => {
    const broken = new Error('broken');
    const loads: readonly ((file: string) => unknown)[] = [
      () => {
        throw broken;
      },
      () => Promise.reject(broken),
      () => ({
        get Tool(): never {
          throw broken;
        },
      }),
    ];
    for (const load of loads) {
      const problems = await rejectionOf(discoverTools({ patterns: ['tools/*.tool.ts'], cwd: FOLDER, load }));
      expect(problems).toMatchObject([
        { code: 'load_failed', place: { file: join(FOLDER, 'tools/ping.tool.ts') } },
      ]);
    }
  });

  it.each([
    [undefined],
    [Symbol('thrown')],
    [Object.create(null)],
    [Object.assign(new Error(), { message: Symbol('m') })],
  ])('that throws what has no text is load_failed too', async (thrown) => {
    const load = (): never => {
      throw thrown;
    };
    const problems = await rejectionOf(discoverTools({ patterns: ['tools/*.tool.ts'], cwd: FOLDER, load }));
    expect(codesOf(problems)).toEqual(['load_failed']);
  });
});
