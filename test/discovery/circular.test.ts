/**
 * Files whose DTOs import each other.
 * Invariant: a pair that cannot be loaded is reported with its files, and written as the mend says it works.
 */
import { join } from 'node:path';
import { discoverTools } from 'toolcrib';
import { rejectionOf } from '../fixtures/declaration-problems';

const FOLDER = join(__dirname, '../fixtures/discovery');
const load = (file: string): unknown => require(file);

describe('a circular pair', () => {
  it('DIS-05: is load_failed with its files, and the other files of the folder are none of the problem', async () => {
    const problems = await rejectionOf(discoverTools({ patterns: ['circular/*.ts'], cwd: FOLDER, load }));
    const files = problems.map(({ place }) => place.file);
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['load_failed']));
    expect(files).toContain(join(FOLDER, 'circular/author.tool.ts'));
    expect(files).not.toContain(join(FOLDER, 'circular/shelf.tool.ts'));
    for (const { mend } of problems) expect(mend).toContain('interface');
  });

  it('DIS-05: keeps no other file from being discovered once it is left out', async () => {
    const patterns = ['circular/*.ts', '!circular/{author,book}.tool.ts'];
    const specs = await discoverTools({ patterns, cwd: FOLDER, load });
    expect(specs.map(({ key }) => key)).toEqual(['library.shelf@1.0.0']);
  });

  it('DIS-05: loads, nested DTOs and all, once its properties are typed as the mend says', async () => {
    const [spec] = await discoverTools({ patterns: ['mended/*.tool.ts'], cwd: FOLDER, load });
    const book = { title: 'T', author: { name: 'N', book: { title: 'U' } } };
    expect(await spec?.input.parse({ name: 'A', book })).toMatchObject({ ok: true });
    expect(await spec?.input.parse({ name: 'A', book: { ...book, author: { name: 5 } } })).toMatchObject({
      ok: false,
    });
  });
});
