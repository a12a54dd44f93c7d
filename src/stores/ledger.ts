/**
 * The ledger that SQLite and Postgres share.
 * Invariant: every step is one statement, which the database runs as a whole or not at all.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Expression, type ExpressionBuilder, type SqlBool, sql, type Updateable } from 'kysely';
import type {
  Ledger,
  LedgerAnswer,
  LedgerClaim,
  LedgerEntry,
  LedgerOutcome,
  LedgerQuery,
  Settlement,
} from '../contract/ledger';
import { readSettlement } from '../invocation/ledger/settlement';
import { judgeKnown } from '../invocation/mapping/built-in';
import { migrate, tablesCheck } from './migrations';
import { Reader } from './reader';
import { BATCH, sweeper } from './sweeper';
import { type LedgerChange, type LedgerTable, type Store, type StoreTables, timeOf } from './tables';
import { toColumn, toJsonColumn } from './text';
import { Waiters } from './waiters';
import { closed, Work } from './work';

/** How long after a connection broke the end of a claim is recorded over another. */
const PAUSE_MS = 100;
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
  private readonly reader: Reader;
  private readonly waiters: Waiters;
  private readonly work: Work;
  private readonly sweep: () => void;

  /** @internal */
  constructor(
    private readonly store: Store,
    { retentionMs = DEFAULT_RETENTION_MS }: StoredLedgerOptions,
  ) {
    if (!(Number.isFinite(retentionMs) && retentionMs >= 0)) {
      throw new TypeError(`retentionMs is ${String(retentionMs)}; give milliseconds, or leave it out.`);
    }
    this.reader = new Reader(store);
    this.waiters = new Waiters((keys) => this.reader.look(keys), store.hearing);
    this.work = new Work(tablesCheck(store));
    this.sweep = sweeper(() => this.work.run(() => this.removeOld(retentionMs)));
  }

  /** Brings the tables to the newest version; gives the names of the migrations that it ran. */
  migrate(): Promise<readonly string[]> {
    return migrate(this.store);
  }

  /** {@inheritDoc Ledger.claim} */
  async claim(claim: LedgerClaim): Promise<LedgerAnswer> {
    const token = randomUUID();
    return this.work.run(async () => {
      this.sweep();
      try {
        return await this.claimAs(token, claim);
      } catch (error) {
        // The statement may have arrived although its answer did not.
        void this.end(claim.key, token, { state: 'free' }).catch(() => {});
        throw error;
      }
    });
  }

  /** {@inheritDoc Ledger.end} */
  async end(key: string, token: string, outcome: LedgerOutcome): Promise<boolean> {
    return this.work.run(async () => {
      try {
        return await this.endOnce(key, token, outcome);
      } catch (error) {
        if (!brokeHalfway(error)) throw error;
        // The other connections of a pool may have broken too, and it has yet to hear of it.
        await pause(PAUSE_MS);
        return (await this.endOnce(key, token, outcome)) || this.hasEnded(key, token, outcome);
      }
    });
  }

  /** Milliseconds since 1970 by the clock of the store, by which leases end. */
  async storeTime(): Promise<number> {
    return this.work.run(() => timeOf(this.store));
  }

  /** {@inheritDoc Ledger.settled} */
  async settled(key: string, signal: AbortSignal): Promise<LedgerEntry | undefined> {
    return this.work.run(async () => {
      const entry = await this.reader.current(key);
      if (entry?.state !== 'running' || signal.aborted) return entry;
      if (this.work.isClosed) throw closed();
      const found = await this.waiters.wait(key, signal);
      return found === 'aborted' ? this.reader.current(key) : found;
    });
  }

  /** {@inheritDoc Ledger.get} */
  async get(key: string): Promise<LedgerEntry | undefined> {
    return this.work.run(() => this.reader.current(key));
  }

  /** {@inheritDoc Ledger.list} */
  async list(query: LedgerQuery = {}): Promise<readonly LedgerEntry[]> {
    return this.work.run(() => this.reader.list(query));
  }

  /** {@inheritDoc Ledger.settle} */
  async settle(key: string, settlement: Settlement): Promise<boolean> {
    const result = readSettlement(settlement);
    const isUnknown = (row: Row) => row.and([row('key', '=', key), row('state', '=', 'unknown')]);
    return this.work.run(async () => {
      await this.reader.expire(key);
      if (result === undefined) return this.remove(isUnknown);
      return this.change(isUnknown, { state: 'finished', result: toJsonColumn(result), token: null });
    });
  }

  /** Lets go of the database when what runs has ended. Connections that the application opened stay open. */
  close(): Promise<void> {
    const closing = this.work.close(() => this.store.close());
    this.waiters.fail(closed());
    return closing;
  }

  private async claimAs(token: string, claim: LedgerClaim): Promise<LedgerAnswer> {
    for (;;) {
      if (await this.insert(claim, token)) return { claimed: true, token };
      const entry = await this.reader.current(claim.key);
      // It was freed in between.
      if (entry === undefined) continue;
      if (!isSameCall(entry, claim) || entry.state !== 'paused') return { claimed: false, entry };
      if (await this.enter(claim, token)) return { claimed: true, token };
    }
  }

  private endOnce(key: string, token: string, outcome: LedgerOutcome): Promise<boolean> {
    const isHeld = (row: Row) =>
      row.and([row('key', '=', key), row('token', '=', token), row('state', 'in', ['running', 'unknown'])]);
    const { state } = outcome;
    if (state === 'free') return this.remove(isHeld);
    return this.change(isHeld, {
      state,
      result: state === 'finished' ? toJsonColumn(outcome.result) : null,
      // Who says that nobody knows may still learn it.
      ...(state === 'unknown' ? {} : { token: endedBy(token) }),
    });
  }

  /** Whether an end was recorded although its answer did not arrive. A key that was freed leaves no trace. */
  private async hasEnded(key: string, token: string, { state }: LedgerOutcome): Promise<boolean> {
    const row = await this.store.db
      .selectFrom('toolcrib_ledger')
      .select(['state', 'token'])
      .where('key', '=', key)
      .executeTakeFirst();
    const hasEnded =
      row === undefined ? state === 'free' : row.state === state && row.token === endedBy(token);
    if (hasEnded) this.waiters.wake();
    return hasEnded;
  }

  private async change(
    which: (row: Row) => Expression<SqlBool>,
    values: Pick<Updateable<LedgerTable>, 'state' | 'result' | 'token'>,
  ): Promise<boolean> {
    const { db, now } = this.store;
    const update = db
      .updateTable('toolcrib_ledger')
      .set({ ...values, updated_at: now })
      .where(which)
      .returning(['key', 'waited']);
    return this.told(update);
  }

  private async remove(which: (row: Row) => Expression<SqlBool>): Promise<boolean> {
    return this.told(this.store.db.deleteFrom('toolcrib_ledger').where(which).returning(['key', 'waited']));
  }

  /** Makes a change, and wakes those who wait. */
  private async told(changed: LedgerChange): Promise<boolean> {
    const isChanged = (await this.store.change(changed)) > 0;
    if (isChanged) this.waiters.wake();
    return isChanged;
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
  private said({ callId, editedHash, arguments: args, compensation, leaseMs }: LedgerClaim) {
    const { now } = this.store;
    return {
      call_id: toColumn(callId),
      edited_hash: editedHash ?? null,
      arguments: toJsonColumn(args),
      compensation: compensation === undefined ? null : toColumn(compensation),
      claimed_at: now,
      updated_at: now,
      lease_ends_at: sql<number>`${now} + ${sql.lit(Math.ceil(leaseMs))}`,
    };
  }

  private async removeOld(retentionMs: number): Promise<number> {
    const { db, now } = this.store;
    const old = db
      .selectFrom('toolcrib_ledger')
      .select('key')
      .where('state', 'in', ['finished', 'paused'])
      .where('updated_at', '<=', sql<number>`${now} - ${sql.lit(Math.ceil(retentionMs))}`)
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

/** What stands in place of the token of a holder who has ended the claim; it is nobody's token. */
function endedBy(token: string): string {
  return `ended ${token}`;
}

/** Tells the loss of a connection over which a statement may have arrived. */
function brokeHalfway(error: unknown): boolean {
  const verdict = judgeKnown(error);
  return verdict?.retryable === true && verdict.started;
}

function isSameCall(entry: LedgerEntry, claim: LedgerClaim): boolean {
  return entry.principalId === claim.principalId && entry.argumentHash === claim.argumentHash;
}
