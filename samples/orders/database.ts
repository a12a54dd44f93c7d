/**
 * Opens the order database: a SQLite file, or Postgres where a URL is given.
 * Invariant: queries use only what both share, and an opened database has its tables and its seed.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Dialect, Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import Database from 'libsql';
import { Pool } from 'pg';
import { seed } from './seed';
import { createTables, type OrderTables } from './tables';

/** Where the database is. */
export interface DatabaseOptions {
  /** A Postgres connection string; where it is left out, SQLite files are used. */
  readonly url?: string | undefined;
  /** Where the SQLite files lie; it is made when it is missing. */
  readonly folder: string;
}

/** The connection that the container hands to services. */
export class OrderDatabase extends Kysely<OrderTables> {}

/** Postgres at DATABASE_URL, or else files in the working directory. */
export function databaseFromEnvironment(): DatabaseOptions {
  return { url: process.env.DATABASE_URL, folder: '.data' };
}

/** Opens connections to Postgres. */
export function openPool(connectionString: string): Pool {
  const pool = new Pool({ connectionString });
  // An idle connection that breaks is replaced on the next query; unheard, its error would end the process.
  pool.on('error', ({ message }) => console.error(`Lost a database connection: ${message}`));
  return pool;
}

/** Opens a SQLite file. */
export function openFile(folder: string, name: string): Database.Database {
  mkdirSync(folder, { recursive: true });
  // Another process may be writing; wait for it for up to five seconds.
  return new Database(join(folder, name), { timeout: 5_000 });
}

function dialectOf({ url, folder }: DatabaseOptions): Dialect {
  if (url) return new PostgresDialect({ pool: openPool(url) });
  return new SqliteDialect({ database: openFile(folder, 'orders.db') });
}

/** Opens the database, with its tables made and filled. Close it with `destroy()`. */
export async function openDatabase(options: DatabaseOptions): Promise<OrderDatabase> {
  const database = new OrderDatabase({ dialect: dialectOf(options) });
  try {
    await createTables(database);
    await seed(database);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}
