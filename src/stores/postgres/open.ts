/**
 * Opens the Postgres database of a store.
 * Invariant: the tables lie in the schema that is the current one of the connections.
 */
import { Kysely, PostgresDialect, sql } from 'kysely';
import type { LedgerChange, Store, StoreTables } from '../tables';
import { CHANNEL, Listener } from './listener';
import { guarded, openPool, type PostgresSource } from './pool';

async function currentSchema(db: Kysely<StoreTables>): Promise<string | undefined> {
  const { rows } = await sql<{ schema: string | null }>`select current_schema() as schema`.execute(db);
  return rows[0]?.schema ?? undefined;
}

/**
 * Opens a store; it connects when it is first used.
 *
 * @throws StoreError `missing_driver` when a connection string is given without pg.
 */
export function openPostgres({ url, pool }: PostgresSource): Store {
  if ((url === undefined) === (pool === undefined)) {
    throw new TypeError('Give { url } or { pool }, and not both.');
  }
  const opened = url === undefined ? pool : openPool(url);
  if (opened === undefined) throw new TypeError('Give { url } or { pool }.');
  const lent = guarded(opened);
  const db = new Kysely<StoreTables>({ dialect: new PostgresDialect({ pool: lent }) });
  const hearing = new Listener(lent);
  // Telling costs every commit of the database a lock, so that only those are told who wait.
  const change = async (changed: LedgerChange) => {
    const { rows } = await sql`with changed as (${changed})
      select case when waited = 1 then pg_notify(${sql.lit(CHANNEL)}, key) end from changed`.execute(db);
    return rows.length;
  };
  return {
    db,
    now: sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`,
    hearing,
    tells: true,
    change,
    migrating: async (act) => act(db, await currentSchema(db)),
    close: async () => {
      await hearing.idle();
      await db.destroy();
      if (url !== undefined) await opened.end();
    },
  };
}
