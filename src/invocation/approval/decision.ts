/**
 * Tells a decision from everything else that a person, a program or a resumed run may answer.
 * Invariant: what is not exactly a decision is none; a mere `true` approves nothing.
 */
import type { ApprovalDecision } from '../../contract/approval';
import { toJson } from '../../validation/to-json';

const MEMBERS = {
  approve: ['type', 'by'],
  edit: ['type', 'arguments', 'by'],
  reject: ['type', 'reason', 'by'],
} as const;

function isType(type: unknown): type is keyof typeof MEMBERS {
  return typeof type === 'string' && Object.hasOwn(MEMBERS, type);
}

/** Reads a decision; undefined where it is none. */
export function toDecision(given: unknown): ApprovalDecision | undefined {
  const json = toJson(given);
  if (!json.ok || typeof json.value !== 'object' || json.value === null || Array.isArray(json.value)) {
    return undefined;
  }
  const members: { readonly [name: string]: unknown } = { ...json.value };
  const { type, reason, by } = members;
  if (!isType(type)) return undefined;
  const known: readonly string[] = MEMBERS[type];
  if (!Object.keys(members).every((name) => known.includes(name))) return undefined;
  if (by !== undefined && (typeof by !== 'string' || by.trim() === '')) return undefined;
  const named = by === undefined ? {} : { by };
  if (type === 'approve') return { type, ...named };
  if (type === 'reject') {
    if (reason === undefined) return { type, ...named };
    return typeof reason === 'string' ? { type, reason, ...named } : undefined;
  }
  const edited = toJson(members.arguments);
  return 'arguments' in members && edited.ok ? { type, arguments: edited.value, ...named } : undefined;
}
