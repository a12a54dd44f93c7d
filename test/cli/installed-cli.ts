/**
 * The compiled program `toolcrib`, as a shell would start it.
 * Invariant: it is compiled for the test; nothing of an earlier build is used.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Application } from '../fixtures/installed-package';

/** What a process left behind. */
export interface Finished {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a process is started. */
export interface StartOptions {
  /** A folder in the application. */
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs the program in an application's folder, for at most a minute. */
export function runCli(
  application: Application,
  argv: readonly string[],
  options: StartOptions = {},
): Finished {
  const main = join(application.folder, 'node_modules/toolcrib/dist/cli/main.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...argv], {
    cwd: join(application.folder, options.cwd ?? ''),
    env: { ...process.env, DEBUG: '', ...options.env },
    input: options.input ?? '',
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { exitCode: status, stdout, stderr };
}
