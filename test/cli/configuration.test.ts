/**
 * Where a run finds its toolkit, and that it closes it.
 * Invariant: a configuration that throws, exports nonsense or does not settle ends the run with words, never with
 * a stack or a hang.
 */
import { parse, relative } from 'node:path';
import { OrderDesk } from './order-desk';
import { makeWorkspace, openClasses, type Workspace } from './workspace';

let workspace: Workspace;
beforeEach(() => {
  workspace = makeWorkspace();
});
afterEach(() => workspace.remove());

const PING = `
const { Scopes, SideEffect, Tool } = require('toolcrib');
class Ping { execute() { return 'pong'; } }
Scopes()(Ping);
SideEffect('none')(Ping);
Tool({ name: 'net.ping', version: '1.0.0', description: 'Answer pong', output: String })(Ping);
`;

async function keys(argv: readonly string[] = [], cwd = ''): Promise<unknown> {
  const ran = await workspace.run(['list', '--json', ...argv], { cwd });
  const listed = ran.json();
  return Array.isArray(listed) ? listed.map(({ key }) => key) : listed;
}

describe('a configuration', () => {
  it.each([
    ['options', 'module.exports = { discover: { classes: [Ping] } };'],
    [
      'options of a compiled module',
      'exports.__esModule = true; exports.default = { discover: { classes: [Ping] } };',
    ],
    ['a function that gives options', 'module.exports = () => ({ discover: { classes: [Ping] } });'],
    ['a promise of options', 'module.exports = Promise.resolve({ discover: { classes: [Ping] } });'],
    ['a toolkit', "module.exports = require('toolcrib').createToolkit({ discover: { classes: [Ping] } });"],
    [
      'an asynchronous function that gives a toolkit',
      "module.exports = async () => require('toolcrib').createToolkit({ discover: { classes: [Ping] } });",
    ],
    [
      'an application',
      "module.exports = async () => ({ toolkit: await require('toolcrib').createToolkit({ discover: { classes: [Ping] } }), close() {} });",
    ],
  ])('may export %s', async (_, text) => {
    workspace.write('toolcrib.config.js', PING + text);
    expect(await keys()).toEqual(['net.ping@1.0.0']);
  });

  it.each(['toolcrib.config.js', 'toolcrib.config.cjs'])('is found as %s, also from below', async (name) => {
    workspace.write(name, `${PING}module.exports = { discover: { classes: [Ping] } };`);
    workspace.write('deep/er/file.txt', '');
    expect(await keys([], 'deep/er')).toEqual(['net.ping@1.0.0']);
  });

  it('wins over one that lies further up', async () => {
    workspace.write('toolcrib.config.js', 'throw new Error("not this one");');
    workspace.write(
      'deep/toolcrib.config.js',
      'module.exports = { discover: {}, logger: { debug() {}, info() {}, warn() {}, error() {} } };',
    );
    expect(await keys([], 'deep')).toEqual([]);
  });

  it('may be named, relative to the working directory', async () => {
    workspace.write('conf/tools.js', `${PING}module.exports = { discover: { classes: [Ping] } };`);
    expect(await keys(['--config', '../conf/tools.js'], 'conf')).toEqual(['net.ping@1.0.0']);
  });

  it('has its patterns relative to its own folder', async () => {
    workspace.write('lib/tools/ping.js', `${PING}module.exports = { Ping };`);
    workspace.write(
      'toolcrib.config.js',
      "module.exports = { discover: { patterns: ['tools/*.js'], cwd: 'lib' } };",
    );
    workspace.write('elsewhere/file.txt', '');
    expect(await keys([], 'elsewhere')).toEqual(['net.ping@1.0.0']);
  });
});

it('is asked for where there is none, with all the ways to give one', async () => {
  const cwd = relative(workspace.folder, parse(workspace.folder).root);
  const { exitCode, json } = await workspace.run(['list', '--json'], { cwd });
  expect([exitCode, json()]).toMatchObject([
    2,
    { error: { code: 'missing_config', message: expect.stringMatching(/--config.*--patterns/) } },
  ]);
});

describe('patterns', () => {
  beforeEach(() => {
    workspace.write('tools/ping.js', `${PING}module.exports = { Ping };`);
  });

  it('take the place of a configuration', async () => {
    workspace.write('toolcrib.config.js', 'throw new Error("not loaded");');
    expect(await keys(['--patterns', 'tools/*.js'])).toEqual(['net.ping@1.0.0']);
  });

  it.each([
    [['--patterns', 'tools/*.js', 'list', '--json']],
    [['--patterns', 'tools/*.js', '!other.js', 'list', '--json']],
    [['--json', '--patterns', 'tools/*.js', 'list']],
    [['--patterns', 'tools/*.js', '--json', 'list']],
    [['--patterns=tools/*.js', 'list', '--json']],
  ])('end at the command: %p', async (argv) => {
    const { exitCode, json } = await workspace.run(argv);
    expect([exitCode, json()]).toMatchObject([0, [{ key: 'net.ping@1.0.0' }]]);
  });

  it('are relative to --cwd, which is relative to the working directory', async () => {
    workspace.write('deep/file.txt', '');
    expect(await keys(['--patterns', '*.js', '!other.js', '--cwd', '../tools'], 'deep')).toEqual([
      'net.ping@1.0.0',
    ]);
  });
});

