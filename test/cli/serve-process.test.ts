/**
 * `toolcrib serve` as processes: what a client reads over stdio, and how servers end.
 * Invariant: a client reads nothing but the protocol, whatever is printed, and no process outlives who started it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Application, makeApplication } from '../fixtures/installed-package';

jest.setTimeout(60_000);

/** Its tools print in every way that there is; `hold` tells that it runs, and ends when a file is there. */
const CONFIG = `
require('reflect-metadata');
const { execFileSync } = require('node:child_process');
const { existsSync, writeFileSync, writeSync, readFileSync } = require('node:fs');
const { Scopes, SideEffect, Tool } = require('toolcrib');
const print = () => {
  console.log('printed by console');
  process.stdout.write('printed by stdout\\n');
  writeSync(1, 'printed by descriptor\\n');
  execFileSync(process.execPath, ['-e', 'console.log("printed by a child"); process.stdin.pipe(process.stdout)'], { stdio: 'inherit' });
};
print();
class Loud { execute() { print(); return 7; } }
class Hold {
  async execute() {
    writeFileSync('running', String(process.pid));
    while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 20));
    return 8;
  }
}
const declare = (tool, name, ...scopes) => {
  Tool({ name, version: '1.0.0', description: 'Prints', output: Number, timeoutMs: 30000 })(tool);
  Scopes(...scopes)(tool);
  SideEffect('none')(tool);
};
declare(Loud, 'loud.print', 'loud:print');
declare(Hold, 'loud.hold');
module.exports = { discover: { classes: [Loud, Hold] } };
`;

let application: Application;
let main: string;
beforeAll(() => {
  application = makeApplication();
  main = join(application.folder, 'node_modules/toolcrib/dist/cli/main.js');
  application.write('toolcrib.config.js', CONFIG);
}, 120_000);
afterAll(() => application.remove());

/** A folder of its own, so that the files of one test are not those of another. */
function folderOf(name: string): string {
  application.write(`${name}/.keep`, '');
  return join(application.folder, name);
}

async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 20));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function newClient(): Client {
  return new Client({ name: 'test', version: '1.0.0' });
}

/** The process that answers, which `hold` wrote down. */
function pidIn(folder: string): number {
  return Number(readFileSync(join(folder, 'running'), 'utf8'));
}

async function connectStdio(cwd: string) {
  const args = [main, 'serve', '--stdio', '--scopes', 'loud:print'];
  const transport = new StdioClientTransport({ command: process.execPath, args, cwd, stderr: 'pipe' });
  const faults: Error[] = [];
  let printed = '';
  transport.stderr?.on('data', (chunk) => {
    printed += String(chunk);
  });
  const client = newClient();
  client.onerror = (error) => faults.push(error);
  await client.connect(transport);
  return { client, transport, faults, printed: () => printed };
}

