/**
 * A permission report as comma-separated values (RFC 4180), for spreadsheets.
 * Invariant: every value is quoted and on one line, and none is taken for a formula.
 */
import type { PermissionFinding } from '../../audit/permissions/findings';
import type { PermissionReport, ReviewedTool } from '../../audit/permissions/report';
import type { CallCounts } from '../../audit/permissions/use';
import { visible } from '../text';
import { sideEffectOf, wayOf } from './words';

const HEAD = [
  'row',
  'tool',
  'scope',
  'principal',
  'owner',
  'side_effect',
  'approval',
  'access',
  'held',
  'calls',
  'refused',
  'denied',
  'code',
  'severity',
  'message',
  'what_to_do',
] as const;

type Row = { readonly [column in (typeof HEAD)[number]]?: string };

/** What spreadsheets begin a formula with, full-width forms included, also behind spaces. */
const FORMULA = /^\s*[=+\-@＝＋－＠]/;

function toField(value: string): string {
  const text = visible(value);
  return `"${FORMULA.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
}

function countsOf({ calls, refused, denied }: CallCounts): Row {
  return { calls: `${calls}`, refused: `${refused}`, denied: `${denied}` };
}

function accessRows(reviewed: ReviewedTool): readonly Row[] {
  const { tool, owner, scopes, approval, access, callers } = reviewed;
  const own = {
    row: 'access',
    tool,
    scope: scopes?.join(' ') ?? '',
    owner: owner ?? '',
    side_effect: sideEffectOf(reviewed),
    approval,
  };
  if (callers.length === 0) return [{ ...own, access: access === 'anyone' ? 'anyone' : 'nobody' }];
  return callers.map((caller) => ({
    ...own,
    principal: caller.principal,
    access: caller.byHierarchy ? 'by hierarchy' : 'by name',
    held: wayOf(caller),
    ...(caller.use === undefined ? {} : countsOf(caller.use)),
  }));
}

function findingRow({ code, severity, tool, scope, principal, message, mend }: PermissionFinding): Row {
  return {
    row: 'finding',
    ...(tool === undefined ? {} : { tool }),
    ...(scope === undefined ? {} : { scope }),
    ...(principal === undefined ? {} : { principal }),
    code,
    severity,
    message,
    what_to_do: mend,
  };
}

/** Writes a report as CSV: a row for each principal that may call a tool, and one for each finding. */
export function toCsv({ tools, findings }: PermissionReport): string {
  // There are as many rows as tools times principals, and few values that differ.
  const fields = new Map<string, string>();
  const once = (value: string) => {
    const field = fields.get(value) ?? toField(value);
    fields.set(value, field);
    return field;
  };
  const toLine = (row: Row) => `${HEAD.map((column) => once(row[column] ?? '')).join(',')}\r\n`;
  const parts = tools.map((tool) => accessRows(tool).map(toLine).join(''));
  return [`${HEAD.map(once).join(',')}\r\n`, ...parts, ...findings.map(findingRow).map(toLine)].join('');
}
