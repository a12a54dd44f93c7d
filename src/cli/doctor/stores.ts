/**
 * Looks at what outlives the process: the ledger, the requests for approval, the audit trail.
 * Invariant: it only reads; whatever does not answer in time has failed.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { within } from '../../contract/within';
import { reasonOf } from '../../errors/reason';
import { MemoryLedger } from '../../invocation/ledger/memory-ledger';
import { scrubText } from '../../invocation/scrub';
import type { OpenToolkit } from '../configuration';
import { oneLine } from '../text';
import { fail, ok, type Symptom, warn } from './symptom';

const ANSWERING_MS = 10_000;

/** Waits for a store for ten seconds at most. */
export function answering<T>(work: () => Promise<T>): Promise<T> {
  // A store may throw before there is anything to wait for.
  const begun = Promise.resolve().then(work);
  return within(ANSWERING_MS, begun, () => new Error(`no answer within ${ANSWERING_MS / 1000} seconds`));
}

/** What an operator is told of something thrown. */
export function inWords(error: unknown): string {
  return oneLine(scrubText(reasonOf(error)));
}

async function reached(check: string, work: () => Promise<unknown>, found: Symptom): Promise<Symptom> {
  try {
    await answering(work);
    return found;
  } catch (error) {
    const mend = 'Start it, correct where it is, or bring its tables up to date by toolcrib ledger migrate.';
    return fail(check, inWords(error), mend);
  }
}

/** Whether the ledger of side effects answers. */
export function checkLedger({ ledger }: OpenToolkit): Promise<Symptom> | Symptom {
  if (ledger === undefined) {
    const mend = 'Leave the option ledger of createToolkit out, or give one.';
    return warn('ledger', 'it is off: a call that comes again acts again', mend);
  }
  if (ledger instanceof MemoryLedger) {
    const mend = 'Give createToolkit a ledger of toolcrib/stores/sqlite or toolcrib/stores/postgres.';
    return warn('ledger', 'it is in memory: what it knows ends with the process', mend);
  }
  return reached('ledger', () => ledger.list({ limit: 1 }), ok('ledger', 'it answers'));
}

/** Whether the store of the requests for approval answers. */
export function checkApprovals({ approvals }: OpenToolkit): Promise<Symptom> | Symptom {
  if (approvals.asks === 'never') {
    const mend =
      'Leave the option approval of createToolkit out, so that a person decides on destructive calls.';
    return warn('approvals', 'they are off: nobody is asked', mend);
  }
  return reached('approvals', () => approvals.list({ limit: 1 }), ok('approvals', 'their store answers'));
}

/** Whether an audit file can be written, or made. */
export function checkAuditFile(given: string, cwd: string): Symptom {
  const file = resolve(cwd, given);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) {
    return fail('audit', `${file} is no file`, 'Name the file that the records go to.');
  }
  try {
    // A trail is rotated in its folder, and its head is recorded there.
    accessSync(dirname(file), constants.W_OK);
    if (found !== undefined) accessSync(file, constants.W_OK);
    return ok('audit', found === undefined ? `${file} can be made` : `${file} can be written`);
  } catch (error) {
    const mend = 'Make its folder, and let the user of the process write there.';
    return fail('audit', `${file} cannot be written: ${inWords(error)}`, mend);
  }
}
