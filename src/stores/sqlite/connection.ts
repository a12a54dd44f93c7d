/**
 * The connection of SQLite for Kysely, which waits for the writers of other processes without blocking its own.
 * Invariant: a statement that writes runs inside of a transaction that holds the lock already. A statement that
 * was refused as busy would stay open in libsql, and hold back every later commit of the connection.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { codeOf } from '../store-error';

/** A statement of better-sqlite3 or libsql, as far as stores use it. */
export interface SqliteStatement {
  readonly reader: boolean;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  iterate(parameters: readonly unknown[]): IterableIterator<unknown>;
}

/** A database of better-sqlite3 or libsql, as far as stores use it. */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement;
  exec(sql: string): unknown;
  close(): void;
}

const PATIENCE_MS = 10_000;
const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 32;

/** Does something once no other writer keeps it from it. */
async function patiently(act: () => void): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return act();
    } catch (error) {
      const isBusy = codeOf(error)?.startsWith('SQLITE_BUSY') === true;
      if (!isBusy || performance.now() > until) throw error;
    }
    // Those who wait would otherwise meet again.
    await pause(Math.random() * pauseMs);
  }
}

/** Lends the one connection of a database to one borrower at a time. */
export class SqliteLender extends SqliteDriver {
  private isInTransaction = false;

  constructor(private readonly database: SqliteDatabase) {
    super({ database });
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return new WritingConnection(this.database, await super.acquireConnection(), () => this.isInTransaction);
  }

  /** Runs several statements as one; the connection has to be borrowed. */
  transaction<T>(act: () => Promise<T>): Promise<T> {
    return transaction(this.database, async () => {
      this.isInTransaction = true;
      try {
        return await act();
      } finally {
        this.isInTransaction = false;
      }
    });
  }
}

async function transaction<T>(database: SqliteDatabase, act: () => Promise<T>): Promise<T> {
  await patiently(() => void database.exec('begin immediate'));
  try {
    const result = await act();
    database.exec('commit');
    return result;
  } catch (error) {
    rollback(database);
    throw error;
  }
}

function rollback(database: SqliteDatabase): void {
  try {
    database.exec('rollback');
  } catch {
    // SQLite has rolled back by itself, as it does when the disk is full.
  }
}

class WritingConnection implements DatabaseConnection {
  constructor(
    private readonly database: SqliteDatabase,
    private readonly inner: DatabaseConnection,
    private readonly isInTransaction: () => boolean,
  ) {}

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const run = () => this.inner.executeQuery<R>(query);
    return this.isInTransaction() || SelectQueryNode.is(query.query)
      ? run()
      : transaction(this.database, run);
  }

  streamQuery<R>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<R>> {
    return this.inner.streamQuery<R>(query, chunkSize);
  }
}

/** Makes the dialect of a database. */
export function sqliteDialect(lender: SqliteLender): Dialect {
  return {
    createDriver: () => lender,
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}
