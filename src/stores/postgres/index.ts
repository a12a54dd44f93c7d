/**
 * `toolcrib/stores/postgres`: the ledger, the requests for approval and the audit trail in Postgres, for any number of processes.
 * Invariant: pg is loaded when a connection string is opened, and not before.
 */
import { refuseUnknownKeys } from '../../discovery/check-options';
import { StoredApprovals, type StoredApprovalsOptions } from '../approvals';
import { StoredLedger, type StoredLedgerOptions } from '../ledger';
import { opened } from '../opened';
import { openPostgres } from './open';
import type { PostgresClient, PostgresPool, PostgresSource } from './pool';

export type { PostgresAuditOptions } from './audit';
export { PostgresAudit } from './audit';
export type { PostgresClient, PostgresPool, PostgresSource };

/** Where a {@link PostgresLedger} is, and how long it keeps entries. */
export type PostgresLedgerOptions = PostgresSource & StoredLedgerOptions;

/** Where {@link PostgresApprovals} are. */
export type PostgresApprovalsOptions = PostgresSource & StoredApprovalsOptions;

/** A ledger in Postgres, which any number of processes may share. */
export class PostgresLedger extends StoredLedger {
  /** Opens a ledger, which connects when it is first used. Close it with `close()`. */
  static async open(options: PostgresLedgerOptions): Promise<PostgresLedger> {
    refuseUnknownKeys('PostgresLedger.open', options, ['url', 'pool', 'migrate', 'retentionMs']);
    return opened(new PostgresLedger(openPostgres(options), options), options);
  }
}

/** Requests for approval in Postgres, which any number of processes may share. */
export class PostgresApprovals extends StoredApprovals {
  /** Opens a store, which connects when it is first used. Close it with `close()`. */
  static async open(options: PostgresApprovalsOptions): Promise<PostgresApprovals> {
    refuseUnknownKeys('PostgresApprovals.open', options, ['url', 'pool', 'migrate']);
    return opened(new PostgresApprovals(openPostgres(options)), options);
  }
}
