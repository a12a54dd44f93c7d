/**
 * Compiles and runs the code of the README and of the documentation pages.
 * Invariant: every `ts` block names its file and compiles; a page with a `main.ts` prints exactly its `text` block.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Application, makeApplication } from '../fixtures/installed-package';
import { ROOT, read } from './source-files';

interface Block {
  readonly language: string;
  readonly file: string;
  readonly text: string;
}

function blocksOf(page: string): Block[] {
  const fences = read(page).matchAll(/^```(\w+)[ ]?([^\n]*)\n([\s\S]*?)^```$/gm);
  return [...fences].map(([, language = '', file = '', text = '']) => ({ language, file, text }));
}

const pages = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const runnable = pages.filter((page) => blocksOf(page).some(({ file }) => file === 'main.ts'));

function folderOf(page: string): string {
  return page.replace('.md', '').replace('/', '-').toLowerCase();
}

let application: Application;
beforeAll(() => {
  application = makeApplication();
  for (const page of pages) {
    for (const { language, file, text } of blocksOf(page)) {
      if (language === 'ts') application.write(`${folderOf(page)}/${file}`, text);
    }
  }
  application.compile();
}, 120_000);
afterAll(() => application.remove());

describe('the documentation', () => {
  it('has a page for each verb, and each has a sample that runs', () => {
    const verbs = ['declare', 'discover', 'register', 'describe', 'invoke', 'bind', 'test'];
    expect(runnable).toEqual(
      expect.arrayContaining(['README.md', ...verbs.map((verb) => `docs/${verb}.md`)]),
    );
  });

  it('names the file of every ts block', () => {
    const unnamed = pages.flatMap((page) =>
      blocksOf(page).filter(({ language, file }) => language === 'ts' && !file.endsWith('.ts')),
    );
    expect(unnamed).toEqual([]);
  });

  it.each(runnable)('%s prints what it says', (page) => {
    const expected = blocksOf(page).find(({ language }) => language === 'text');
    expect(application.run(`${folderOf(page)}/main.js`)).toBe(expected?.text);
  });

  it.each(pages)('%s links to files that exist', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(
      ([, target = '']) => target,
    );
    const missing = links.filter((target) => !existsSync(join(ROOT, page, '..', target)));
    expect(missing).toEqual([]);
  });
});
