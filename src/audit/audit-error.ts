/**
 * What an operator of an audit trail can mend.
 * Invariant: the message says what is wrong, where, and what to do.
 */

/**
 * The closed set of codes: another process writes the file; its last record is not sound; it ends before its recorded
 * head; it was moved, removed or changed while it was written; it cannot be opened; it was closed, or another process
 * has taken it over.
 */
export type AuditErrorCode = 'locked' | 'broken' | 'truncated' | 'changed' | 'unusable_file' | 'closed';

/** An audit trail that cannot be used as it is. */
export class AuditError extends Error {
  readonly code: AuditErrorCode;

  constructor(code: AuditErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AuditError';
    this.code = code;
  }
}
