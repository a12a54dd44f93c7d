/**
 * Effects in LangGraph over its checkpointer in Postgres, and a ledger there.
 * Invariant: what holds for every checkpointer is in the suite.
 */
import { describePostgres } from '../../stores/databases';
import { processSuite } from './process-suite';
import { durableSuite } from './suite';

describePostgres('effects in Postgres', () => {
  durableSuite('Postgres');
  processSuite('Postgres');
});
