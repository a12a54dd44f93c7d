/**
 * Lists the public names of `toolcrib/audit`, so that a change to them is seen.
 * Invariant: it exports exactly these, types included.
 */
import { namesOf } from './source-files';

describe('the public names', () => {
  it('of audit', () => {
    expect(namesOf('src/audit/index.ts')).toMatchInlineSnapshot(`
[
  "AuditError",
  "AuditErrorCode",
  "AuditProblem",
  "AuditProblemCode",
  "AuditVerification",
  "CallCounts",
  "FileAudit",
  "FileAuditOptions",
  "FunctionSink",
  "Grant",
  "Grants",
  "PERMISSION_FINDINGS",
  "PermissionFinding",
  "PermissionFindingCode",
  "PermissionPlace",
  "PermissionReport",
  "PermissionReviewOptions",
  "PermittedCaller",
  "ReviewedPrincipal",
  "ReviewedScope",
  "ReviewedTool",
  "ReviewedToolkit",
  "SEVERITIES",
  "ScopeWay",
  "Severity",
  "ToolAccessRule",
  "ToolApproval",
  "TrailPeriod",
  "VerifyAuditOptions",
  "WriteLine",
  "functionSink",
  "readAudit",
  "reviewPermissions",
  "toGrants",
  "verifyAudit",
]
`);
  });
});
