/**
 * The ledger in memory, held to what every ledger does.
 * Invariant: what is its own, its bound and its retention, is tested beside its source.
 */
import { MemoryLedger } from 'toolcrib';
import { ledgerSuite } from './ledger-suite';

ledgerSuite('in memory', async () => {
  const ledger = new MemoryLedger();
  return { first: ledger, second: ledger, close: async () => {} };
});
