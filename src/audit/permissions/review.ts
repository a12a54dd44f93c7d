/**
 * The permission review: tools, scopes, side effects and owners against grants and the trail of what was done.
 * Invariant: it calls no tool and changes nothing; a report is made only of grants that are whole.
 */
import type { AuditEvent } from '../../contract/audit';
import type { ScopeCover } from '../../contract/principal';
import type { ToolSpec } from '../../contract/tool';
import { refuseUnknownKeys } from '../../discovery/check-options';
import type { ApprovalRule } from '../../invocation/approval/approvals';
import { memberOf } from '../../metadata/members';
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
  /** The records of the audit trail, as `readAudit` gives them; left out: nothing is said about use. */
  readonly trail?: Iterable<AuditEvent> | AsyncIterable<AuditEvent>;
}

const OPTIONS: readonly (keyof PermissionReviewOptions)[] = ['toolkit', 'grants', 'trail'];

function isToolkit(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const registry = memberOf(value, 'registry');
  const approvals = memberOf(value, 'approvals');
  if (typeof registry !== 'object' || registry === null) return false;
  return (
    typeof memberOf(registry, 'list') === 'function' && typeof approvals === 'object' && approvals !== null
  );
}

function isRecords(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Symbol.iterator in value || Symbol.asyncIterator in value;
}

/** Refuses what a review cannot be made of; JavaScript gives whatever it likes. */
function checkOptions(options: PermissionReviewOptions): void {
  const what = 'reviewPermissions';
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`${what}: give options, as in { toolkit, grants }.`);
  }
  refuseUnknownKeys(what, options, OPTIONS);
  const { toolkit, trail } = options;
  if (!isToolkit(toolkit)) throw new TypeError(`${what}: toolkit is none; give what createToolkit gave.`);
  if (trail === undefined || isRecords(trail)) return;
  const file = `'${typeof trail === 'string' ? trail : 'audit.jsonl'}'`;
  throw new TypeError(`${what}: trail is no list of records; write trail: readAudit(${file}).`);
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
 * @throws TypeError where an option is wrong or the grants are not whole; whatever the function of the grants, or the trail, throws.
 */
export async function reviewPermissions(options: PermissionReviewOptions): Promise<PermissionReport> {
  checkOptions(options);
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
