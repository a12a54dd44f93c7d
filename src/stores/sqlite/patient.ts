/**
 * SQLite for Kysely, which waits for the writers of other processes without blocking the process for long.
 * Invariant: a statement that was refused as busy has changed nothing, and is tried again for up to ten seconds.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

const PATIENCE_MS = 10_000;
const LONGEST_PAUSE_MS = 20;

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^SQLITE_BUSY/.test(error.code)
  );
}

async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
    }
    // Waiting processes would otherwise meet again.
    await pause(1 + Math.random() * LONGEST_PAUSE_MS);
  }
}

class PatientConnection implements DatabaseConnection {
  constructor(private readonly connection: DatabaseConnection) {}

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return patiently(async () => this.connection.executeQuery<R>(query));
  }

  streamQuery<R>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<R>> {
    return this.connection.streamQuery<R>(query, chunkSize);
  }
}

class PatientDriver extends SqliteDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    return new PatientConnection(await super.acquireConnection());
  }
}

/** Makes the dialect of a database that is open. */
export function patientSqlite(database: SqliteDatabase): Dialect {
  return {
    createDriver: () => new PatientDriver({ database }),
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}
