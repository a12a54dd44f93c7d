/**
 * The words of a permission report that its forms for people share.
 * Invariant: each word that a report uses without saying what it means stands in the list of words.
 */
import type { PermissionFinding } from '../../audit/permissions/findings';
import type { PermissionReport, PermittedCaller, ReviewedTool } from '../../audit/permissions/report';

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
  ['owner', 'the team that answers for the tool'],
  [
    'trail',
    'the record of what was called; calls of tools without side effects are in it only where they were denied',
  ],
];

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
  const missing = trail.missing === 0 ? '' : `, ${trail.missing} more are missing`;
  return `${trail.from} to ${trail.to}, ${trail.records} records${missing}`;
}

/** Of which calls a person is asked, in words. */
export function approvalInWords({ summary: { approval } }: PermissionReport): string {
  const words = {
    never: 'nobody is asked',
    destructive: 'a person is asked before a destructive tool runs',
    policy: 'a policy of the application decides call by call',
  };
  return words[approval];
}
