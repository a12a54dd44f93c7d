/**
 * The versions of the tables, and how a database gets to the newest.
 * Invariant: a migration that was released never changes; several processes may migrate at once.
 */
import { type Kysely, type Migration, Migrator } from 'kysely';
import { reasonOf } from '../errors/reason';
import { once } from './once';
import { codeOf, StoreError } from './store-error';
import type { Store } from './tables';

/** The tables of one kind of store, which are migrated together. */
export interface TableSet {
  readonly migrations: { readonly [name: string]: Migration };
  /** Where Kysely's migrator keeps which of them have run. */
  readonly table: 'toolcrib_migrations' | 'toolcrib_audit_migrations';
  /** What an operator does where tables are missing or older. */
  readonly mend: string;
}

const first: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('toolcrib_ledger')
      .addColumn('key', 'text', (column) => column.primaryKey().notNull())
      .addColumn('argument_hash', 'text', (column) => column.notNull())
      .addColumn('edited_hash', 'text')
      .addColumn('tool', 'text', (column) => column.notNull())
      .addColumn('principal_id', 'text')
      .addColumn('call_id', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('token', 'text')
      .addColumn('result', 'text')
      .addColumn('arguments', 'text')
      .addColumn('compensation', 'text')
      .addColumn('waited', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('claimed_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('lease_ends_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('toolcrib_ledger_state')
      .on('toolcrib_ledger')
      .columns(['state', 'updated_at'])
      .execute();
    await db.schema
      .createTable('toolcrib_approvals')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('binding', 'text', (column) => column.unique())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('request', 'text', (column) => column.notNull())
      .addColumn('decision', 'text')
      .addColumn('decided_by', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('toolcrib_approvals_state')
      .on('toolcrib_approvals')
      .columns(['state', 'created_at'])
      .execute();
    await db.schema
      .createIndex('toolcrib_approvals_expiry')
      .on('toolcrib_approvals')
      .column('expires_at')
      .execute();
  },
};

const LEDGER_AND_APPROVALS: TableSet = {
  migrations: { '0001_ledger_and_approvals': first },
  table: 'toolcrib_migrations',
  mend: 'Run toolcrib ledger migrate, or open the store with migrate: true.',
};

/** Brings the tables to the newest version; gives the names of the migrations that it ran. */
export function migrate(store: Store, tables: TableSet = LEDGER_AND_APPROVALS): Promise<readonly string[]> {
  return store.migrating(async (db, schema) => {
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => ({ ...tables.migrations }) },
      migrationTableName: tables.table,
      migrationLockTableName: `${tables.table}_lock`,
      ...(schema === undefined ? {} : { migrationTableSchema: schema }),
    });
    const { error, results = [] } = await migrator.migrateToLatest();
    if (error === undefined) return results.map(({ migrationName }) => migrationName);
    throw new StoreError('migration_failed', `The tables could not be migrated: ${reasonOf(error)}`, {
      cause: error,
    });
  });
}

/** Postgres says it by a code, SQLite in words. */
function isMissingTable(error: unknown): boolean {
  return codeOf(error) === '42P01' || /no such table/.test(reasonOf(error));
}

async function check({ db }: Store, { migrations, table, mend }: TableSet): Promise<void> {
  const names = Object.keys(migrations);
  const rows = await db
    .selectFrom(table)
    .select('name')
    .execute()
    .catch((error: unknown) => {
      if (!isMissingTable(error)) throw error;
      throw new StoreError('missing_tables', `The tables of the store are missing. ${mend}`, {
        cause: error,
      });
    });
  const ran = rows.map(({ name }) => name);
  const newer = ran.filter((name) => !names.includes(name));
  if (newer.length > 0) {
    const what = `The tables of the store are of a newer version (${newer.join(', ')}).`;
    throw new StoreError('newer_tables', `${what} Update toolcrib in this process.`);
  }
  if (names.some((name) => !ran.includes(name))) {
    throw new StoreError('outdated_tables', `The tables of the store are of an older version. ${mend}`);
  }
}

/** Makes a check that the tables are those of this version; once they were, it asks no more. */
export function tablesCheck(store: Store, tables: TableSet = LEDGER_AND_APPROVALS): () => Promise<void> {
  return once(() => check(store, tables));
}
