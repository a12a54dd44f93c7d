/**
 * The stores in SQLite: files, and databases that the application opened.
 * Invariant: what holds for every stored store is in the suite; here is what SQLite has of its own.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'libsql';
import type { LedgerOutcome } from 'toolcrib';
import { SqliteApprovals, type SqliteDatabase, SqliteLedger } from 'toolcrib/stores/sqlite';
import { type EmptyDatabase, emptyFile } from '../databases';
import { claimOf, storeSuite } from '../store-suite';

function onFile(file: string): InstanceType<typeof Database> {
  mkdirSync(dirname(file), { recursive: true });
  return new Database(file, { timeout: 5_000 });
}

/** A database whose next commit fails when that is asked for, before or after it was made. */
function breaking(file: string, isAfter: boolean) {
  const whole = onFile(file);
  let code: string | undefined;
  const exec = (sql: string) => {
    const failing = sql === 'commit' ? code : undefined;
    if (failing === undefined) return whole.exec(sql);
    code = undefined;
    if (isAfter) whole.exec(sql);
    throw Object.assign(new Error('the connection broke'), { code: failing });
  };
  const database: SqliteDatabase = { prepare: (sql) => whole.prepare(sql), exec, close: () => {} };
  const breakOnce = (next: string) => {
    code = next;
  };
  return { database, breakOnce, close: () => whole.close() };
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

  const outcomes: readonly LedgerOutcome[] = [
    { state: 'finished', result: { success: true, result: 1 } },
    { state: 'paused' },
    { state: 'unknown' },
    { state: 'free' },
  ];
  describe.each(['before', 'after'])('where the connection breaks %s an end was recorded', (when) => {
    it.each(outcomes)('records it once more, and says so: $state', async (outcome) => {
      const { database, breakOnce, close } = breaking(empty.at, when === 'after');
      const ledger = await SqliteLedger.open({ database, migrate: true });
      const answer = await ledger.claim(claimOf('k'));
      const token = answer.claimed ? answer.token : '';
      const waiting = ledger.settled('k', new AbortController().signal);
      breakOnce('ECONNRESET');
      expect(await ledger.end('k', token, outcome)).toBe(true);
      const state = outcome.state === 'free' ? undefined : outcome.state;
      expect((await waiting)?.state).toBe(state);
      expect((await ledger.get('k'))?.state).toBe(state);
      expect(await ledger.end('k', token, outcome)).toBe(outcome.state === 'unknown');
      await ledger.close();
      close();
    });
  });

  it('records no end that a person came before, or that is no longer held', async () => {
    const { database, breakOnce, close } = breaking(empty.at, false);
    const ledger = await SqliteLedger.open({ database, migrate: true });
    const answer = await ledger.claim(claimOf('k'));
    const token = answer.claimed ? answer.token : '';
    await ledger.end('k', token, { state: 'unknown' });
    await ledger.settle('k', { outcome: 'executed', result: 1 });
    for (const outcome of outcomes) {
      breakOnce('ECONNRESET');
      expect(await ledger.end('k', token, outcome)).toBe(false);
    }
    expect(await ledger.get('k')).toMatchObject({ state: 'finished', result: { result: 1 } });
    breakOnce('SQLITE_CORRUPT');
    await expect(ledger.end('k', token, { state: 'free' })).rejects.toMatchObject({ code: 'SQLITE_CORRUPT' });
    await ledger.close();
    close();
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
