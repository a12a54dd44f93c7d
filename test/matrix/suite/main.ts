/**
 * The entry of cells that run the suite as a program.
 * Invariant: it ends with exit code 1 when any check failed.
 */
import './early.js';
import { readCell } from './cell.js';
import { runChecks } from './checks.js';
import { suiteOf } from './suite.js';

async function main(): Promise<void> {
  const cell = readCell();
  const { failed } = await runChecks(await suiteOf(cell), cell.report);
  if (failed.length > 0) process.exitCode = 1;
}

void main();
