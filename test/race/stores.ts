/**
 * The stores of the proofs: a ledger, and beside it the table in which every execution leaves a row.
 * Invariant: a row is only ever added, so that a second execution of a reference shows.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { Pool } from 'pg';
import { type Ledger, MemoryLedger } from 'toolcrib';
import { PostgresLedger } from 'toolcrib/stores/postgres';
import { SqliteLedger } from 'toolcrib/stores/sqlite';

/** The kind of a store. */
export type StoreKind = 'memory' | 'SQLite' | 'Postgres';

/** Where a store is: a file or a connection string; any text for memory. */
export interface StoreAddress {
  readonly kind: StoreKind;
  readonly at: string;
}

/** The executions that were carried out. */
export interface Executions {
  /** Adds a row. */
  add(reference: string, execution: string): Promise<void>;
  /** The executions of every reference. */
  all(): Promise<ReadonlyMap<string, readonly string[]>>;
}

/** An open store. */
export interface OpenStore {
  readonly ledger: Ledger;
  readonly executions: Executions;
  close(): Promise<void>;
}

const CREATE = 'create table if not exists executions (reference text not null, execution text not null)';
const INSERT = 'insert into executions (reference, execution) values ';
const SELECT = 'select reference, execution from executions';
/** Eight processes together stay below what a server takes by default. */
const CONNECTIONS = 6;

function byReference(rows: readonly unknown[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const row of rows) {
    const [reference, execution] = Object.values(Object(row)).map(String);
    if (reference === undefined || execution === undefined) throw new TypeError('a row lacks a column');
    found.set(reference, [...(found.get(reference) ?? []), execution]);
  }
  return found;
}

function openMemory(): OpenStore {
  const rows: object[] = [];
  const executions: Executions = {
    add: async (reference, execution) => void rows.push({ reference, execution }),
    all: async () => byReference(rows),
  };
  return { ledger: new MemoryLedger(), executions, close: async () => {} };
}

async function openSqlite(file: string, migrate: boolean): Promise<OpenStore> {
  const ledger = await SqliteLedger.open({ file, migrate });
  const database = new Database(file, { timeout: 10_000 });
  if (migrate) database.exec(CREATE);
  const executions: Executions = {
    // References and executions are made here, of letters, digits and dashes.
    add: async (reference, execution) => void database.exec(`${INSERT} ('${reference}', '${execution}')`),
    all: async () => byReference(database.prepare(SELECT).all([])),
  };
  const close = async () => {
    await ledger.close();
    database.close();
  };
  return { ledger, executions, close };
}

async function openPostgres(url: string, migrate: boolean): Promise<OpenStore> {
  const pool = new Pool({ connectionString: url, max: CONNECTIONS });
  pool.on('error', () => {});
  const ledger = await PostgresLedger.open({ pool, migrate });
  if (migrate) await pool.query(CREATE);
  const executions: Executions = {
    add: async (reference, execution) =>
      void (await pool.query(`${INSERT} ($1, $2)`, [reference, execution])),
    all: async () => byReference((await pool.query(SELECT)).rows),
  };
  const close = async () => {
    await ledger.close();
    await pool.end();
  };
  return { ledger, executions, close };
}

/** Opens a store; the first to open it migrates. */
export function openStore({ kind, at }: StoreAddress, migrate: boolean): Promise<OpenStore> {
  if (kind === 'SQLite') return openSqlite(at, migrate);
  return kind === 'Postgres' ? openPostgres(at, migrate) : Promise.resolve(openMemory());
}

/** A new, empty store, and its removal. */
export interface NewStore extends StoreAddress {
  remove(): Promise<void>;
}

/** Makes the place of a new store. Postgres needs TEST_DATABASE_URL. */
export async function newStore(kind: StoreKind): Promise<NewStore> {
  if (kind === 'memory') return { kind, at: '', remove: async () => {} };
  if (kind === 'SQLite') {
    const folder = mkdtempSync(join(tmpdir(), 'toolcrib-proof-'));
    const remove = async () => rmSync(folder, { recursive: true, force: true });
    return { kind, at: join(folder, 'ledger.db'), remove };
  }
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error('TEST_DATABASE_URL is not set; scripts/postgres.sh sets it');
  const schema = `proof_${process.pid}_${Date.now()}`;
  const run = async (sql: string) => {
    const pool = new Pool({ connectionString: url, max: 1 });
    await pool.query(sql);
    await pool.end();
  };
  await run(`create schema ${schema}`);
  const own = new URL(url);
  own.searchParams.set('options', `-c search_path=${schema}`);
  return { kind, at: own.href, remove: () => run(`drop schema ${schema} cascade`) };
}
