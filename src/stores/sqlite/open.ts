/**
 * Opens the SQLite database of a store.
 * Invariant: a file that is opened here survives the crash of a process and of the machine (WAL, synchronous
 * full); a database that the application opened is left as it is.
 */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Kysely, sql } from 'kysely';
import { reasonOf } from '../../errors/reason';
import { loadDriver, StoreError } from '../store-error';
import type { Hearing, Store, StoreTables } from '../tables';
import { type SqliteDatabase, sqliteDialect } from './connection';

/** Where a store is: a file, or a database that the application opened and closes. */
export type SqliteSource =
  | {
      /** The file; it and its folder are made when they are missing. Several processes may share it. */
      readonly file: string;
      readonly database?: undefined;
    }
  | { readonly database: SqliteDatabase; readonly file?: undefined };

/** How long the driver itself waits for another writer; it blocks the process, where the writer may be too. */
const BLOCKING_MS = 5;
/** Setting a new file up takes the whole of it. */
const OPENING_MS = 5_000;
const SHORTEST_MS = 10;
const LONGEST_MS = 250;

/** Other processes cannot tell, so that a look follows the other at growing distance. */
const looking: Hearing = {
  start: () => {},
  stop: () => {},
  delay: (looks) => Math.min(SHORTEST_MS * 2 ** Math.min(looks, 10), LONGEST_MS),
};

/** Opens a file, and sets it up. */
function openFile(file: string): SqliteDatabase {
  const Database: typeof import('libsql') = loadDriver('libsql', () => require('libsql'));
  const folder = dirname(file);
  let database: SqliteDatabase | undefined;
  try {
    mkdirSync(folder, { recursive: true });
    const made = new Database(file, { timeout: OPENING_MS });
    database = made;
    made.pragma('journal_mode = WAL');
    made.pragma('synchronous = FULL');
    made.pragma(`busy_timeout = ${BLOCKING_MS}`);
    return made;
  } catch (cause) {
    database?.close();
    const message = `${file} cannot be opened as a SQLite database: ${reasonOf(cause)}. Name a file that is one, or is yet to be made, where the process may write.`;
    throw new StoreError('unusable_file', message, { cause });
  }
}

/**
 * Opens a store.
 *
 * @throws StoreError `missing_driver` when a file is to be opened without libsql, and `unusable_file` when it cannot
 * be opened.
 */
export function openSqlite({ file, database }: SqliteSource): Store {
  if ((file === undefined) === (database === undefined)) {
    throw new TypeError('Give { file } or { database }, and not both.');
  }
  const opened = file === undefined ? database : openFile(file);
  if (opened === undefined) throw new TypeError('Give { file } or { database }.');
  const { dialect, several } = sqliteDialect(opened);
  const db = new Kysely<StoreTables>({ dialect });
  return {
    db,
    now: sql<number>`cast(round((julianday('now') - 2440587.5) * 86400000) as integer)`,
    hearing: looking,
    tells: false,
    change: async (changed) => (await changed.execute()).length,
    migrating: (act) => db.connection().execute((connection) => several(() => act(connection, undefined))),
    close: async () => {
      if (file !== undefined) opened.close();
    },
  };
}
