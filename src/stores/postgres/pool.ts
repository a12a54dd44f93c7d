/**
 * The pool of connections of a store.
 * Invariant: the error of a connection, idle or in use, never ends the process.
 */
import type { PostgresPoolClient } from 'kysely';
import { loadDriver } from '../store-error';

/** A connection of `pg`, as far as stores use it. */
export interface PostgresClient extends PostgresPoolClient {
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'notification', listener: () => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'notification', listener: () => void): unknown;
}

/** A `Pool` of `pg`, as far as stores use it. */
export interface PostgresPool {
  readonly options?: { readonly max?: number | undefined };
  connect(): Promise<PostgresClient>;
  on?(event: 'connect', listener: (client: PostgresClient) => void): unknown;
  end(): Promise<void>;
}

/** Where a store is: a connection string, or a pool that the application opened and closes. */
export type PostgresSource =
  | { readonly url: string; readonly pool?: undefined }
  | { readonly pool: PostgresPool; readonly url?: undefined };

const CONNECTING_MS = 10_000;

/**
 * Opens a pool.
 *
 * @throws StoreError `missing_driver` when pg is not installed.
 */
export function openPool(connectionString: string): PostgresPool {
  const { Pool }: typeof import('pg') = loadDriver('pg', () => require('pg'));
  const pool = new Pool({
    connectionString,
    connectionTimeoutMillis: CONNECTING_MS,
    keepAlive: true,
    allowExitOnIdle: true,
  });
  // A connection that breaks is replaced on the next query.
  pool.on('error', () => {});
  return pool;
}

/** The pools and connections of which errors are heard; stores may share them. */
const heard = new WeakSet<object>();

/** Hears the errors of a connection, which otherwise end the process. */
function hear(client: PostgresClient): void {
  if (heard.has(client)) return;
  heard.add(client);
  client.on('error', () => {});
}

/** Wraps a pool so that a connection that breaks while it is lent out fails its query, and nothing else. */
export function guarded(pool: PostgresPool): PostgresPool {
  // The server may say farewell together with its welcome, before whoever asked for the connection has it.
  if (!heard.has(pool)) pool.on?.('connect', hear);
  heard.add(pool);
  return {
    ...(pool.options === undefined ? {} : { options: pool.options }),
    connect: async () => {
      const client = await pool.connect();
      hear(client);
      return client;
    },
    end: async () => {},
  };
}
