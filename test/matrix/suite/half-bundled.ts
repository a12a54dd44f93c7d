/**
 * The entry of a cell whose bundle holds the DTOs and their libraries, and leaves the package out.
 * Invariant: a DTO whose @Type stays in the bundle is refused with the mend, never taken as an open object.
 */
import './early.js';
import assert from 'node:assert/strict';
import { inputContract } from 'toolcrib';
import { readCell } from './cell.js';
import { runChecks } from './checks.js';
import { EarlyInput } from './early.js';
import { PlaceOrderInput } from './orders.js';
import { problemsOf } from './problems.js';

async function main(): Promise<void> {
  const { failed } = await runChecks(
    [
      [
        'a DTO that needs class-validator alone works',
        async () => {
          const { ok } = await inputContract(EarlyInput).parse({ word: 'a' });
          assert.equal(ok, true);
        },
      ],
      [
        'a DTO with a nested one is refused, with what to take in or leave out',
        async () => {
          const [problem] = await problemsOf((async () => inputContract(PlaceOrderInput))());
          assert.equal(problem?.code, 'duplicate_dependency');
          assert.match(problem.mend, /bundle/);
        },
      ],
    ],
    readCell().report,
  );
  if (failed.length > 0) process.exitCode = 1;
}

void main();