describe('a configuration that cannot be used', () => {
  it.each([
    ['config_failed', 'throws', 'throw new TypeError("no database");', 'no database'],
    ['config_failed', 'throws no error', 'throw null;', 'null'],
    ['config_failed', 'throws what has no text', 'throw { toString() { throw 1; } };', 'text'],
    ['config_failed', 'is no JavaScript', 'module.exports = {', 'toolcrib.config.js'],
    ['config_failed', 'rejects', 'module.exports = async () => { throw new Error("later"); };', 'later'],
    ['config_failed', 'exports a class', 'module.exports = class App {};', 'App'],
    [
      'config_failed',
      'has patterns of a wrong kind',
      'module.exports = { discover: { patterns: 5 } };',
      'failed',
    ],
    ['illegal_config', 'exports nothing', '', 'exports'],
    ['illegal_config', 'exports null', 'module.exports = null;', 'exports'],
    ['illegal_config', 'exports text', 'module.exports = "tools/*.js";', 'exports'],
    ['illegal_config', 'gives nothing', 'module.exports = () => undefined;', 'exports'],
    ['illegal_config', 'misspells an option', 'module.exports = { discovr: {} };', 'discovr'],
    [
      'illegal_config',
      'gives half an application',
      'module.exports = { toolkit: {}, close() {} };',
      'exports',
    ],
  ])('%s: it %s', async (code, _, text, part) => {
    const file = workspace.write('toolcrib.config.js', text);
    const { exitCode, stdout, stderr } = await workspace.run(['list']);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(file);
    expect(stderr).toContain(part);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect((await workspace.run(['list', '--json'])).json()).toMatchObject({ error: { code } });
  });

  it('shows its stack with DEBUG alone', async () => {
    workspace.write(
      'toolcrib.config.js',
      'module.exports = function broken() { throw new Error("no database"); };',
    );
    const { stderr } = await workspace.run(['list'], { env: { DEBUG: '1' } });
    expect(stderr).toMatch(/\n {4}at .*broken/);
  });

  it('has all its declaration problems listed', async () => {
    workspace.write(
      'toolcrib.config.js',
      'module.exports = { discover: { classes: [class A {}, class B {}] } };',
    );
    const { exitCode, json } = await workspace.run(['list', '--json']);
    expect(exitCode).toBe(2);
    expect(json()).toMatchObject({
      error: { code: 'invalid_declaration', problems: [{ code: 'not_a_tool' }, { code: 'not_a_tool' }] },
    });
  });

  it('is given up when it does not settle', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const asked = new Promise<void>((resolve) => {
      const open = () => {
        resolve();
        return new Promise(() => {});
      };
      Object.assign(globalThis, { neverOpens: open });
    });
    workspace.write('toolcrib.config.js', 'module.exports = () => globalThis.neverOpens();');
    const running = workspace.run(['list', '--json']);
    await asked;
    await jest.advanceTimersByTimeAsync(60_000);
    const ran = await running;
    jest.useRealTimers();
    expect(ran.exitCode).toBe(2);
    expect(ran.json()).toMatchObject({ error: { code: 'config_failed' } });
  });
});

describe('closing', () => {
  function counting(close: () => unknown): { readonly opened: Workspace; readonly closed: () => number } {
    let count = 0;
    const opened = makeWorkspace(async () => ({
      toolkit: await openClasses(OrderDesk),
      close: () => {
        count += 1;
        return close();
      },
    }));
    return { opened, closed: () => count };
  }

  it.each([
    ['a success', ['list'], 0],
    ['an answer that is an error', ['call', 'orders.lookup', '--args', '{}'], 1],
    ['a mistake', ['show', 'nothing'], 2],
  ])('follows %s', async (_, argv, exitCode) => {
    const { opened, closed } = counting(() => {});
    const ran = await opened.run(argv);
    opened.remove();
    expect([ran.exitCode, closed()]).toEqual([exitCode, 1]);
  });

  it('keeps the receiver of close', async () => {
    let isSame = false;
    const opened = makeWorkspace(async () => {
      const app = {
        toolkit: await openClasses(OrderDesk),
        close() {
          isSame = this === app;
        },
      };
      return app;
    });
    await opened.run(['list']);
    opened.remove();
    expect(isSame).toBe(true);
  });

  it('is told when it fails, and changes neither the result nor the exit code', async () => {
    const { opened } = counting(() => {
      throw new Error('pool is busy');
    });
    const ran = await opened.run(['list', '--json']);
    opened.remove();
    expect(ran.exitCode).toBe(0);
    expect(ran.json()).toHaveLength(4);
    expect(ran.stderr).toContain('pool is busy');
  });

  it('is given up when it does not settle', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    let isAsked: () => void = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const { opened } = counting(() => {
      isAsked();
      return new Promise(() => {});
    });
    const running = opened.run(['list', '--json']);
    await asked;
    await jest.advanceTimersByTimeAsync(5_000);
    const ran = await running;
    jest.useRealTimers();
    opened.remove();
    expect(ran.exitCode).toBe(0);
    expect(ran.stderr).toContain('closing failed');
  });
});
