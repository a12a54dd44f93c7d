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

/** Does something that other writers may keep from beginning. */
async function patiently<T>(act: () => T | Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await act();
    } catch (error) {
      const isBusy = codeOf(error)?.startsWith('SQLITE_BUSY') === true;
      if (!isBusy || performance.now() > until) throw error;
    }
    // Those who wait would otherwise meet again.
    await pause(Math.random() * pauseMs);
  }
}

/** The databases whose one connection holds a transaction of several statements; stores may share a database. */
const taken = new WeakSet<SqliteDatabase>();

/** A database whose statements run in transactions of their own, but for those that only read. */
class Transactions implements SqliteDatabase {
  private isOpen = false;

  constructor(private readonly database: SqliteDatabase) {}

  prepare(sql: string): SqliteStatement {
    const statement = this.database.prepare(sql);
    if (/^select\b/i.test(sql)) return statement;
    return {
      reader: statement.reader,
      all: (parameters) => this.within(() => statement.all(parameters)),
      run: (parameters) => this.within(() => statement.run(parameters)),
      iterate: (parameters) => statement.iterate(parameters),
    };
  }

  exec(sql: string): unknown {
    return this.database.exec(sql);
  }

  close(): void {
    this.database.close();
  }

  /** Runs several statements as one. */
  async several<T>(act: () => Promise<T>): Promise<T> {
    await patiently(() => {
      this.begin();
      taken.add(this.database);
    });
    this.isOpen = true;
    try {
      const result = await act();
      this.exec('commit');
      return result;
    } catch (error) {
      this.rollback();
      throw error;
    } finally {
      this.isOpen = false;
      taken.delete(this.database);
    }
  }

  /** Without an await: other work of the process may wait for the lock and block the process until it has it. */
  private within<T>(act: () => T): T {
    if (this.isOpen) return act();
    this.begin();
    try {
      const result = act();
      this.exec('commit');
      return result;
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  private begin(): void {
    // To wait for another store on this connection is as to wait for another process.
    if (taken.has(this.database))
      throw Object.assign(new Error('a transaction is open'), { code: 'SQLITE_BUSY' });
    this.exec('begin immediate');
  }

  private rollback(): void {
    try {
      this.exec('rollback');
    } catch {
      // SQLite has rolled back by itself, as it does when the disk is full.
    }
  }
}

class PatientConnection implements DatabaseConnection {
  constructor(private readonly inner: DatabaseConnection) {}

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return patiently(() => this.inner.executeQuery<R>(query));
  }

  streamQuery<R>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<R>> {
    return this.inner.streamQuery<R>(query, chunkSize);
  }
}

/** Lends the one connection of a database to one borrower at a time. */
class Lender extends SqliteDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    return new PatientConnection(await super.acquireConnection());
  }
}

/** The dialect of a database, and its means to run several statements as one while its connection is borrowed. */
export function sqliteDialect(opened: SqliteDatabase): {
  readonly dialect: Dialect;
  readonly several: <T>(act: () => Promise<T>) => Promise<T>;
} {
  const database = new Transactions(opened);
  const dialect: Dialect = {
    createDriver: () => new Lender({ database }),
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
  return { dialect, several: (act) => database.several(act) };
}
