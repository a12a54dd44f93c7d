/**
 * `toolcrib/audit`: audit trails in files, those that a function writes, and their verification; who may call what.
 * Invariant: it loads no optional peer.
 */
export type { AuditErrorCode } from './audit-error';
export { AuditError } from './audit-error';
export type { FileAuditOptions } from './file-audit';
export { FileAudit } from './file-audit';
export type { FunctionSink, WriteLine } from './function-sink';
export { functionSink } from './function-sink';
export { readAudit } from './lines';
export type { ScopeWay } from './permissions/access';
export {
  PERMISSION_FINDINGS,
  type PermissionFinding,
  type PermissionFindingCode,
  type PermissionPlace,
  SEVERITIES,
  type Severity,
} from './permissions/findings';
export { type Grant, type Grants, toGrants } from './permissions/grants';
export type {
  PermissionReport,
  PermittedCaller,
  ReviewedPrincipal,
  ReviewedScope,
  ReviewedTool,
  ToolAccessRule,
  ToolApproval,
} from './permissions/report';
export { type PermissionReviewOptions, type ReviewedToolkit, reviewPermissions } from './permissions/review';
export type { CallCounts, TrailPeriod } from './permissions/use';
export type { AuditProblem, AuditProblemCode, AuditVerification, VerifyAuditOptions } from './verify';
export { verifyAudit } from './verify';
