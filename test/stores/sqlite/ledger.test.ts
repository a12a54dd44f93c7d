/**
 * The ledger in a SQLite file: what every ledger does.
 * Invariant: the file is opened twice, as two processes would.
 */
import { SqliteLedger } from 'toolcrib/stores/sqlite';
import { emptyFile } from '../databases';
import { ledgerSuite } from '../ledger-suite';

async function open() {
  const { at: file, remove } = await emptyFile();
  const first = await SqliteLedger.open({ file, migrate: true });
  const second = await SqliteLedger.open({ file });
  const close = async () => {
    await first.close();
    await second.close();
    await remove();
  };
  return { first, second, close };
}

ledgerSuite('in SQLite', open, 20);
