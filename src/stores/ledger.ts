/**
 * The ledger that SQLite and Postgres share.
 * Invariant: every step is one statement, which the database runs as a whole or not at all.
 */
import { randomUUID } from 'node:crypto';
import { type ExpressionBuilder, sql } from 'kysely';
import type {
  Ledger,
  LedgerAnswer,
  LedgerClaim,
  LedgerEntry,
  LedgerOutcome,
  LedgerQuery,
  Settlement,
} from '../contract/ledger';
import { migrate, tablesCheck } from './migrations';
import { ENTRY_COLUMNS, toEntry } from './rows';
import { StoreError } from './store-error';
import { BATCH, sweeper } from './sweeper';
import type { Store, StoreTables } from './tables';
import { toColumn, toJsonColumn } from './text';
import { type Look, Waiters } from './waiters';

const DEFAULT_RETENTION_MS = 24 * 60 * 60 * 1000;

/** What every stored ledger takes. */
export interface StoredLedgerOptions {
  /** How long what is finished or paused is kept at least, in milliseconds; left out: 24 hours. */
  readonly retentionMs?: number;
  /** Brings the tables to the newest version on opening; left out: false. */
  readonly migrate?: boolean;
}

type Row = ExpressionBuilder<StoreTables, 'toolcrib_ledger'>;

/** A ledger in a database. */
export class StoredLedger implements Ledger {
  private readonly waiters: Waiters;
  private readonly ready: () => Promise<void>;
  private readonly sweep: () => void;
  private isClosed = false;

  /** @internal */
  constructor(
    private readonly store: Store,
    { retentionMs = DEFAULT_RETENTION_MS }: StoredLedgerOptions,
  ) {
    if (!(Number.isFinite(retentionMs) && retentionMs >= 0)) {
      throw new TypeError(`retentionMs is ${String(retentionMs)}; give milliseconds, or leave it out.`);
    }
    this.waiters = new Waiters((keys) => this.look(keys), store.hearing);
    this.ready = tablesCheck(store);
    this.sweep = sweeper(() => this.removeOld(retentionMs));
  }

  /** Brings the tables to the newest version; gives the names of the migrations that it ran. */
  migrate(): Promise<readonly string[]> {
    return migrate(this.store);
  }

  /** {@inheritDoc Ledger.claim} */
  async claim(claim: LedgerClaim): Promise<LedgerAnswer> {
    await this.open();
    this.sweep();
    const token = randomUUID();
    try {
      for (;;) {
        if (await this.insert(claim, token)) return { claimed: true, token };
        const entry = await this.current(claim.key);
        // It was freed in between.
        if (entry === undefined) continue;
        if (!isSameCall(entry, claim) || entry.state !== 'paused') return { claimed: false, entry };
        if (await this.enter(claim, token)) return { claimed: true, token };
      }
    } catch (error) {
      // The statement may have arrived although its answer did not.
      void this.end(claim.key, token, { state: 'free' }).catch(() => {});
      throw error;
    }
  }

  /** {@inheritDoc Ledger.end} */
  async end(key: string, token: string, outcome: LedgerOutcome): Promise<boolean> {
    await this.open();
    const { db, now } = this.store;
    const isHeld = (row: Row) =>
      row.and([row('key', '=', key), row('token', '=', token), row('state', 'in', ['running', 'unknown'])]);
    const changed =
      outcome.state === 'free'
        ? db.deleteFrom('toolcrib_ledger').where(isHeld).returning(['key', 'waited'])
        : db
            .updateTable('toolcrib_ledger')
            .set({
              state: outcome.state,
              result: outcome.state === 'finished' ? toJsonColumn(outcome.result) : null,
              // Who says that nobody knows may still learn it.
              ...(outcome.state === 'unknown' ? {} : { token: null }),
              updated_at: now,
            })
            .where(isHeld)
            .returning(['key', 'waited']);
    const isChanged = (await this.store.change(changed)) > 0;
    if (isChanged) this.waiters.wake();
    return isChanged;
  }

  /** {@inheritDoc Ledger.settled} */
  async settled(key: string, signal: AbortSignal): Promise<LedgerEntry | undefined> {
    const entry = await this.get(key);
    if (entry?.state !== 'running' || signal.aborted) return entry;
    const found = await this.waiters.wait(key, signal);
    return found === 'aborted' ? this.get(key) : found;
  }

  /** {@inheritDoc Ledger.get} */
  async get(key: string): Promise<LedgerEntry | undefined> {
    await this.open();
    return this.current(key);
  }

