/**
 * What `toolcrib doctor` says of Node, of peers and of copies of libraries.
 * Invariant: packages are found in folders of the test; nothing that is installed here decides.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  checkCopies,
  checkNode,
  checkPeers,
  checkReflectMetadata,
} from '../../../src/cli/doctor/environment';
import { readPackageFile } from '../../../src/contract/package-file';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'toolcrib-doctor-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Installs a package into a folder of the test. */
function install(folder: string, name: string, version: string): string {
  const at = join(root, folder, 'node_modules', name);
  mkdirSync(at, { recursive: true });
  // A package need not export its package.json.
  writeFileSync(join(at, 'package.json'), JSON.stringify({ name, version, exports: {} }));
  return at;
}

const own = {
  version: '1.0.0',
  engines: { node: '>=20.19.0' },
  peerDependencies: { needed: '^1.2.0', '@scope/extra': '^2.0.0' },
  peerDependenciesMeta: { '@scope/extra': { optional: true } },
};

it.each([
  ['v20.19.0', 'ok'],
  ['v24.1.0', 'ok'],
  ['v20.18.3', 'fail'],
  ['v18.0.0', 'fail'],
])('Node %s: %s', (version, status) => {
  expect(checkNode(own, version)).toMatchObject({ check: 'node', status });
});

it('runs here', () => {
  expect(checkNode(readPackageFile(), process.version).status).toBe('ok');
});

it.each<[string, readonly (readonly [string, string])[], readonly string[]]>([
  [
    'both fit',
    [
      ['needed', '1.3.0'],
      ['@scope/extra', '2.1.0'],
    ],
    ['ok', 'ok'],
  ],
  ['a prerelease that is newer', [['needed', '1.3.0-beta.1']], ['ok', 'ok']],
  ['the optional one is missing', [['needed', '1.2.0']], ['ok', 'ok']],
  ['the needed one is missing', [['@scope/extra', '2.0.0']], ['fail', 'ok']],
  ['the needed one is too old', [['needed', '1.1.9']], ['fail', 'ok']],
  [
    'the optional one is too new',
    [
      ['needed', '1.2.0'],
      ['@scope/extra', '3.0.0'],
    ],
    ['ok', 'fail'],
  ],
])('peers: %s', (_, installed, expected) => {
  for (const [name, version] of installed) install('app', name, version);
  const symptoms = checkPeers(own, join(root, 'app', 'lib'));
  expect(symptoms.map(({ status }) => status)).toEqual(expected);
  for (const { status, mend } of symptoms) expect(mend === undefined).toBe(status === 'ok');
});

describe('copies of class-transformer', () => {
  const statusOf = (name: string, loaded: Parameters<typeof checkCopies>[2] = []) => {
    const symptoms = checkCopies(join(root, 'app'), join(root, 'app/node_modules/toolcrib'), loaded);
    return symptoms.find(({ check }) => check === `copies: ${name}`);
  };

  it('are one', () => {
    install('app', 'class-transformer', '0.5.1');
    expect(statusOf('class-transformer')?.status).toBe('ok');
  });

  it('are two where toolcrib has its own', () => {
    const theirs = install('app', 'class-transformer', '0.5.1');
    const ours = install('app/node_modules/toolcrib', 'class-transformer', '0.5.1');
    const symptom = statusOf('class-transformer');
    expect(symptom?.status).toBe('fail');
    expect(symptom?.message).toContain(theirs);
    expect(symptom?.message).toContain(ours);
  });

  it('are two where something else has loaded another', () => {
    install('app', 'class-transformer', '0.5.1');
    const loaded = [{ library: 'class-transformer', folder: '/elsewhere', version: '0.5.0' }];
    expect(statusOf('class-transformer', loaded)?.status).toBe('warn');
  });

  it.each([
    ['0.15.1', 'warn'],
    ['0.14.0', 'fail'],
  ])('of class-validator share their rules in one version alone: %s, %s', (version, status) => {
    install('app', 'class-validator', '0.15.1');
    install('app/node_modules/toolcrib', 'class-validator', version);
    expect(statusOf('class-validator')?.status).toBe(status);
  });
});

it('sees reflect-metadata that was loaded twice', () => {
  const one = '/app/node_modules/reflect-metadata/Reflect.js';
  const other = '/app/node_modules/x/node_modules/reflect-metadata/Reflect.js';
  expect(checkReflectMetadata([one, '/app/main.js']).status).toBe('ok');
  expect(checkReflectMetadata([one, other]).status).toBe('warn');
});

it.each(['{', '', 'null', '{"version":1}'])(
  'a package whose file is %j fails, and the others do not',
  (text) => {
    writeFileSync(join(install('app', 'needed', '1.3.0'), 'package.json'), text);
    install('app', '@scope/extra', '2.1.0');
    expect(checkPeers(own, join(root, 'app')).map(({ status }) => status)).toEqual(['fail', 'ok']);
  },
);
