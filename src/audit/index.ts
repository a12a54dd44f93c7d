/**
 * `toolcrib/audit`: audit trails in files, those that a function writes, and their verification.
 * Invariant: it loads no optional peer.
 */
export type { AuditErrorCode } from './audit-error';
export { AuditError } from './audit-error';
export type { FileAuditOptions } from './file-audit';
export { FileAudit } from './file-audit';
export type { FunctionSink, WriteLine } from './function-sink';
export { functionSink } from './function-sink';
export { readAudit } from './lines';
export type { AuditProblem, AuditProblemCode, AuditVerification, VerifyAuditOptions } from './verify';
export { verifyAudit } from './verify';
