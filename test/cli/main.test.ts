/**
 * The compiled program, in processes of its own, against the sample.
 * Invariant: exit codes and output are those of the run, and the process ends whatever was left open.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Application, makeApplication } from '../fixtures/installed-package';
import { runCli } from './installed-cli';

const ROOT = resolve(__dirname, '../..');

jest.setTimeout(60_000);

let application: Application;
beforeAll(() => {
  application = makeApplication();
  cpSync(join(ROOT, 'samples'), join(application.folder, 'samples'), { recursive: true });
  application.compile();
  // The sample takes .ts files too, which plain Node does not load.
  const tools = join(application.folder, 'samples/tools');
  for (const name of readdirSync(tools)) if (name.endsWith('.ts')) rmSync(join(tools, name));
  application.write('toolcrib.config.js', "module.exports = require('./samples/app.js').openApp;");
}, 120_000);
afterAll(() => application.remove());

function cli(argv: readonly string[], options = {}) {
  return runCli(application, argv, { env: { DATABASE_URL: '' }, ...options });
}

it('starts as a program', () => {
  const text = readFileSync(join(application.folder, 'node_modules/toolcrib/dist/cli/main.js'), 'utf8');
  expect(text).toMatch(/^#!\/usr\/bin\/env node\n/);
});

it('helps, and says what is wrong, with 0 and 2', () => {
  expect(cli(['--help'])).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringMatching(/^Usage/) });
  expect(cli([])).toMatchObject({ exitCode: 2, stdout: '' });
  expect(cli(['nonsense'])).toMatchObject({ exitCode: 2, stdout: '' });
  expect(cli(['show', 'nothing', '--json'])).toMatchObject({ exitCode: 2, stderr: '' });
});

const MAIN = 'node_modules/toolcrib/dist/cli/main.js';
const CONFIGURATION_HEAD = "const { createToolkit } = require('toolcrib');";

describe('the sample over stdio', () => {
  it.each([
    ['by its own program', ['samples/mcp/stdio.js'], { SCOPES: 'orders:read' }],
    ['by toolcrib serve', [MAIN, 'serve', '--stdio', '--scopes', 'orders:read'], {}],
  ])('answers a client %s', async (_, args, env) => {
    const cwd = application.folder;
    const parameters = { command: process.execPath, args, cwd, env: { ...getDefaultEnvironment(), ...env } };
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StdioClientTransport({ ...parameters, stderr: 'ignore' }));
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect([names.includes('orders_lookup'), names.includes('orders_refund')]).toEqual([true, false]);
    const found = await client.callTool({ name: 'orders_lookup', arguments: { order_id: 'ORD-1234' } });
    expect(found.structuredContent).toMatchObject({ order_id: 'ORD-1234' });
    await client.close();
  });
});

describe('the sample', () => {
  const LOOKUP = ['call', 'orders.lookup', '--json', '--args'];
  const HOLDING = ['--scopes', 'orders:read'];
  const one = (order_id: string) => JSON.stringify({ order_id });

  it('is listed, with what a reviewer asks first', () => {
    const { exitCode, stdout } = cli(['list', '--json']);
    const tools: unknown = JSON.parse(stdout);
    expect(exitCode).toBe(0);
    expect(tools).toContainEqual({
      key: 'orders.lookup@1.0.0',
      modelName: 'orders_lookup',
      scopes: ['orders:read'],
      sideEffect: 'none',
      owner: 'OrderPlatformTeam',
      deprecated: false,
    });
  });

  it.each([
    ['a success', [one('ORD-1234'), ...HOLDING], 0, { isError: false, result: { order_id: 'ORD-1234' } }],
    [
      'refused arguments',
      [one('bad-id'), ...HOLDING],
      1,
      { isError: true, error: { code: 'invalid_input', detail: { violations: [{ path: '/order_id' }] } } },
    ],
    [
      'a failure of the tool',
      [one('ORD-9999'), ...HOLDING],
      1,
      { isError: true, error: { code: 'order_not_found', retryable: false } },
    ],
    [
      'a caller without scopes',
      [one('ORD-1234')],
      1,
      { isError: true, error: { code: 'insufficient_scope' } },
    ],
  ])('answers %s on one line', (_, argv, exitCode, envelope) => {
    const ran = cli([...LOOKUP, ...argv]);
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.stdout).toMatch(/^[^\n]+\n$/);
    expect(JSON.parse(ran.stdout)).toMatchObject(envelope);
  });

  it('takes arguments from standard input', () => {
    const { exitCode, stdout } = cli([...LOOKUP, '-', ...HOLDING], { input: one('ORD-1234') });
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { isError: false }]);
  });

  it('has no findings', () => {
    expect(cli(['check', '--json'])).toMatchObject({ exitCode: 0, stdout: '[]\n' });
  });

  it('CLI-04: exports the committed schemas, compiled by tsc', () => {
    const folder = join(ROOT, 'samples/schemas');
    const { exitCode, stdout } = cli(['schema', '--out', folder, '--check', '--json']);
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, { stale: [], missing: [], unexpected: [] }]);
  });

  it('is exported whole through a pipe', () => {
    const { exitCode, stdout } = cli(['schema']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).length).toBeGreaterThanOrEqual(8);
  });
});

describe('a process', () => {
  const LEFT_OPEN = `
    setInterval(() => {}, 1_000);
    module.exports = { discover: {}, logger: { debug() {}, info() {}, warn() {}, error() {} } };
  `;

  it('ends, whatever the configuration left open', () => {
    application.write('open/toolcrib.config.js', LEFT_OPEN);
    expect(cli(['list', '--json'], { cwd: 'open' })).toEqual({ exitCode: 0, stdout: '[]\n', stderr: '' });
  });

  it('takes a configuration that is an ES module', () => {
    application.write(
      'module/toolcrib.config.mjs',
      "import { createToolkit } from 'toolcrib'; export default () => createToolkit({ discover: {}, logger: { debug() {}, info() {}, warn() {}, error() {} } });",
    );
    expect(cli(['list', '--json'], { cwd: 'module' })).toEqual({ exitCode: 0, stdout: '[]\n', stderr: '' });
  });

  it('tells what was thrown beside the run on one line, and goes on', () => {
    application.write(
      'thrown/toolcrib.config.js',
      `${CONFIGURATION_HEAD}
       Promise.reject(new Error('too late: postgres://u:hunter2-EXAMPLE@h/d'));
       module.exports = () => new Promise((go) => setTimeout(go, 0, createToolkit({ discover: { classes: [] } })));`,
    );
    const { exitCode, stderr } = cli(['list', '--json'], { cwd: 'thrown' });
    expect(exitCode).toBe(0);
    expect(stderr).toContain('too late');
    expect(stderr).not.toContain('hunter2-EXAMPLE');
  });

  it('keeps standard output for the answer, whatever a configuration logs', () => {
    application.write(
      'noisy/toolcrib.config.js',
      `${CONFIGURATION_HEAD} console.log('noise'); module.exports = () => createToolkit({ discover: { classes: [] } });`,
    );
    const { exitCode, stdout } = cli(['list', '--json'], { cwd: 'noisy' });
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, []]);
  });

  it('fails when the configuration ends it', () => {
    application.write('ended/toolcrib.config.js', 'process.exit(0);');
    expect(cli(['check', '--json'], { cwd: 'ended' }).exitCode).toBe(2);
  });

  function inShell(command: string) {
    const main = `"${process.execPath}" node_modules/toolcrib/dist/cli/main.js`;
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['-c', `set -o pipefail; ${command.replace('CLI', main)}`],
      {
        cwd: application.folder,
        env: { ...process.env, DATABASE_URL: '' },
        encoding: 'utf8',
      },
    );
    return { status, stdout, stderr };
  }

  it('does not mind a reader that goes away', () => {
    expect(inShell('CLI schema --json | head -c 1')).toEqual({ status: 0, stdout: '[', stderr: '' });
  });

  it('fails when its output cannot be written', () => {
    expect(inShell('CLI schema > /dev/full')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^toolcrib: the output cannot be written: [^\n]*\n$/),
    });
  });
});

describe('where a package is missing that toolcrib needs', () => {
  const own = jest.requireActual<{
    readonly version: string;
    readonly dependencies: object;
    readonly peerDependencies: object;
    readonly peerDependenciesMeta: object;
  }>('../../package.json');
  const peers = Object.keys(own.peerDependencies).filter((name) => !(name in own.peerDependenciesMeta));
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  /** An application outside of the repository, so that a package that it lacks is found nowhere. */
  function applicationWithout(missing: readonly string[]): Application {
    const folder = mkdtempSync(join(tmpdir(), 'toolcrib-'));
    folders.push(folder);
    const modules = join(folder, 'node_modules');
    cpSync(join(application.folder, 'node_modules/toolcrib'), join(modules, 'toolcrib'), { recursive: true });
    for (const name of [...Object.keys(own.dependencies), ...peers.filter((one) => !missing.includes(one))]) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
    }
    writeFileSync(
      join(folder, 'toolcrib.config.js'),
      "require('toolcrib'); module.exports = { discover: {} };",
    );
    return { ...application, folder };
  }

  it.each([[peers], ...peers.map((name) => [[name]])])(
    '%j: doctor names it, and looks at the rest',
    (missing) => {
      const without = applicationWithout(missing);
      const { exitCode, stdout, stderr } = runCli(without, ['doctor', '--json']);
      expect([exitCode, stderr]).toEqual([1, '']);
      const symptoms: readonly { readonly [key: string]: string }[] = JSON.parse(stdout);
      const failed = symptoms.filter(({ check, status }) => check?.startsWith('peer: ') && status === 'fail');
      expect(failed.map(({ check }) => check)).toEqual(missing.map((name) => `peer: ${name}`).sort());
      for (const { check, mend } of failed) {
        const name = check?.slice('peer: '.length) ?? '';
        expect(mend).toContain(`npm install "${name}@`);
      }
      expect(symptoms.find(({ check }) => check === 'configuration')?.status).toBe('fail');
      expect(symptoms.find(({ check }) => check === 'clock')?.status).toBe('ok');
      expect(stdout).not.toContain('Require stack');
    },
  );

  it('the other commands say so, and help is there', () => {
    const without = applicationWithout(peers);
    expect(runCli(without, ['--version'])).toMatchObject({ exitCode: 0, stdout: `${own.version}\n` });
    expect(runCli(without, ['--help'])).toMatchObject({ exitCode: 0, stderr: '' });
    const { exitCode, stdout } = runCli(without, ['list', '--json']);
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([2, { error: { code: 'missing_package' } }]);
  });
});
