/**
 * Runs the commands of docs/inspect.md.
 * Invariant: each prints exactly what the page shows below it.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Application, makeApplication } from '../fixtures/installed-package';
import { runCli } from './installed-cli';

const PAGE = readFileSync(join(resolve(__dirname, '../..'), 'docs/inspect.md'), 'utf8');

const blocks = [...PAGE.matchAll(/^```(\w+) ?([^\n]*)\n([\s\S]*?)^```$/gm)];
const commands = blocks
  .filter(([, language]) => language === 'console')
  .flatMap(([, , , text = '']) => text.split(/^\$ toolcrib /m).slice(1))
  .map((entry) => {
    const [line = '', ...output] = entry.split('\n');
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
    return { line, words, output: output.join('\n') };
  });

jest.setTimeout(60_000);

let application: Application;
beforeAll(() => {
  application = makeApplication();
  for (const [, language, file = '', text = ''] of blocks)
    if (language === 'ts') application.write(file, text);
  application.compile();
}, 120_000);
afterAll(() => application.remove());

it('shows each command', () => {
  const shown = commands.map(({ words }) => words[0]);
  expect(shown).toEqual(expect.arrayContaining(['list', 'call', 'schema']));
});

it.each(commands)('toolcrib $line', ({ words, output }) => {
  const { stdout, exitCode } = runCli(application, words);
  expect(stdout).toBe(output);
  expect(exitCode).toBe(output.includes('"isError":true') ? 1 : 0);
});
