/**
 * The names of exported files.
 * Invariant: CASES CLI-01: keys that differ have files that differ on every system, or the export is refused.
 */
import { basename, win32 } from 'node:path';
import * as fc from 'fast-check';
import { toFileNames } from '../../../src/cli/export/file-names';
import { forAll } from '../../fixtures/for-all';

function problemsOf(keys: readonly string[]): unknown {
  try {
    return toFileNames(keys, '.json');
  } catch (error) {
    return error;
  }
}

it('are the keys', () => {
  expect(toFileNames(['orders.lookup@1.0.0', 'orders.lookup@2.0.0-rc.1'], '.md')).toEqual([
    'orders.lookup@1.0.0.md',
    'orders.lookup@2.0.0-rc.1.md',
  ]);
});

it.each([
  ['getUser@1.0.0', 'getuser@1.0.0'],
  ['a.b@1.0.0-A', 'a.b@1.0.0-a'],
])('CLI-01: of %s and %s are refused, and both are named', (one, other) => {
  expect(problemsOf([one, 'fine@1.0.0', other])).toMatchObject({
    code: 'illegal_export',
    problems: [{ code: 'file_name_clash', place: { tool: other }, message: expect.stringContaining(one) }],
  });
});

it.each([
  ['../evil@1.0.0'],
  ['a/b@1.0.0'],
  ['a\\b@1.0.0'],
  ['C:evil@1.0.0'],
  [''],
  ['caf\u00e9@1.0.0'],
  ['a\u0000b@1.0.0'],
  [`a@1.0.0-${'x'.repeat(250)}`],
])('of %j are refused', (key) => {
  expect(problemsOf([key])).toMatchObject({
    problems: [{ code: 'illegal_file_name', place: { tool: key } }],
  });
});

it('CLI-01: of texts that differ by Unicode form alone are a clash too', () => {
  expect(problemsOf(['cafe\u0301', 'caf\u00e9'])).toMatchObject({
    problems: [{ code: 'illegal_file_name' }, { code: 'file_name_clash' }],
  });
});

it.each(['con.list', 'PRN.a', 'aux.b.c', 'nul.x', 'com1.read', 'Lpt9.write'])(
  'of %s is no device of Windows',
  (name) => {
    const [file = ''] = toFileNames([`${name}@1.0.0`], '.json');
    expect(file).toBe(`+${name}@1.0.0.json`);
  },
);

it.each(['con', 'console.log', 'com.example', 'nul_.x'])(
  'of %s is the key, since it is no device',
  (name) => {
    expect(toFileNames([`${name}@1.0.0`], '.json')).toEqual([`${name}@1.0.0.json`]);
  },
);

it('never leave their folder, and stay apart without letter case', () => {
  const name = fc.stringMatching(/^[A-Za-z_.][A-Za-z0-9_.-]{0,12}$/);
  const version = fc.stringMatching(/^[0-9]\.[0-9]\.0(-[a-zA-Z]{1,2})?$/);
  const keys = fc.uniqueArray(
    fc.tuple(name, version).map((parts) => parts.join('@')),
    { maxLength: 8 },
  );
  forAll(keys, (given) => {
    const isClash = new Set(given.map((key) => key.toLowerCase())).size < given.length;
    const outcome = problemsOf(given);
    if (isClash) return outcome instanceof Error;
    const names: readonly unknown[] = Array.isArray(outcome) ? outcome : [];
    const isSafe = (one: unknown) =>
      typeof one === 'string' && basename(one) === one && win32.basename(one) === one;
    return names.length === given.length && names.every(isSafe);
  });
});
