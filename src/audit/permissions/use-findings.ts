/**
 * What a review finds by comparing the grants with what the audit trail says was done.
 * Invariant: nothing is called unused that the trail would not show: calls of tools that only read are not in it.
 */
import { splitToolReference } from '../../contract/names';
import type { ToolSpec } from '../../contract/tool';
import { shortId } from '../../invocation/audit/events';
import { type Access, hasEffect } from './access';
import { byText, finding, type PermissionFinding } from './findings';
import { grouped } from './grouped';
import type { TrailPeriod, Use } from './use';

function inWords({ from, to, missing }: TrailPeriod): string {
  const gaps = missing === 0 ? '' : ` (${missing} records are missing from the trail)`;
  return `from ${from} to ${to}${gaps}`;
}

/** A trail that covers less says little about rights that are not used: some work is done once a month. */
const WORTH_DAYS = 30;
const DAY_MS = 86_400_000;

/** What is said otherwise where the trail is too short to take a right away for it. */
function ofShort({ from, to }: TrailPeriod): Partial<Pick<PermissionFinding, 'severity' | 'mend'>> {
  const days = Math.floor((Date.parse(to) - Date.parse(from)) / DAY_MS);
  if (days >= WORTH_DAYS) return {};
  const covered = days < 1 ? 'less than a day' : days === 1 ? '1 day' : `${days} days`;
  const mend = `Take nothing away yet: the trail covers ${covered}. Review again once it covers ${WORTH_DAYS} days.`;
  return { severity: 'info', mend };
}

/** The tools that a scope of a principal helps to open to it; undefined: some of them leave no trace when called. */
function traced(specs: readonly ToolSpec[]): readonly string[] | undefined {
  if (specs.length === 0 || !specs.every(hasEffect)) return undefined;
  return [...new Set(specs.map(({ name }) => name))];
}

function isUsed(use: Use, principal: string, names: readonly string[]): boolean {
  const used = new Set(use.namesUsedBy(principal));
  return names.some((name) => used.has(name));
}

function findUnused(access: Access, use: Use, period: TrailPeriod): readonly PermissionFinding[] {
  const when = inWords(period);
  const short = ofShort(period);
  return access.held.flatMap((scope) => {
    const holders = access.holdersOf(scope);
    const opened = access.openedBy(scope);
    const judged = holders.map((holder) => {
      const tools = access.toolsOf(holder);
      const names = traced(opened.filter((spec) => tools.has(spec)));
      return { holder, names };
    });
    const unused = judged.filter(
      ({ holder, names }) => names !== undefined && !isUsed(use, holder.id, names),
    );
    if (unused.length === 0) return [];
    const ids = unused.map(({ holder }) => holder.id);
    const names = [...new Set(unused.flatMap((one) => one.names ?? []))].sort(byText).join(', ');
    if (unused.length === holders.length) {
      const words = `Of ${ids.join(', ')} nobody called ${names} ${when}.`;
      return [finding('unused_scope', { scope }, words, short)];
    }
    return unused.map((one) => {
      const called = [...(one.names ?? [])].sort(byText).join(', ');
      const principal = one.holder.id;
      const words = `The principal did not call ${called} ${when}.`;
      return finding('unused_grant', { scope, principal }, words, short);
    });
  });
}

/** Tells tools that anyone may call, or a principal with these tools, in any of their versions. */
function mayCall(versions: readonly ToolSpec[] | undefined, tools: ReadonlySet<ToolSpec>): boolean {
  // A tool that is gone says nothing about what is granted now.
  return versions === undefined || versions.some((spec) => spec.scopes?.length === 0 || tools.has(spec));
}

type Versions = ReadonlyMap<string, readonly ToolSpec[]>;

function findNobody(versions: Versions, use: Use): readonly PermissionFinding[] {
  const closed = use.calledByNobody.filter(
    (tool) => !mayCall(versions.get(splitToolReference(tool).name), new Set()),
  );
  const words = 'The tool does not let everybody call it, and calls without a principal were let through.';
  return closed.map((tool) => finding('anonymous_call', { tool }, words));
}

function findStrangers(access: Access, versions: Versions, use: Use): readonly PermissionFinding[] {
  const listed = new Map(access.holders.map((holder) => [shortId(holder.id), holder]));
  return [...use.principals].sort(byText).flatMap((principal) => {
    const names = [...use.namesUsedBy(principal)].sort(byText);
    const holder = listed.get(principal);
    if (holder === undefined) {
      const denied = [...use.namesDeniedTo(principal)].sort(byText);
      const parts = [
        ...(names.length === 0 ? [] : [`called ${names.join(', ')}`]),
        ...(denied.length === 0 ? [] : [`was denied ${denied.join(', ')}`]),
      ];
      if (parts.length === 0) return [];
      return [finding('unlisted_principal', { principal }, `The principal ${parts.join(', and ')}.`)];
    }
    const beyond = names.filter((name) => !mayCall(versions.get(name), access.toolsOf(holder)));
    if (beyond.length === 0) return [];
    return [finding('beyond_grants', { principal }, `The principal called ${beyond.join(', ')}.`)];
  });
}

function findSelfApprovals(use: Use): readonly PermissionFinding[] {
  return use.selfApprovals.map(({ tool, principal }) =>
    finding('self_approved', { tool, principal }, 'The principal approved a call that it had made itself.'),
  );
}

/** What the use of the tools shows. */
export function findInUse(access: Access, use: Use): readonly PermissionFinding[] {
  const { period } = use;
  if (period === undefined) return [];
  const versions = grouped(access.specs.map((spec) => [spec.name, spec]));
  return [
    ...findUnused(access, use, period),
    ...findStrangers(access, versions, use),
    ...findNobody(versions, use),
    ...findSelfApprovals(use),
  ];
}
