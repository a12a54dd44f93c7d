/**
 * Looks at what outlives the process: the ledger and the requests for approval.
 * Invariant: it only reads; whatever does not answer in time has failed.
 */
import { MemoryApprovalStore } from '../../invocation/approval/memory-store';
import { MemoryLedger } from '../../invocation/ledger/memory-ledger';
import type { OpenToolkit } from '../configuration';
import { answering, inWords } from './answering';
import { fail, ok, type Symptom, warn } from './symptom';

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
export function checkApprovals({ approvals, stores }: OpenToolkit): Promise<Symptom> | Symptom {
  if (approvals.asks === 'never') {
    const mend =
      'Leave the option approval of createToolkit out, so that a person decides on destructive calls.';
    return warn('approvals', 'they are off: nobody is asked', mend);
  }
  if (stores?.approvals instanceof MemoryApprovalStore) {
    const mend = 'Give approval.store one of toolcrib/stores/sqlite or toolcrib/stores/postgres.';
    return warn('approvals', 'they are in memory: what waits for a person ends with the process', mend);
  }
  return reached('approvals', () => approvals.list({ limit: 1 }), ok('approvals', 'their store answers'));
}
