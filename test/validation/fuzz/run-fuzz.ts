/**
 * Runs hostile values in a thread under a watchdog.
 * Invariant: a value that takes too long, or all memory, ends the thread and is named; the test never hangs.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { buildSync } from 'esbuild';
import type { Report } from './worker';

const ROOT = resolve(__dirname, '../../..');
/** How long one value may take. */
export const LIMIT_MS = 10_000;
const POLL_MS = 250;

/** Writes the worker, with this package's source in it, as one file; what is installed stays outside of it. */
function bundle(folder: string): string {
  const outfile = join(folder, 'worker.js');
  buildSync({
    entryPoints: [join(__dirname, 'worker.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    packages: 'external',
    alias: { toolcrib: join(ROOT, 'src/index.ts') },
    tsconfig: join(ROOT, 'tsconfig.json'),
    keepNames: true,
  });
  return outfile;
}

/** Runs a worker, and fails when the number in work stays the same for too long. */
export function watch(file: string, first: number, count: number, limitMs = LIMIT_MS): Promise<Report> {
  const inWork = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(file, {
    workerData: { first, count, inWork },
    resourceLimits: { maxOldGenerationSizeMb: 1_024 },
  });
  return new Promise((settle, fail) => {
    const fault = (what: string): void => fail(new Error(`value ${Atomics.load(inWork, 0)}: ${what}`));
    let last = -1;
    let since = Date.now();
    const timer = setInterval(() => {
      const now = Atomics.load(inWork, 0);
      if (now !== last) [last, since] = [now, Date.now()];
      if (Date.now() - since > limitMs) {
        fault(`took over ${limitMs} ms`);
        void worker.terminate();
      }
    }, POLL_MS);
    worker.once('message', settle);
    worker.once('error', (error) => fault(String(error)));
    worker.once('exit', () => {
      clearInterval(timer);
      fault('the thread ended');
    });
  });
}

/** Gives values to all targets, from one number on, and reports what was found. */
export async function runFuzz(first: number, count: number): Promise<Report> {
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, 'build', 'fuzz-'));
  try {
    return await watch(bundle(folder), first, count);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
