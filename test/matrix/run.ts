/**
 * Runs the compiler matrix and prints one line for each cell: npm run matrix
 * Invariant: it ends with exit code 1 unless every cell ran all its checks and each passed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MatrixCell, makeCells } from './cells';
import type { Report } from './suite/checks';
import { Workspace } from './workspace';

const DEADLINE_MS = 120_000;

type Outcome = 'ok' | 'FAILED' | 'skipped';

function secondsSince(start: number): string {
  return `${((Date.now() - start) / 1000).toFixed(1)} s`;
}

/** What went wrong in a cell, in lines. */
function failureOf(report: Report | undefined, status: number | null, printed: string): readonly string[] {
  const failed = (report?.failed ?? []).map(({ name, error }) => `${name}: ${error}`);
  if (failed.length > 0) return failed;
  return report === undefined || status !== 0 ? [`it ended with ${status} and printed:\n${printed}`] : [];
}

/** Runs a cell and prints its line. */
function runCell(cell: MatrixCell, file: string): { readonly outcome: Outcome; readonly checks: number } {
  const { compiler, system, node } = cell;
  const version = 'missing' in node ? node.major : node.version;
  const title = `${compiler} / ${system} / node ${version}`;
  if ('missing' in node) {
    console.log(`skipped ${title}: ${node.missing}`);
    return { outcome: 'skipped', checks: 0 };
  }
  const start = Date.now();
  const env = { ...process.env, MATRIX_CELL: JSON.stringify({ ...cell.expects, report: file }) };
  const { status, stdout, stderr } = spawnSync(node.binary, cell.args, {
    cwd: cell.cwd,
    env,
    encoding: 'utf8',
    timeout: DEADLINE_MS,
  });
  const report: Report | undefined = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  const failure = failureOf(report, status, `${stdout}${stderr}`);
  const outcome = failure.length === 0 ? 'ok' : 'FAILED';
  const checks = (report?.passed.length ?? 0) + (report?.failed.length ?? 0);
  console.log(`${outcome.padEnd(7)} ${title} / ${checks} checks  (${secondsSince(start)})`);
  for (const line of failure) console.log(`        ${line.replaceAll('\n', '\n        ')}`);
  return { outcome, checks };
}

function main(): void {
  const start = Date.now();
  const workspace = new Workspace();
  let isSound = false;
  try {
    workspace.install();
    console.log(`packed and installed (${secondsSince(start)})`);
    const compiling = Date.now();
    const cells = makeCells(workspace);
    console.log(`compiled and bundled (${secondsSince(compiling)})`);
    const results = cells.map((cell, index) => runCell(cell, join(workspace.folder, `report-${index}.json`)));
    const count = (outcome: Outcome) => results.filter((result) => result.outcome === outcome).length;
    const checks = results.reduce((sum, result) => sum + result.checks, 0);
    console.log(
      `${cells.length} cells: ${count('ok')} ok, ${count('FAILED')} failed, ${count('skipped')} skipped; ${checks} checks (${secondsSince(start)})`,
    );
    isSound = count('FAILED') === 0 && count('ok') > 0;
    if (!isSound) process.exitCode = 1;
  } finally {
    if (isSound || process.env.CI !== undefined) workspace.remove();
    else console.log(`kept to look at: ${workspace.folder}`);
  }
}

main();
