/**
 * `toolcrib/stores/sqlite`: the ledger and the requests for approval in a SQLite file, for one machine.
 * Invariant: libsql is loaded when a file is opened, and not before.
 */
import { refuseUnknownKeys } from '../../discovery/check-options';
import { StoredApprovals, type StoredApprovalsOptions } from '../approvals';
import { StoredLedger, type StoredLedgerOptions } from '../ledger';
import { opened } from '../opened';
import type { SqliteDatabase, SqliteStatement } from './connection';
import { openSqlite, type SqliteSource } from './open';

export type { SqliteDatabase, SqliteSource, SqliteStatement };

/** Where a {@link SqliteLedger} is, and how long it keeps entries. */
export type SqliteLedgerOptions = SqliteSource & StoredLedgerOptions;

/** Where {@link SqliteApprovals} are. */
export type SqliteApprovalsOptions = SqliteSource & StoredApprovalsOptions;

/** A ledger in a SQLite file, which several processes of one machine may share. */
export class SqliteLedger extends StoredLedger {
  /** Opens a ledger. Close it with `close()`. */
  static async open(options: SqliteLedgerOptions): Promise<SqliteLedger> {
    refuseUnknownKeys('SqliteLedger.open', options, ['file', 'database', 'migrate', 'retentionMs']);
    return opened(new SqliteLedger(openSqlite(options), options), options);
  }
}

/** Requests for approval in a SQLite file, which several processes of one machine may share. */
export class SqliteApprovals extends StoredApprovals {
  /** Opens a store. Close it with `close()`. */
  static async open(options: SqliteApprovalsOptions): Promise<SqliteApprovals> {
    refuseUnknownKeys('SqliteApprovals.open', options, ['file', 'database', 'migrate']);
    return opened(new SqliteApprovals(openSqlite(options)), options);
  }
}
