/**
 * What stands in the ledger.
 * Invariant: whatever is read, a claim whose lease has ended is unknown.
 */
import { sql } from 'kysely';
import type { LedgerEntry, LedgerQuery } from '../contract/ledger';
import { toListLimit } from '../invocation/listed';
import { ENTRY_COLUMNS, toEntry } from './rows';
import type { Store } from './tables';
import type { Look } from './waiters';

/** Reads the ledger of a store. */
export class Reader {
  constructor(private readonly store: Store) {}

  /** What stands under a key; undefined: it is free. */
  async current(key: string): Promise<LedgerEntry | undefined> {
    const query = this.store.db
      .selectFrom('toolcrib_ledger')
      .select(ENTRY_COLUMNS)
      .select(this.leaseLeft().as('lease_left'))
      .where('key', '=', key);
    const row = await query.executeTakeFirst();
    if (row === undefined) return undefined;
    if (row.state !== 'running' || Number(row.lease_left) > 0) return toEntry(row);
    await this.expire(key);
    const after = await query.executeTakeFirst();
    return after === undefined ? undefined : toEntry(after);
  }

  /** Lists the oldest first. */
  async list({ state, limit }: LedgerQuery): Promise<readonly LedgerEntry[]> {
    const most = toListLimit(limit);
    await this.expire();
    const rows = await this.store.db
      .selectFrom('toolcrib_ledger')
      .select(ENTRY_COLUMNS)
      .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'running'))
      .orderBy('claimed_at')
      .orderBy('key')
      .limit(most)
      .execute();
    return rows.map(toEntry);
  }

  /** Makes unknown what runs beyond its lease. */
  async expire(key?: string): Promise<void> {
    await this.store.db
      .updateTable('toolcrib_ledger')
      .set({ state: 'unknown', updated_at: this.store.now })
      .where('state', '=', 'running')
      .where('lease_ends_at', '<=', this.store.now)
      .$if(key !== undefined, (query) => query.where('key', '=', key ?? ''))
      .execute();
  }

  /** Looks at keys that somebody waits for. */
  async look(keys: readonly string[]): Promise<Look> {
    const { db, tells } = this.store;
    if (tells) {
      await db
        .updateTable('toolcrib_ledger')
        .set({ waited: 1 })
        .where('key', 'in', keys)
        .where('state', '=', 'running')
        .where('waited', '=', 0)
        .execute();
    }
    const rows = await db
      .selectFrom('toolcrib_ledger')
      .select(['key', this.leaseLeft().as('lease_left')])
      .where('key', 'in', keys)
      .where('state', '=', 'running')
      .execute();
    const left = new Map(rows.map((row) => [row.key, Number(row.lease_left)]));
    const ended = keys.filter((key) => (left.get(key) ?? 0) <= 0);
    const entries = await Promise.all(ended.map((key) => this.current(key)));
    const settled = ended.map((key, at): [string, LedgerEntry | undefined] => [key, entries[at]]);
    const lasting = [...left.values()].filter((leftMs) => leftMs > 0);
    return {
      settled: new Map(settled.filter(([, entry]) => entry?.state !== 'running')),
      leaseLeftMs: Math.min(...lasting),
    };
  }

  private leaseLeft() {
    return sql<number>`${sql.ref('lease_ends_at')} - ${this.store.now}`;
  }
}
