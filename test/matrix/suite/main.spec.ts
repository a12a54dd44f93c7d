/**
 * The entry of cells that run the suite within a test runner.
 * Invariant: the runner's one test passes when every check did.
 */
import './early.js';
import assert from 'node:assert/strict';
import { readCell } from './cell.js';
import { runChecks } from './checks.js';
import { suiteOf } from './suite.js';

it('behaves as everywhere', async () => {
  const cell = readCell();
  const { failed } = await runChecks(await suiteOf(cell), cell.report);
  assert.deepEqual(failed, []);
});
