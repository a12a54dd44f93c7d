/**
 * The stores in SQLite: files, and databases that the application opened.
 * Invariant: what holds for every stored store is in the suite; here is what SQLite has of its own.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'libsql';
import { SqliteApprovals, SqliteLedger } from 'toolcrib/stores/sqlite';
import { type EmptyDatabase, emptyFile } from '../databases';
import { claimOf, storeSuite } from '../store-suite';

function onFile(file: string): InstanceType<typeof Database> {
  mkdirSync(dirname(file), { recursive: true });
  return new Database(file, { timeout: 5_000 });
}

storeSuite('SQLite', {
  empty: emptyFile,
  ledger: (file, options) => SqliteLedger.open({ file, ...options }),
  approvals: (file, options) => SqliteApprovals.open({ file, ...options }),
  run: async (file, sql) => {
    const database = onFile(file);
    database.exec(sql);
    database.close();
  },
});

describe('SQLite', () => {
  let empty: EmptyDatabase;
  beforeEach(async () => {
    empty = await emptyFile();
  });
  afterEach(() => empty.remove());

  it.each<readonly [string, (file: string) => void, (file: string) => string]>([
    ['its folder is a file', (file) => writeFileSync(file, ''), (file) => join(file, 'ledger.db')],
    ['it is no database', (file) => writeFileSync(file, 'x'.repeat(4_096)), (file) => file],
    ['it is a folder', (file) => mkdirSync(file), (file) => file],
  ])('says of a file that cannot be opened which it is: %s', async (_case, prepare, fileOf) => {
    mkdirSync(dirname(empty.at), { recursive: true });
    prepare(empty.at);
    const file = fileOf(empty.at);
    const refused = { name: 'StoreError', code: 'unusable_file', message: expect.stringContaining(file) };
    await expect(SqliteLedger.open({ file, migrate: true })).rejects.toMatchObject(refused);
    await expect(SqliteApprovals.open({ file })).rejects.toMatchObject(refused);
  });

  it.each([{ migrated: true }, { url: 'postgres://x' }, { Migrate: true }])(
    'refuses an option that there is not, before it opens anything: %j',
    async (option) => {
      const options = { file: empty.at, ...option };
      await expect(SqliteLedger.open(options)).rejects.toThrow(TypeError);
      await expect(SqliteApprovals.open(options)).rejects.toThrow(TypeError);
      expect(existsSync(empty.at)).toBe(false);
    },
  );

  it('takes a database of the application, and leaves it open', async () => {
    const database = onFile(empty.at);
    const ledger = await SqliteLedger.open({ database, migrate: true });
    await ledger.claim(claimOf('k'));
    await ledger.close();
    expect(database.prepare('select key from toolcrib_ledger').all()).toEqual([{ key: 'k' }]);
    database.close();
  });

  it('lets a ledger and approvals share a database from the start', async () => {
    const database = onFile(empty.at);
    const options = { database, migrate: true };
    const [ledger, approvals] = await Promise.all([
      SqliteLedger.open(options),
      SqliteApprovals.open(options),
    ]);
    const migrating = Promise.all([ledger.migrate(), approvals.migrate(), ledger.claim(claimOf('k'))]);
    expect(await migrating).toMatchObject([[], [], { claimed: true }]);
    await Promise.all([ledger.close(), approvals.close()]);
    database.close();
  });

  it('waits for another writer without blocking the process', async () => {
    const ledger = await SqliteLedger.open({ file: empty.at, migrate: true });
    const other = onFile(empty.at);
    other.exec('begin immediate');
    const claiming = ledger.claim(claimOf('k'));
    // Turns of the event loop that a blocking wait would not let pass.
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    other.exec('commit');
    expect((await claiming).claimed).toBe(true);
    expect(other.prepare('select key from toolcrib_ledger').all([])).toEqual([{ key: 'k' }]);
    other.close();
    await ledger.close();
  });

  it('writes ahead, so that readers and a writer do not wait for each other', async () => {
    const ledger = await SqliteLedger.open({ file: empty.at, migrate: true });
    const other = onFile(empty.at);
    expect(other.pragma('journal_mode')).toMatchObject([{ journal_mode: 'wal' }]);
    other.exec('begin immediate');
    expect(await ledger.get('k')).toBeUndefined();
    other.exec('rollback');
    other.close();
    await ledger.close();
  });
});
