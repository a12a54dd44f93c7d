/**
 * The permission review: tools, scopes, side effects and owners against grants and the trail of what was done.
 * Invariant: it calls no tool and changes nothing; a report is made only of grants that are whole.
 */
import type { AuditEvent } from '../../contract/audit';
import type { ScopeCover } from '../../contract/principal';
import type { ToolSpec } from '../../contract/tool';
import type { ApprovalRule } from '../../invocation/approval/approvals';
import { Access, toHolders } from './access';
import { byText, inOrder } from './findings';
import { type Grants, toGrants } from './grants';
import { findInPrincipals } from './principal-findings';
import { type PermissionReport, toReport } from './report';
import { findBroad, findGranted, findUngranted } from './scope-findings';
import { findInTools, findMixed, findVersions } from './tool-findings';
import { Use } from './use';
import { findInUse } from './use-findings';

/** As much of a toolkit as a review looks at. */
export interface ReviewedToolkit {
  readonly registry: {
    list(): readonly ToolSpec[];
    readonly scopes: readonly string[] | undefined;
    readonly covers: ScopeCover;
  };
  readonly approvals: { readonly asks: ApprovalRule };
}

/** What is reviewed. */
export interface PermissionReviewOptions {
  readonly toolkit: ReviewedToolkit;
  /** Who holds what, or a function that asks, say, an identity provider. */
  readonly grants: Grants | (() => Grants | Promise<Grants>);
  /** The records of the audit trail; left out: nothing is said about use. */
  readonly trail?: Iterable<AuditEvent> | AsyncIterable<AuditEvent>;
}

async function toUse(trail: PermissionReviewOptions['trail']): Promise<Use | undefined> {
  if (trail === undefined) return undefined;
  const use = new Use();
  for await (const record of trail) use.add(record);
  return use;
}

/**
 * Reviews who may call what.
 *
 * @throws TypeError where the grants are not whole; whatever the function of the grants, or the trail, throws.
 */
export async function reviewPermissions(options: PermissionReviewOptions): Promise<PermissionReport> {
  const { registry, approvals } = options.toolkit;
  const given = typeof options.grants === 'function' ? await options.grants() : options.grants;
  const grants = toGrants(given);
  const use = await toUse(options.trail);
  const { asks } = approvals;
  const access = new Access({ specs: registry.list(), holders: toHolders(grants), covers: registry.covers });
  const approving = [...new Set(grants.approvalScopes)].sort(byText);
  const names = { taxonomy: registry.scopes, approving };
  const mixed = findMixed(access);
  const findings = inOrder([
    ...findInTools(access, asks),
    ...findVersions(access),
    ...mixed,
    ...findGranted(access, names),
    ...findUngranted(access, names),
    ...findBroad(access, new Set(mixed.map(({ scope }) => scope))),
    ...findInPrincipals(access, asks, approving),
    ...(use === undefined ? [] : findInUse(access, use)),
  ]);
  return toReport({ access, asks, taxonomy: registry.scopes ?? [], approving, use, findings });
}
