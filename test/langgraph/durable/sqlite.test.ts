/**
 * Effects in LangGraph over its checkpointer in SQLite, and a ledger there.
 * Invariant: what holds for every checkpointer is in the suite.
 */
import { processSuite } from './process-suite';
import { durableSuite } from './suite';

describe('in SQLite', () => {
  durableSuite('SQLite');
  processSuite('SQLite');
});
