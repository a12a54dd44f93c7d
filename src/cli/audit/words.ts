/**
 * The words of a permission report that its forms for people share.
 * Invariant: each word that a report uses without saying what it means stands in the list of words.
 */
import type { PermissionFinding } from '../../audit/permissions/findings';
import type { PermissionReport, PermittedCaller, ReviewedTool } from '../../audit/permissions/report';
import type { CallCounts } from '../../audit/permissions/use';

/** What each word of a report means. */
export const WORDS: readonly (readonly [word: string, meaning: string])[] = [
  ['tool', 'something that an AI model can ask the application to do, with its version after the @'],
  ['principal', 'who a call is made for: a person, a service or an agent, by the id that calls carry'],
  ['scope', 'a right; a tool asks for scopes, and whoever calls must hold all of them'],
  ['role', 'scopes that are granted together'],
  ['by name', 'the principal holds the very scopes that the tool asks for'],
  [
    'by hierarchy',
    'the principal holds a broader scope, which by the rules of the application covers one that is asked for',
  ],
  ['anyone', 'the tool asks for no scope on purpose; a caller need not be known'],
  ['nobody', 'nobody decided who may call, so that every call is refused'],
  ['side effect: none', 'a call changes nothing'],
  ['side effect: write', 'a call changes something that can be changed back'],
  ['side effect: destructive', 'a call does what cannot be taken back'],
  ['not declared', 'the author did not say what a call does, so the worst is assumed'],
  ['approval', 'a person is asked before the call runs; "policy": the application decides call by call'],
  [
    'decides on approvals: yes',
    'the principal holds a scope that the grants name as one by which the application lets somebody decide',
  ],
  [
    'decides on approvals: not known',
    'the grants name no such scope of the principal; whether it may decide otherwise, only the application knows',
  ],
  ['owner', 'the team that answers for the tool'],
  [
    'trail',
    'the record of what was called; calls of tools without side effects are in it only where they were denied',
  ],
  [
    'refused',
    'a call that the caller had the right to make, and that was answered before it ran: its input was wrong, say',
  ],
  ['denied', 'a call for which the caller lacked a scope'],
];

const OVER_MCP =
  'over MCP the person at the client may be the caller itself, unless the application sets clientApproves to false';

/** The side effect, and whether it was only assumed. */
export function sideEffectOf({ sideEffect, sideEffectDeclared }: ReviewedTool): string {
  return sideEffectDeclared ? sideEffect : `${sideEffect} (not declared)`;
}

/** How a caller comes by a tool: the scopes that it holds, with those that they cover where these are others. */
export function wayOf({ via }: PermittedCaller): string {
  return via.map(({ held, required }) => (held === required ? held : `${held} for ${required}`)).join(', ');
}

/** What a finding is about, in words. */
export function placeOf({ tool, scope, principal }: PermissionFinding): readonly string[] {
  return [tool, scope, principal].filter((one) => one !== undefined);
}

/** The time that the trail covers, in words. */
export function trailInWords({ summary: { trail } }: PermissionReport): string {
  if (trail === null) return 'none was given';
  const missing =
    trail.missing === 0 ? '' : `, ${trail.missing} more ${trail.missing === 1 ? 'is' : 'are'} missing`;
  return `${trail.from} to ${trail.to}, ${trail.records === 1 ? '1 record' : `${trail.records} records`}${missing}`;
}

/** What became of calls, in words. */
export function countsInWords({ calls, refused, denied }: CallCounts): string {
  const parts = [
    calls === 1 ? '1 call' : `${calls} calls`,
    ...(refused === 0 ? [] : [`${refused} refused`]),
    ...(denied === 0 ? [] : [`${denied} denied`]),
  ];
  return parts.join(', ');
}

/** Of which calls a person is asked, in words. */
export function approvalInWords({ summary: { approval } }: PermissionReport): string {
  const words = {
    never: 'nobody is asked',
    destructive: `a person is asked before a destructive tool runs; ${OVER_MCP}`,
    policy: `a policy of the application decides call by call whether a person is asked; ${OVER_MCP}`,
  };
  return words[approval];
}
