/**
 * A process that may not make code out of text.
 * Invariant: contracts say and make there what they say and make everywhere.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Application, makeApplication } from '../fixtures/installed-package';

let application: Application;
beforeAll(() => {
  application = makeApplication();
  application.write('verdicts.ts', readFileSync(join(__dirname, '../fixtures/hardened/verdicts.ts'), 'utf8'));
  application.compile();
}, 60_000);
afterAll(() => application.remove());

interface Printed {
  readonly mayGenerate: boolean;
  readonly verdicts: readonly (readonly [string, unknown, boolean, unknown])[];
}

function run(...nodeOptions: readonly string[]): Printed {
  return JSON.parse(application.run('verdicts.js', nodeOptions));
}

it('a hardened process has the same verdicts, violations and instances', () => {
  const [usual, hardened] = [run(), run('--disallow-code-generation-from-strings')];
  expect([usual.mayGenerate, hardened.mayGenerate]).toEqual([true, false]);
  expect(hardened.verdicts).toEqual(usual.verdicts);
  const accepted = usual.verdicts.filter(([, , isAccepted]) => isAccepted).length;
  expect(accepted).toBeGreaterThan(40);
  expect(usual.verdicts.length - accepted).toBeGreaterThan(200);
}, 60_000);
