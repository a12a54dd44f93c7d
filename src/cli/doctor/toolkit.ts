/**
 * Looks at a toolkit that was opened: its declarations, its stores and their clocks.
 * Invariant: it loads what a toolkit loads, so it is loaded itself only once there is one.
 */
import type { OpenToolkit } from '../configuration';
import { checkAuditSink } from './audit';
import { checkStoreClock, PROCESS_CLOCKS } from './clock';
import { checkDeclarations, checkEmittedTypes } from './declarations';
import { checkApprovals, checkLedger } from './stores';
import { ok, type Symptom } from './symptom';

/** What is found in it. */
export async function checkToolkit(toolkit: OpenToolkit): Promise<readonly Symptom[]> {
  const specs = toolkit.registry.list();
  return [
    ok('configuration', 'a toolkit was opened'),
    checkDeclarations(specs),
    checkEmittedTypes(specs),
    await checkLedger(toolkit),
    await checkApprovals(toolkit),
    ...(await checkStoreClock('ledger', toolkit.ledger, PROCESS_CLOCKS)),
    ...(await checkAuditSink(toolkit.stores?.audit, PROCESS_CLOCKS)),
  ];
}
