/**
 * The tables of the stores, in SQLite and Postgres alike.
 * Invariant: a time is milliseconds since 1970 by the clock of the store, and a value is JSON text.
 */
import type { Kysely, OperationNodeSource, RawBuilder } from 'kysely';
import type { ApprovalState } from '../contract/approval';
import type { LedgerState } from '../contract/ledger';

/** `toolcrib_ledger`: one row for each key that is not free. */
export interface LedgerTable {
  key: string;
  argument_hash: string;
  /** Null where nobody has edited the arguments. */
  edited_hash: string | null;
  tool: string;
  /** As text of JSON without its quotes: Postgres takes no NUL. */
  principal_id: string | null;
  call_id: string;
  state: LedgerState;
  /** The holder's; where nobody may end the claim null, or a text that tells who has. */
  token: string | null;
  result: string | null;
  arguments: string | null;
  compensation: string | null;
  /** 1 where another process wants to hear of the end. */
  waited: number;
  claimed_at: number;
  updated_at: number;
  lease_ends_at: number;
}

/** `toolcrib_approvals`: one row for each request. */
export interface ApprovalTable {
  id: string;
  /** Null once the decision was taken, so that of one binding at most one request is open. */
  binding: string | null;
  state: ApprovalState;
  request: string;
  decision: string | null;
  decided_by: string | null;
  created_at: number;
  expires_at: number;
}

/** `toolcrib_audit`: one row for each record, which is never changed. */
interface AuditTable {
  sequence: number;
  hash: string;
  /** The record as its line of JSON. */
  line: string;
}

/** What Kysely's migrator keeps. */
interface MigrationTable {
  name: string;
  timestamp: string;
}

/** All tables. */
export interface StoreTables {
  toolcrib_ledger: LedgerTable;
  toolcrib_approvals: ApprovalTable;
  toolcrib_audit: AuditTable;
  toolcrib_migrations: MigrationTable;
  toolcrib_audit_migrations: MigrationTable;
}

/** A change of the ledger that gives what it changed: a query builder of Kysely. */
export interface LedgerChange extends OperationNodeSource {
  execute(): Promise<readonly { readonly key: string; readonly waited: number }[]>;
}

/** Hears of changes that other processes make to the ledger. */
export interface Hearing {
  /** Called when somebody begins to wait and nobody did; `wake` is to be called when something may have changed. */
  start(wake: () => void): void;
  /** Called when nobody waits any more. */
  stop(): void;
  /** How long until the next look, in milliseconds, after so many looks in a row that found nothing. */
  delay(looks: number): number;
}

/** Milliseconds since 1970 by the clock of a store. */
export async function timeOf({ db, now }: Pick<Store, 'db' | 'now'>): Promise<number> {
  const { ms } = await db.selectNoFrom(now.as('ms')).executeTakeFirstOrThrow();
  // Postgres gives a bigint as text.
  return Number(ms);
}

/** What the stores need of a database. */
export interface Store {
  readonly db: Kysely<StoreTables>;
  /** The clock of the store, as SQL. */
  readonly now: RawBuilder<number>;
  readonly hearing: Hearing;
  /** Whether those who wait must say so in the row. */
  readonly tells: boolean;
  /** Runs a change that gives `key` and `waited`, and tells other processes; gives how many rows it changed. */
  change(changed: LedgerChange): Promise<number>;
  /** Runs the migrations while no other process does. `schema` is where the tables go; undefined: there is one. */
  migrating<T>(act: (db: Kysely<StoreTables>, schema: string | undefined) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
