/**
 * The requests for approval that SQLite and Postgres keep.
 * Invariant: of all who decide or take a request, over all processes, one does; each step is one statement.
 */
import { type Selectable, sql } from 'kysely';
import type {
  ApprovalDecision,
  ApprovalRecord,
  ApprovalRequest,
  ApprovalState,
  ApprovalStore,
} from '../contract/approval';
import { toListLimit } from '../invocation/listed';
import { migrate, tablesCheck } from './migrations';
import { BATCH, sweeper } from './sweeper';
import type { ApprovalTable, Store } from './tables';
import { fromColumn, toColumn } from './text';
import { Work } from './work';

/** What every stored approval store takes. */
export interface StoredApprovalsOptions {
  /** Brings the tables to the newest version on opening; left out: false. */
  readonly migrate?: boolean;
}

function toRecord(row: Selectable<ApprovalTable>): ApprovalRecord {
  return {
    request: JSON.parse(row.request),
    state: row.state,
    ...(row.decision === null ? {} : { decision: JSON.parse(row.decision) }),
    ...(row.decided_by === null ? {} : { decidedBy: fromColumn(row.decided_by) }),
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
  };
}

/** Requests for approval in a database. */
export class StoredApprovals implements ApprovalStore {
  private readonly work: Work;
  private readonly sweep: () => void;

  /** @internal */
  constructor(private readonly store: Store) {
    this.work = new Work(tablesCheck(store));
    this.sweep = sweeper(() => this.work.run(() => this.removeExpired()));
  }

  /** Brings the tables to the newest version; gives the names of the migrations that it ran. */
  migrate(): Promise<readonly string[]> {
    return migrate(this.store);
  }

  /** {@inheritDoc ApprovalStore.open} */
  async open(request: ApprovalRequest, lifetimeMs: number): Promise<ApprovalRecord> {
    return this.work.run(async () => {
      this.sweep();
      const { db, now } = this.store;
      const fresh = {
        id: toColumn(request.id),
        binding: toColumn(request.binding),
        state: 'pending' as const,
        request: JSON.stringify(request),
        decision: null,
        decided_by: null,
        created_at: now,
        expires_at: sql<number>`${now} + ${sql.lit(Math.ceil(lifetimeMs))}`,
      };
      for (;;) {
        const [row] = await db
          .insertInto('toolcrib_approvals')
          .values(fresh)
          .onConflict((conflict) =>
            conflict
              .column('binding')
              .doUpdateSet((row) => ({
                id: row.ref('excluded.id'),
                state: row.ref('excluded.state'),
                request: row.ref('excluded.request'),
                decision: null,
                decided_by: null,
                created_at: row.ref('excluded.created_at'),
                expires_at: row.ref('excluded.expires_at'),
              }))
              // What has expired stands in nobody's way.
              .where('toolcrib_approvals.expires_at', '<=', now),
          )
          .returningAll()
          .execute();
        if (row !== undefined) return toRecord(row);
        const there = await this.current('binding', request.binding);
        if (there !== undefined) return there;
      }
    });
  }

  /** {@inheritDoc ApprovalStore.decide} */
  async decide(id: string, decision: ApprovalDecision, by: string): Promise<boolean> {
    return this.work.run(async () => {
      const rows = await this.store.db
        .updateTable('toolcrib_approvals')
        .set({
          state: decision.type === 'reject' ? 'rejected' : 'approved',
          decision: JSON.stringify(decision),
          decided_by: toColumn(by),
        })
        .where('id', '=', toColumn(id))
        .where('state', '=', 'pending')
        .where('expires_at', '>', this.store.now)
        .returning('id')
        .execute();
      return rows.length > 0;
    });
  }

  /** {@inheritDoc ApprovalStore.take} */
  async take(binding: string): Promise<ApprovalRecord | undefined> {
    return this.work.run(async () => {
      const [row] = await this.store.db
        .updateTable('toolcrib_approvals')
        .set({ state: 'used', binding: null })
        .where('binding', '=', toColumn(binding))
        .where('state', 'in', ['approved', 'rejected'])
        .where('expires_at', '>', this.store.now)
        .returningAll()
        .execute();
      return row === undefined ? undefined : toRecord(row);
    });
  }

  /** {@inheritDoc ApprovalStore.get} */
  async get(id: string): Promise<ApprovalRecord | undefined> {
    return this.work.run(() => this.current('id', id));
  }

  /** {@inheritDoc ApprovalStore.list} */
  async list({
    state = 'pending',
    limit,
  }: {
    readonly state?: ApprovalState | undefined;
    readonly limit?: number | undefined;
  } = {}): Promise<readonly ApprovalRecord[]> {
    const most = toListLimit(limit);
    return this.work.run(async () => {
      const rows = await this.store.db
        .selectFrom('toolcrib_approvals')
        .selectAll()
        .where('state', '=', state)
        .where('expires_at', '>', this.store.now)
        .orderBy('created_at')
        .orderBy('id')
        .limit(most)
        .execute();
      return rows.map(toRecord);
    });
  }

  /** Lets go of the database when what runs has ended. Connections that the application opened stay open. */
  close(): Promise<void> {
    return this.work.close(() => this.store.close());
  }

  private async current(by: 'id' | 'binding', value: string): Promise<ApprovalRecord | undefined> {
    const row = await this.store.db
      .selectFrom('toolcrib_approvals')
      .selectAll()
      .where(by, '=', toColumn(value))
      .where('expires_at', '>', this.store.now)
      .executeTakeFirst();
    return row === undefined ? undefined : toRecord(row);
  }

  private async removeExpired(): Promise<number> {
    const { db, now } = this.store;
    const old = db
      .selectFrom('toolcrib_approvals')
      .select('id')
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .limit(BATCH);
    const { numDeletedRows } = await db
      .deleteFrom('toolcrib_approvals')
      .where('id', 'in', old)
      .where('expires_at', '<=', now)
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}
