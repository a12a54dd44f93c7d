/**
 * What a review finds in the scopes: granted and needed by nothing, needed and granted to nobody, misspelt, broad.
 * Invariant: a scope that an application names, asks for or covers something with is never called unknown.
 */
import type { ToolSpec } from '../../contract/tool';
import { type Access, hasEffect } from './access';
import { byText, finding, type PermissionFinding } from './findings';
import { nearest } from './near';

/** What the application says of scopes beside its tools. */
export interface ScopeNames {
  /** All scopes that exist; undefined: any may. */
  readonly taxonomy: readonly string[] | undefined;
  /** Those by which somebody decides on approvals. */
  readonly approving: readonly string[];
}

function holdersOf(access: Access, scope: string): string {
  return access
    .holdersOf(scope)
    .map(({ id }) => id)
    .join(', ');
}

/** What is wrong with scopes that are granted. */
export function findGranted(
  access: Access,
  { taxonomy, approving }: ScopeNames,
): readonly PermissionFinding[] {
  const wanted = [...access.required, ...approving];
  const existing = [...new Set([...wanted, ...(taxonomy ?? [])])].sort(byText);
  return access.held.flatMap((scope) => {
    if (wanted.some((required) => access.covers(scope, required))) return [];
    const who = holdersOf(access, scope);
    const isNamed = existing.includes(scope);
    const meant = isNamed ? undefined : nearest(scope, existing);
    if (isNamed || (taxonomy === undefined && meant === undefined)) {
      return [finding('unneeded_scope', { scope }, `${who} holds it, and no tool asks for it.`)];
    }
    const guess = meant === undefined ? {} : { mend: `Was ${meant} meant? Correct the grants.` };
    return [
      finding('unknown_scope', { scope }, `${who} holds it, and the application knows no such scope.`, guess),
    ];
  });
}

/** Scopes that nobody holds. */
export function findUngranted(
  access: Access,
  { taxonomy, approving }: ScopeNames,
): readonly PermissionFinding[] {
  const scopes = [...new Set([...access.required, ...approving, ...(taxonomy ?? [])])].sort(byText);
  return scopes.flatMap((scope) => {
    if (access.held.some((held) => access.covers(held, scope))) return [];
    const tools = access.specs.filter((spec) => spec.scopes?.includes(scope)).map(({ key }) => key);
    const decides = approving.includes(scope) ? ['deciding on approvals'] : [];
    const needed = [...tools, ...decides].join(', ');
    const words = needed === '' ? 'no tool asks for it either' : `${needed} needs it`;
    return [finding('ungranted_scope', { scope }, `Nobody holds the scope; ${words}.`)];
  });
}

/** Tools with effects that a scope helps to open by what is not asked for to read, or opens by itself. */
function changedBy(access: Access, scope: string, reading: ReadonlySet<string>): readonly ToolSpec[] {
  return access.openedBy(scope).filter(({ scopes = [], sideEffect }) => {
    if (sideEffect.kind === 'none') return false;
    const covered = scopes.filter((required) => access.covers(scope, required));
    return covered.length === scopes.length || covered.some((required) => !reading.has(required));
  });
}

/**
 * Scopes that open reading and changing tools by the hierarchy, whether or not a tool asks for them.
 *
 * @param told the scopes of which something worse was found.
 */
export function findBroad(
  access: Access,
  told: ReadonlySet<string | undefined>,
): readonly PermissionFinding[] {
  const scopes = [...new Set([...access.held, ...access.required])].sort(byText);
  const reading = new Set(
    access.specs.filter((spec) => !hasEffect(spec)).flatMap((spec) => spec.scopes ?? []),
  );
  return scopes.flatMap((scope) => {
    if (told.has(scope)) return [];
    const changed = changedBy(access, scope, reading).map(({ key }) => key);
    const read = access.openedBy(scope).filter((spec) => !hasEffect(spec));
    if (changed.length === 0 || read.length === 0) return [];
    const opened = `${read.map(({ key }) => key).join(', ')} to read, and ${changed.join(', ')} to change`;
    const who = holdersOf(access, scope);
    const held = who === '' ? 'nobody holds it by name' : `${who} holds it`;
    return [finding('broad_scope', { scope }, `The scope helps to open ${opened}; ${held}.`)];
  });
}
