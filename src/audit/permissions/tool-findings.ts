/**
 * What a review finds in a tool: who may call it, and what it says of itself.
 * Invariant: each finding follows from the declarations, the grants and the approval of the toolkit alone.
 */
import type { ToolSpec } from '../../contract/tool';
import type { ApprovalRule } from '../../invocation/approval/approvals';
import { type Access, hasEffect } from './access';
import { byText, finding, type PermissionFinding } from './findings';
import { grouped } from './grouped';

function inWords(scopes: readonly string[] | undefined): string {
  if (scopes === undefined) return 'undecided';
  return scopes.length === 0 ? 'none' : scopes.join(' and ');
}

function ofDeclaration({ key, owner, scopes, sideEffect }: ToolSpec): readonly PermissionFinding[] {
  const place = { tool: key };
  const { kind, declared } = sideEffect;
  return [
    ...(owner === undefined ? [finding('missing_owner', place, 'The tool has no owner.')] : []),
    ...(declared ? [] : [finding('undeclared_side_effect', place, 'The tool declares no side effect.')]),
    ...(scopes === undefined
      ? [finding('undecided_scopes', place, 'The tool does not say which scopes it asks for.')]
      : []),
    ...(scopes?.length === 0
      ? [
          kind === 'none'
            ? finding('open_tool', place, 'The tool asks for no scope.')
            : finding('open_effect', place, `The tool asks for no scope, and its side effect is ${kind}.`),
        ]
      : []),
  ];
}

function ofApproval({ key, sideEffect }: ToolSpec, asks: ApprovalRule): readonly PermissionFinding[] {
  if (sideEffect.kind !== 'destructive' || asks === 'destructive') return [];
  const place = { tool: key };
  if (asks === 'policy') {
    return [
      finding('approval_by_policy', place, 'A policy of the application decides whether a person is asked.'),
    ];
  }
  return [
    finding('unapproved_destructive', place, 'The tool is destructive, and nobody is asked before it runs.'),
  ];
}

function ofCallers(spec: ToolSpec, access: Access): readonly PermissionFinding[] {
  const { key, scopes = [], sideEffect, deprecated } = spec;
  if (scopes.length === 0) return [];
  const callers = access.callersOf(spec);
  const place = { tool: key };
  if (callers.length === 0) {
    const missing = scopes.filter((required) => !access.held.some((held) => access.covers(held, required)));
    const why = missing.length === 0 ? 'nobody holds them together' : `nobody holds ${inWords(missing)}`;
    return [finding('uncallable_tool', place, `The tool asks for ${inWords(scopes)}; ${why}.`)];
  }
  const ids = () => callers.map(({ holder }) => holder.id).join(', ');
  const isByName = callers.some(({ ways }) => ways.every(({ required, held }) => required === held));
  const broad = () => [...new Set(callers.flatMap(({ ways }) => ways.map(({ held }) => held)))].sort(byText);
  return [
    ...(sideEffect.kind === 'destructive' && !isByName
      ? [
          finding(
            'hierarchy_only',
            place,
            `The tool asks for ${inWords(scopes)}; ${ids()} may call it by ${broad().join(', ')}.`,
          ),
        ]
      : []),
    ...(deprecated === false
      ? []
      : [finding('deprecated_granted', place, `The tool is deprecated, and ${ids()} may call it.`)]),
  ];
}

/** What is found in each tool by itself. */
export function findInTools(access: Access, asks: ApprovalRule): readonly PermissionFinding[] {
  return access.specs.flatMap((spec) => [
    ...ofDeclaration(spec),
    ...ofApproval(spec, asks),
    ...ofCallers(spec, access),
  ]);
}

/** Versions of one tool that ask for different scopes; the place is the last of them. */
export function findVersions({ specs }: Access): readonly PermissionFinding[] {
  const byName = grouped(specs.map((spec) => [spec.name, spec]));
  return [...byName.values()].flatMap((versions) => {
    const asked = versions.map(({ scopes }) => scopes && [...new Set(scopes)].sort(byText));
    const last = versions.at(-1);
    if (last === undefined || new Set(asked.map((scopes) => JSON.stringify(scopes ?? null))).size < 2)
      return [];
    const words = versions.map(({ version }, index) => `${version}: ${inWords(asked[index])}`);
    return [finding('version_scope_change', { tool: last.key }, `Its versions ask for ${words.join('; ')}.`)];
  });
}

/** Scopes with which tools that read are called, and that are all that tools with effects ask for. */
export function findMixed(access: Access): readonly PermissionFinding[] {
  const reading = access.specs.filter((spec) => !hasEffect(spec));
  const readScopes = [...new Set(reading.flatMap(({ scopes }) => scopes ?? []))].sort(byText);
  const changing = access.specs.filter(
    (spec) =>
      hasEffect(spec) &&
      spec.scopes !== undefined &&
      spec.scopes.length > 0 &&
      spec.scopes.every((required) => readScopes.some((held) => access.covers(held, required))),
  );
  return readScopes.flatMap((scope) => {
    const changed = changing.filter(({ scopes }) => scopes?.some((one) => access.covers(scope, one)));
    if (changed.length === 0) return [];
    const read = reading.filter(({ scopes }) => scopes?.includes(scope));
    const keys = (specs: readonly ToolSpec[]) => specs.map(({ key }) => key).join(', ');
    return [
      finding(
        'mixed_scope',
        { scope },
        `The scope opens ${keys(read)} to read, and ${keys(changed)} to change.`,
      ),
    ];
  });
}