  /** {@inheritDoc Ledger.list} */
  async list({ state, limit = 100 }: LedgerQuery = {}): Promise<readonly LedgerEntry[]> {
    await this.open();
    await this.expire();
    const rows = await this.store.db
      .selectFrom('toolcrib_ledger')
      .select(ENTRY_COLUMNS)
      .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'running'))
      .orderBy('claimed_at')
      .orderBy('key')
      .limit(limit)
      .execute();
    return rows.map(toEntry);
  }

  /** {@inheritDoc Ledger.settle} */
  async settle(key: string, settlement: Settlement): Promise<boolean> {
    await this.open();
    await this.expire(key);
    const { db, now } = this.store;
    const isUnknown = (row: Row) => row.and([row('key', '=', key), row('state', '=', 'unknown')]);
    const changed =
      settlement.outcome === 'executed'
        ? db
            .updateTable('toolcrib_ledger')
            .set({
              state: 'finished',
              result: toJsonColumn({ success: true, result: settlement.result ?? null }),
              token: null,
              updated_at: now,
            })
            .where(isUnknown)
            .returning(['key', 'waited'])
        : db.deleteFrom('toolcrib_ledger').where(isUnknown).returning(['key', 'waited']);
    return (await this.store.change(changed)) > 0;
  }

  /** Lets go of the database. Connections that the application opened stay open. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.waiters.fail(new StoreError('closed', 'The ledger is closed.'));
    await this.store.close();
  }

  private async open(): Promise<void> {
    if (this.isClosed) throw new StoreError('closed', 'The ledger is closed.');
    await this.ready();
  }

  private async insert(claim: LedgerClaim, token: string): Promise<boolean> {
    const rows = await this.store.db
      .insertInto('toolcrib_ledger')
      .values({
        key: claim.key,
        argument_hash: claim.argumentHash,
        tool: claim.tool,
        principal_id: claim.principalId === null ? null : toColumn(claim.principalId),
        state: 'running',
        token,
        result: null,
        waited: 0,
        ...this.said(claim),
      })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returning('key')
      .execute();
    return rows.length > 0;
  }

  /** Takes up a paused claim again. */
  private async enter(claim: LedgerClaim, token: string): Promise<boolean> {
    const rows = await this.store.db
      .updateTable('toolcrib_ledger')
      .set({
        state: 'running',
        token,
        ...this.said(claim),
        waited: 0,
      })
      .where('key', '=', claim.key)
      .where('state', '=', 'paused')
      .where('argument_hash', '=', claim.argumentHash)
      .where((row) =>
        claim.principalId === null
          ? row('principal_id', 'is', null)
          : row('principal_id', '=', toColumn(claim.principalId)),
      )
      .returning('key')
      .execute();
    return rows.length > 0;
  }

  /** What every claim says anew, a paused one too. */
  private said({ callId, arguments: args, compensation, leaseMs }: LedgerClaim) {
    const { now } = this.store;
    return {
      call_id: toColumn(callId),
      arguments: toJsonColumn(args),
      compensation: compensation === undefined ? null : toColumn(compensation),
      claimed_at: now,
      updated_at: now,
      lease_ends_at: sql<number>`${now} + ${sql.lit(Math.ceil(leaseMs))}`,
    };
  }

  private async current(key: string): Promise<LedgerEntry | undefined> {
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

  private leaseLeft() {
    return sql<number>`${sql.ref('lease_ends_at')} - ${this.store.now}`;
  }

  /** Makes unknown what runs beyond its lease. */
  private async expire(key?: string): Promise<void> {
    await this.store.db
      .updateTable('toolcrib_ledger')
      .set({ state: 'unknown', updated_at: this.store.now })
      .where('state', '=', 'running')
      .where('lease_ends_at', '<=', this.store.now)
      .$if(key !== undefined, (query) => query.where('key', '=', key ?? ''))
      .execute();
  }

  private async look(keys: readonly string[]): Promise<Look> {
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

  private async removeOld(retentionMs: number): Promise<number> {
    const { db, now } = this.store;
    const old = db
      .selectFrom('toolcrib_ledger')
      .select('key')
      .where('state', 'in', ['finished', 'paused'])
      .where('updated_at', '<', sql<number>`${now} - ${sql.lit(Math.ceil(retentionMs))}`)
      .orderBy('updated_at')
      .limit(BATCH);
    const { numDeletedRows } = await db
      .deleteFrom('toolcrib_ledger')
      .where('key', 'in', old)
      // A paused one may have been taken up in between.
      .where('state', 'in', ['finished', 'paused'])
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}

function isSameCall(entry: LedgerEntry, claim: LedgerClaim): boolean {
  return entry.principalId === claim.principalId && entry.argumentHash === claim.argumentHash;
}
