/**
 * Kills processes in the midst of writing.
 * Invariant: what a process was told is written is in the trail, which is whole once it was opened again.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { verifyAudit } from 'toolcrib/audit';
import { recordsOf, type TrailFolder, trailFolder } from './trails';

const RUNS = process.env.TOOLCRIB_AUDIT === 'whole' ? 40 : 3;

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-audit-child-'));
const child = join(folder, 'child.js');
beforeAll(() => {
  buildSync({
    entryPoints: [join(__dirname, 'kill-child.ts')],
    outfile: child,
    bundle: true,
    platform: 'node',
    target: 'node20',
    alias: { toolcrib: './src/index.ts', 'toolcrib/audit': './src/audit/index.ts' },
    define: { 'import.meta.url': 'bundleUrl' },
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
    logLevel: 'error',
  });
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Lets a process write, kills it once it has told of so many records, and gives those that it had told of. */
function acknowledgedUntilKilled(args: readonly string[], enough: number): Promise<readonly number[]> {
  const writer = spawn(process.execPath, [child, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let told = '';
  writer.stdout.on('data', (chunk: Buffer) => {
    told += chunk.toString();
    if (told.split('\n').length > enough) writer.kill('SIGKILL');
  });
  return new Promise((resolve, reject) => {
    writer.once('error', reject);
    writer.once('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(told.split('\n').slice(0, -1).map(Number));
      else reject(new Error(`the process was not killed, but ended with ${code ?? signal}`));
    });
  });
}

/** Each process goes on where the one before was killed. */
async function survives(trail: TrailFolder, fsync: boolean, run: number): Promise<void> {
  const args = [trail.file, String(fsync), '20000', String(run * 100_000)];
  const acknowledged = await acknowledgedUntilKilled(args, 20 + run * 7);
  const audit = await trail.open({ fsync });
  audit.ready();
  await audit.close();
  const { ok, problems, head } = await verifyAudit(trail.file);
  expect({ ok, problems, head }).toEqual({ ok: true, problems: [], head: audit.head });
  const written = new Set((await recordsOf(trail.file)).map(({ callId }) => callId));
  expect(acknowledged.filter((number) => !written.has(`call-${number}`))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThanOrEqual(20);
}

it.each([true, false])(
  'loses no acknowledged record, fsync %p',
  async (fsync) => {
    const trail = trailFolder();
    for (let run = 0; run < RUNS; run += 1) await survives(trail, fsync, run);
    trail.remove();
  },
  RUNS * 20_000,
);
