/**
 * The command line as a whole: help, usage errors and exit codes.
 * Invariant: a mistake of the user ends with exit code 2, a code and no stack, and with --json as JSON.
 */
import { OrderDesk } from './order-desk';
import { makeWorkspace, type Workspace, workspaceOfClasses } from './workspace';

let desk: Workspace;
beforeAll(() => {
  desk = workspaceOfClasses(OrderDesk);
});
afterAll(() => desk.remove());

describe('help', () => {
  it.each([
    ['--help'],
    ['list', '--help'],
    ['show', '--help'],
    ['schema', '--help'],
    ['call', '--help'],
    ['check', '--help'],
    ['serve', '--help'],
    ['ledger', '--help'],
    ['ledger', 'settle', '--help'],
    ['audit', '--help'],
    ['audit', 'permissions', '--help'],
    ['doctor', '--help'],
  ])('of %s %s goes to standard output and is a success', async (...argv) => {
    const { exitCode, stdout, stderr } = await desk.run(argv);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: toolcrib/);
    expect(stdout).toContain('--config <file>');
  });

  it('names every command and the exit codes', async () => {
    const { stdout } = await desk.run(['--help']);
    for (const word of ['list', 'show', 'schema', 'call', 'check', 'serve', 'doctor', 'audit', 'Exit codes'])
      expect(stdout).toContain(word);
  });
});

it('prints the version of the package', async () => {
  const { version } = jest.requireActual<{ version: string }>('../../package.json');
  expect(await desk.run(['--version'])).toMatchObject({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
});

describe('a usage error', () => {
  it.each([
    ['missing_command', []],
    ['unknown_command', ['lst']],
    ['unknown_option', ['list', '--jsn']],
    ['unknown_option', ['list', '--__proto__']],
    ['missing_argument', ['show']],
    ['excess_arguments', ['show', 'a', 'b']],
    ['option_missing_argument', ['call', 'orders.lookup', '--args']],
    ['conflicting_option', ['call', 'orders.lookup', '--args', '{}', '--args-file', 'x']],
    ['conflicting_option', ['list', '--config', 'x.js', '--patterns', '*.js']],
    ['illegal_option', ['list', '--cwd', 'tools']],
    ['illegal_option', ['schema', '--check']],
    ['missing_config', ['list', '--config', 'missing.js']],
    ['missing_config', ['list', '--config', '.']],
    ['unknown_tool', ['show', 'orders.find']],
    ['unknown_tool', ['call', 'constructor']],
    ['unknown_tool', ['schema', '']],
    ['unknown_version', ['check', 'orders.lookup@^2']],
  ])('%s is an exit code 2, in words and in JSON: %j', async (code, argv) => {
    const words = await desk.run(argv);
    expect([words.exitCode, words.stdout]).toEqual([2, '']);
    expect(words.stderr).toMatch(/toolcrib: \S/);
    expect(words.stderr).not.toMatch(/\n {4}at /);
    const json = await desk.run(['--json', ...argv]);
    expect(json.exitCode).toBe(2);
    expect(json.json()).toEqual({ error: { code, message: expect.any(String) } });
    expect(json.stdout.trimEnd()).not.toContain('\n');
  });
});

describe('options that every command takes', () => {
  it('stand before or after the command', async () => {
    const before = await desk.run(['--json', 'list']);
    expect((await desk.run(['list', '--json'])).stdout).toBe(before.stdout);
    expect(before.exitCode).toBe(0);
  });
});

describe('wrong declarations', () => {
  it('are listed together with exit code 2', async () => {
    const broken = makeWorkspace();
    broken.write('a.js', 'exports.A = class A {};');
    const argv = ['list', '--patterns', 'a.js', 'nothing/*.js', '../../test/fixtures/discovery/broken/*.ts'];
    const json = await broken.run([...argv, '--json']);
    const words = await broken.run(argv);
    broken.remove();
    expect([json.exitCode, words.exitCode]).toEqual([2, 2]);
    const codes = ['no_match', 'load_failed', 'missing_option'];
    expect(json.json()).toEqual({
      error: {
        code: 'invalid_declaration',
        message: expect.any(String),
        problems: expect.arrayContaining(
          codes.map((code) => ({
            code,
            place: expect.any(Object),
            message: expect.any(String),
            mend: expect.any(String),
          })),
        ),
      },
    });
    for (const code of codes) expect(words.stderr).toContain(`[${code}]`);
  });
});
