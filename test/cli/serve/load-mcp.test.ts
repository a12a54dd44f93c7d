/**
 * What the command line says where the packages of serving are missing.
 * Invariant: only a module that was not found is one that has to be installed.
 */
import { CliError } from '../../../src/cli/cli-error';
import { asMissingPackage, loadMcp } from '../../../src/cli/serve/load-mcp';

const missing = Object.assign(new Error("Cannot find module 'x'"), { code: 'MODULE_NOT_FOUND' });

it.each([
  ['the module itself', missing],
  ['a module behind another error', new Error('it needs x', { cause: missing })],
])('names what to install where %s is not found', (_, error) => {
  const made = asMissingPackage(error, 'jose');
  expect(made).toBeInstanceOf(CliError);
  expect(made).toMatchObject({
    code: 'missing_package',
    message: expect.stringContaining('npm install jose'),
  });
});

it.each([
  ['a fault of a module', new TypeError('broken')],
  ['what is no error', { code: 'MODULE_NOT_FOUND' }],
])('leaves %s as it is', (_, error) => {
  expect(asMissingPackage(error, 'jose')).toBe(error);
});

it('loads what is installed', () => {
  expect(Object.values(loadMcp()).every((one) => typeof one === 'function')).toBe(true);
});
