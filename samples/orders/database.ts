/**
 * Opens the order database: a SQLite file, or Postgres where a URL is given.
 * Invariant: queries use only what both share, and an opened database has its tables and its seed.
 */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Dialect, Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import Database from 'libsql';
import { Pool } from 'pg';
import { seed } from './seed';
import { createTables, type OrderTables } from './tables';

/** Where the database is. */
export interface DatabaseOptions {
  /** A Postgres connection string; where it is left out, the file is used. */
  readonly url?: string | undefined;
  /** The SQLite file; it and its folder are made when they are missing. */
  readonly file: string;
}

/** The connection that the container hands to services. */
export class OrderDatabase extends Kysely<OrderTables> {}

/** Postgres at DATABASE_URL, or else a file in the working directory. */
export function databaseFromEnvironment(): DatabaseOptions {
  return { url: process.env.DATABASE_URL, file: join('.data', 'orders.db') };
}

function postgres(connectionString: string): Dialect {
  const pool = new Pool({ connectionString });
  // An idle connection that breaks is replaced on the next query; unheard, its error would end the process.
  pool.on('error', ({ message }) => console.error(`Lost a database connection: ${message}`));
  return new PostgresDialect({ pool });
}

function sqlite(file: string): Dialect {
  mkdirSync(dirname(file), { recursive: true });
  // Another process may be writing; wait for it for up to five seconds.
  return new SqliteDialect({ database: new Database(file, { timeout: 5_000 }) });
}

/** Opens the database, with its tables made and filled. Close it with `destroy()`. */
export async function openDatabase({ url, file }: DatabaseOptions): Promise<OrderDatabase> {
  const database = new OrderDatabase({ dialect: url ? postgres(url) : sqlite(file) });
  try {
    await createTables(database);
    await seed(database);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}
