/**
 * The ledger in Postgres: what every ledger does.
 * Invariant: the schema is opened twice, as two processes would.
 */
import { PostgresLedger } from 'toolcrib/stores/postgres';
import { describePostgres, emptySchema } from '../databases';
import { ledgerSuite } from '../ledger-suite';

async function open() {
  const { at: url, remove } = await emptySchema();
  const first = await PostgresLedger.open({ url, migrate: true });
  const second = await PostgresLedger.open({ url });
  const close = async () => {
    await first.close();
    await second.close();
    await remove();
  };
  return { first, second, close };
}

describePostgres('the ledger in Postgres', () => ledgerSuite('in Postgres', open, 10));
