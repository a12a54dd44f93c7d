/**
 * The builds that the proof runs under: tsc, which emits the types of decorated properties, and esbuild, which
 * does not.
 * Invariant: both are compiled from the same files.
 */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { ShareReport } from './report';
import type { WorkerMessage } from './worker';

/** The name of a build. */
export type BuildName = 'tsc' | 'esbuild';

/** All builds. */
export const BUILDS: readonly BuildName[] = ['tsc', 'esbuild'];

/** Compiles the worker by esbuild and gives the file; the packages that it imports stay outside. */
function bundle(): string {
  const outfile = join(process.cwd(), 'build/drift/esbuild/worker.js');
  buildSync({
    entryPoints: ['test/drift/worker.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    packages: 'external',
    alias: { toolcrib: './src/index.ts' },
    keepNames: true,
  });
  return outfile;
}

/** Runs a share in a process of its own. */
export function runBuild(
  build: BuildName,
  seed: number,
  pairs: number,
  tell: (line: string) => void,
): Promise<ShareReport> {
  const file = build === 'tsc' ? join(__dirname, 'worker.js') : bundle();
  const child = fork(file, [build, String(seed), String(pairs)]);
  return new Promise((resolve, reject) => {
    let report: ShareReport | undefined;
    child.on('message', (message: WorkerMessage) => {
      if ('report' in message) report = message.report;
      else tell(`${build}: ${message.progress}`);
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (report === undefined) reject(new Error(`the process of ${build} ended with ${code} and no report`));
      else resolve(report);
    });
  });
}
