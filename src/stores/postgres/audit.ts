/**
 * An audit trail in Postgres, which any number of processes write.
 * Invariant: one process at a time adds to the chain, in one transaction with the look at its end.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, type Migration, sql } from 'kysely';
import type { AuditEvent, AuditHead, AuditLine, AuditSink } from '../../contract/audit';
import { refuseUnknownKeys } from '../../discovery/check-options';
import { Batches } from '../../invocation/audit/batches';
import { chain, EMPTY_HEAD } from '../../invocation/audit/chain';
import { judgeKnown } from '../../invocation/mapping/built-in';
import { migrate, type TableSet, tablesCheck } from '../migrations';
import { opened } from '../opened';
import { type Store, type StoreTables, timeOf } from '../tables';
import { closed, Work } from '../work';
import { openPostgres } from './open';
import type { PostgresSource } from './pool';

/** How long after a connection broke it is looked whether what was sent over it arrived. */
const PAUSE_MS = 250;
const PAGE = 1_000;

/** Where a {@link PostgresAudit} is. */
export type PostgresAuditOptions = PostgresSource & {
  /** Brings the tables to the newest version on opening; left out: false. */
  readonly migrate?: boolean;
};

const first: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('toolcrib_audit')
      .addColumn('sequence', 'bigint', (column) => column.primaryKey().notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('line', 'text', (column) => column.notNull())
      .execute();
    await sql`create function toolcrib_audit_append_only() returns trigger language plpgsql as
      $$ begin raise exception 'toolcrib_audit is append-only'; end $$`.execute(db);
    await sql`create trigger toolcrib_audit_append_only before update or delete or truncate on toolcrib_audit
      for each statement execute function toolcrib_audit_append_only()`.execute(db);
  },
};

const TABLES: TableSet = {
  migrations: { '0001_audit': first },
  table: 'toolcrib_audit_migrations',
  mend: 'Open the audit trail with migrate: true.',
};

async function headOf(db: Kysely<StoreTables>): Promise<AuditHead> {
  const row = await db
    .selectFrom('toolcrib_audit')
    .select(['sequence', 'hash'])
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? EMPTY_HEAD : { sequence: Number(row.sequence), hash: row.hash };
}

/** An audit trail in Postgres. */
export class PostgresAudit implements AuditSink {
  private readonly batches = new Batches((events) => this.work.run(() => this.writeAll(events)));
  private readonly work: Work;

  private constructor(private readonly store: Store) {
    this.work = new Work(tablesCheck(store, TABLES));
  }

  /** Opens a trail, which connects when it is first used. Close it with `close()`. */
  static async open(options: PostgresAuditOptions): Promise<PostgresAudit> {
    refuseUnknownKeys('PostgresAudit.open', options, ['url', 'pool', 'migrate']);
    return opened(new PostgresAudit(openPostgres(options)), options);
  }

  /** Brings the table to the newest version; gives the names of the migrations that it ran. */
  migrate(): Promise<readonly string[]> {
    return migrate(this.store, TABLES);
  }

  /** {@inheritDoc AuditSink.append} */
  append(event: AuditEvent): Promise<void> {
    return this.batches.append(event);
  }

  /** {@inheritDoc AuditSink.ready} */
  async ready(): Promise<void> {
    await this.head();
  }

  /** {@inheritDoc AuditSink.flush} */
  flush(): Promise<void> {
    return this.batches.idle();
  }

  /** The last record; kept elsewhere, it shows later that nothing was cut off. */
  head(): Promise<AuditHead> {
    return this.work.run(() => headOf(this.store.db));
  }

  /** Milliseconds since 1970 by the clock of the database. */
  storeTime(): Promise<number> {
    return this.work.run(() => timeOf(this.store));
  }

  /** The lines of the trail, for `verifyAudit` and `readAudit`. */
  async *lines(): AsyncGenerator<AuditLine> {
    let line = 0;
    for (let after = 0, more = true; more; ) {
      const rows = await this.work.run(() => this.page(after));
      for (const row of rows) {
        line += 1;
        after = Number(row.sequence);
        const place = { sequence: after, hash: row.hash };
        yield { bytes: Buffer.from(row.line), line, isComplete: true, place };
      }
      more = rows.length === PAGE;
    }
  }

  /** Lets go of the database when what runs has ended. A pool that the application opened stays open. */
  async close(): Promise<void> {
    await this.work.close(() => this.store.close());
  }

  private page(after: number) {
    return this.store.db
      .selectFrom('toolcrib_audit')
      .select(['sequence', 'hash', 'line'])
      .where('sequence', '>', after)
      .orderBy('sequence')
      .limit(PAGE)
      .execute();
  }

  private async writeAll(events: readonly AuditEvent[]): Promise<void> {
    const tried: { head?: AuditHead } = {};
    try {
      await this.write(events, tried);
    } catch (error) {
      // What was sent may have arrived although its answer did not; nobody is told that it did not before that is known.
      if (tried.head === undefined || !(await this.arrived(tried.head))) throw error;
    }
  }

  private async write(events: readonly AuditEvent[], tried: { head?: AuditHead }): Promise<void> {
    await this.alone(async (db) => {
      let head = await headOf(db);
      const rows = events.map((event) => {
        const chained = chain(event, head);
        head = chained.head;
        return { ...head, line: chained.line };
      });
      tried.head = head;
      await db.insertInto('toolcrib_audit').values(rows).execute();
    });
  }

  /** Runs a transaction while no other process is in one of these. */
  private alone<T>(act: (db: Kysely<StoreTables>) => Promise<T>): Promise<T> {
    // A snapshot that was taken before the lock would miss what its last holder wrote.
    const transaction = this.store.db.transaction().setIsolationLevel('read committed');
    return transaction.execute(async (db) => {
      await sql`select pg_advisory_xact_lock('toolcrib_audit'::regclass::oid::bigint)`.execute(db);
      return act(db);
    });
  }

  private async arrived({ sequence, hash }: AuditHead): Promise<boolean> {
    for (;;) {
      await pause(PAUSE_MS);
      try {
        const row = await this.alone((db) =>
          db.selectFrom('toolcrib_audit').select('hash').where('sequence', '=', sequence).executeTakeFirst(),
        );
        return row?.hash === hash;
      } catch (error) {
        if (this.work.isClosed) throw closed();
        if (judgeKnown(error)?.retryable !== true) throw error;
      }
    }
  }
}
