/**
 * What a review finds in the principals: named twice, able to do everything, or to decide on what they ask for.
 * Invariant: entries are one principal's only where their ids are the same text; what merely looks alike is told.
 */
import type { ApprovalRule } from '../../invocation/approval/approvals';
import { type Access, type Holder, hasEffect } from './access';
import { finding, type PermissionFinding } from './findings';
import { lettersOf } from './near';

function ofEntries({ id, entries }: Holder, alike: readonly string[]): readonly PermissionFinding[] {
  const place = { principal: id };
  const words = `${entries} entries of the grants name the principal; what they give is added up.`;
  return [
    ...(entries > 1 ? [finding('duplicate_principal', place, words)] : []),
    ...alike.map((other) =>
      finding(
        'duplicate_principal',
        place,
        `The id reads like ${JSON.stringify(other)}, which is another principal to the toolkit.`,
      ),
    ),
  ];
}

function ofReach(holder: Holder, access: Access, closed: number): readonly PermissionFinding[] {
  const reached = access.toolsOf(holder);
  // Where there is but one thing to hold, everything says little.
  if (access.required.length < 2 || reached.size < closed) return [];
  const words = `The principal may call all ${closed} tools that ask for scopes.`;
  return [finding('holds_everything', { principal: holder.id }, words)];
}

/** Tells whether a principal may decide on approvals, as far as the grants say. */
export function isApprover({ scopes }: Holder, access: Access, approving: readonly string[]): boolean {
  return approving.some((required) => scopes.some((held) => access.covers(held, required)));
}

/** What is found in a principal that may decide on approvals. */
function ofDecisions(holder: Holder, access: Access, asks: ApprovalRule): readonly PermissionFinding[] {
  const asked = [...access.toolsOf(holder)].filter((spec) =>
    asks === 'policy' ? hasEffect(spec) : spec.sideEffect.kind === 'destructive',
  );
  if (asked.length === 0) return [];
  const keys = asked.map(({ key }) => key).join(', ');
  const words = `The principal may decide on approvals, and may call ${keys}.`;
  return [finding('approver_can_call', { principal: holder.id }, words)];
}

/** What is found in each principal. */
export function findInPrincipals(
  access: Access,
  asks: ApprovalRule,
  approving: readonly string[],
): readonly PermissionFinding[] {
  const closed = access.specs.filter(({ scopes }) => scopes !== undefined && scopes.length > 0).length;
  const byLetters = new Map<string, readonly string[]>();
  return access.holders.flatMap((holder) => {
    const letters = lettersOf(holder.id);
    const alike = letters === '' ? [] : (byLetters.get(letters) ?? []);
    byLetters.set(letters, [...alike, holder.id]);
    return [
      ...ofEntries(holder, alike),
      ...ofReach(holder, access, closed),
      ...(asks !== 'never' && isApprover(holder, access, approving) ? ofDecisions(holder, access, asks) : []),
    ];
  });
}
