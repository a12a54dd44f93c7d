/**
 * New, empty databases for the tests of stores.
 * Invariant: two share nothing, and `remove` leaves nothing behind. Postgres needs TEST_DATABASE_URL.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

/** A database file, or a connection string. */
export interface EmptyDatabase {
  readonly at: string;
  remove(): Promise<void>;
}

const { TEST_DATABASE_URL } = process.env;

/** Where the server of the tests is; undefined: there is none. */
const serverUrl = TEST_DATABASE_URL === '' ? undefined : TEST_DATABASE_URL;

/** `describe`, or where there is no server its skip, which says why. */
export function describePostgres(name: string, define: () => void): void {
  if (serverUrl !== undefined) describe(name, define);
  else {
    // Jest keeps the console of a file back of which everything is skipped.
    process.stderr.write(
      `skipped: ${name}: TEST_DATABASE_URL is not set; scripts/postgres.sh npm test sets it\n`,
    );
    describe.skip(name, define);
  }
}

/** Makes a folder with a file to come. */
export async function emptyFile(): Promise<EmptyDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-store-'));
  const remove = async () => rmSync(folder, { recursive: true, force: true });
  return { at: join(folder, 'new', 'ledger.db'), remove };
}

/** Runs a statement on the server of the tests. */
async function onServer(sql: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** Makes a schema, and gives the connection string that works in it. */
export async function emptySchema(): Promise<EmptyDatabase> {
  const schema = `store_${randomUUID().replaceAll('-', '')}`;
  await onServer(`create schema ${schema}`);
  const own = new URL(serverUrl ?? '');
  own.searchParams.set('options', `-c search_path=${schema}`);
  return { at: own.href, remove: () => onServer(`drop schema ${schema} cascade`) };
}
