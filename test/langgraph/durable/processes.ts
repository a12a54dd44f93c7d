/**
 * Processes that take the steps of a run, one after another, each of which is ended by SIGKILL.
 * Invariant: no process lives on when the next begins, and one that ends otherwise fails the test.
 */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { Order, Told } from './child';

/** Compiles the child into one file, since every step starts a process. */
export function bundleChild(name: string): string {
  const outfile = join('build', 'durable', `${name}.js`);
  buildSync({
    entryPoints: [join(__dirname, 'child.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // Native, or never there.
    external: ['libsql', 'better-sqlite3', 'pg-native'],
    alias: {
      toolcrib: './src/index.ts',
      'toolcrib/langgraph': './src/langgraph/index.ts',
      'toolcrib/stores/postgres': './src/stores/postgres/index.ts',
      'toolcrib/stores/sqlite': './src/stores/sqlite/index.ts',
    },
    // Some packages are ES modules, which ask where they are.
    define: { 'import.meta.url': 'bundleUrl' },
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
    keepNames: true,
    logLevel: 'error',
  });
  return outfile;
}

/** Starts a process for a step; gives what it told before it was killed, or undefined where it killed itself. */
export function inProcess(child: string, order: Order): Promise<Told | undefined> {
  const running = fork(child, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  let told: Told | undefined;
  running.on('message', (message: Told | 'ready') => {
    if (message === 'ready') running.send(order);
    else {
      told = message;
      running.kill('SIGKILL');
    }
  });
  return new Promise((resolve, reject) => {
    running.once('error', reject);
    running.once('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(told);
      else reject(new Error(`a process was not killed, but ended with ${code ?? signal}`));
    });
  });
}