describe('over stdio', () => {
  it('a client reads nothing but the protocol, whatever tools and their children print', async () => {
    const { client, faults, printed } = await connectStdio(folderOf('loud'));
    const answer = await client.callTool({ name: 'loud_print' });
    expect(answer.content).toEqual([{ type: 'text', text: '7' }]);
    await client.close();
    expect(faults).toEqual([]);
    for (const way of ['console', 'stdout', 'descriptor', 'a child']) {
      // Once when the configuration was loaded, once by the call.
      expect(printed().split(`printed by ${way}\n`)).toHaveLength(3);
    }
  });

  it('a signal lets the calls that run end first, and then there is no process left', async () => {
    const folder = folderOf('signal');
    const { client, transport } = await connectStdio(folder);
    const answer = client.callTool({ name: 'loud_hold' });
    await until(() => existsSync(join(folder, 'running')));
    const pids = [transport.pid ?? 0, pidIn(folder)];
    expect(new Set(pids).size).toBe(2);
    process.kill(pids[0] ?? 0, 'SIGTERM');
    application.write('signal/go', '');
    expect((await answer).content).toEqual([{ type: 'text', text: '8' }]);
    await until(() => !pids.some(isAlive));
    await client.close();
  });

  it('a second signal ends the process that answers at once', async () => {
    const folder = folderOf('twice');
    const { client, transport } = await connectStdio(folder);
    const answer = client.callTool({ name: 'loud_hold' }).catch(() => 'gone');
    await until(() => existsSync(join(folder, 'running')));
    const pids = [transport.pid ?? 0, pidIn(folder)];
    process.kill(pids[0] ?? 0, 'SIGTERM');
    await until(async () => {
      if (isAlive(pids[0] ?? 0)) process.kill(pids[0] ?? 0, 'SIGTERM');
      return !pids.some(isAlive);
    });
    expect(await answer).toBe('gone');
    await client.close();
  });

  it('the process that answers ends when the one in front was killed', async () => {
    const folder = folderOf('killed');
    const { client, transport } = await connectStdio(folder);
    const answer = client.callTool({ name: 'loud_hold' }).catch(() => 'gone');
    await until(() => existsSync(join(folder, 'running')));
    const pid = pidIn(folder);
    process.kill(transport.pid ?? 0, 'SIGKILL');
    application.write('killed/go', '');
    await until(() => !isAlive(pid));
    await client.close();
    await answer;
  });

  it('the end of standard input ends it with 0, and a failure to start with 2', async () => {
    const end = async (argv: readonly string[]) => {
      const child = spawn(process.execPath, [main, 'serve', '--stdio', ...argv], {
        cwd: folderOf('ends'),
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      child.stdin.end();
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return { exitCode: child.exitCode ?? (await once(child, 'exit'))[0], stdout, stderr };
    };
    const [ended, failed] = await Promise.all([end([]), end(['--config', 'missing.js', '--json'])]);
    expect(ended).toMatchObject({ exitCode: 0, stdout: '' });
    expect(failed).toMatchObject({ exitCode: 2, stdout: '' });
    expect(JSON.parse(failed.stderr)).toMatchObject({ error: { code: 'missing_config' } });
  });
});

describe('over HTTP', () => {
  async function startHttp(folder: string): Promise<{ child: ChildProcess; url: URL }> {
    const child = spawn(process.execPath, [main, 'serve', '--http', '127.0.0.1:0'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr?.on('data', (chunk) => {
      stderr += String(chunk);
    });
    await until(() => /^listening on \S+\n/m.test(stderr));
    return { child, url: new URL(/^listening on (\S+)\n/m.exec(stderr)?.[1] ?? '') };
  }

  it('a signal lets the calls that run end first, refuses others, and the process ends with 0', async () => {
    const folder = folderOf('http');
    const { child, url } = await startHttp(folder);
    const client = newClient();
    await client.connect(new StreamableHTTPClientTransport(url));
    const answer = client.callTool({ name: 'loud_hold' });
    await until(() => existsSync(join(folder, 'running')));
    child.kill('SIGTERM');
    const health = new URL('/health', url);
    await until(async () => (await fetch(health)).status === 503);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(503);
    application.write('http/go', '');
    expect((await answer).content).toEqual([{ type: 'text', text: '8' }]);
    await client.close();
    expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(0);
  });

  it('a second signal ends it at once', async () => {
    const folder = folderOf('http-twice');
    const { child, url } = await startHttp(folder);
    const client = newClient();
    await client.connect(new StreamableHTTPClientTransport(url));
    const answer = client.callTool({ name: 'loud_hold' }).catch(() => 'gone');
    await until(() => existsSync(join(folder, 'running')));
    child.kill('SIGINT');
    await until(async () => (await fetch(new URL('/health', url))).status === 503);
    child.kill('SIGINT');
    expect(child.signalCode ?? (await once(child, 'exit'))[1]).toBe('SIGINT');
    expect(await answer).toBe('gone');
    await client.close();
  });
});
