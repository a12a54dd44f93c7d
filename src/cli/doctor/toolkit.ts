/**
 * Looks at a toolkit that was opened: its declarations, its stores and their clocks.
 * Invariant: it loads what a toolkit loads, so it is loaded itself only once there is one.
 */
import type { OpenToolkit } from '../configuration';
import { contained } from './answering';
import { checkAuditSink } from './audit';
import { checkStoreClock, PROCESS_CLOCKS } from './clock';
import { checkDeclarations, checkEmittedTypes } from './declarations';
import { checkApprovals, checkLedger } from './stores';
import { ok, type Symptom } from './symptom';

/** What is found in it. */
export async function checkToolkit(toolkit: OpenToolkit): Promise<readonly Symptom[]> {
  const specs = toolkit.registry.list();
  const looks = [
    contained('declarations', () => checkDeclarations(specs)),
    contained('emitted types', () => checkEmittedTypes(specs)),
    contained('ledger', () => checkLedger(toolkit)),
    contained('approvals', () => checkApprovals(toolkit)),
    contained("the ledger's clock", () => checkStoreClock('ledger', toolkit.ledger, PROCESS_CLOCKS)),
    contained('audit sink', () => checkAuditSink(toolkit.stores?.audit, PROCESS_CLOCKS)),
  ];
  return [ok('configuration', 'a toolkit was opened'), ...(await Promise.all(looks)).flat()];
}
