/**
 * `toolcrib/audit`: who may call what, and what was done.
 * Invariant: named exports only.
 */
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
