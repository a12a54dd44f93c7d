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

const COLUMNS: readonly string[] = HEAD;

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

/** What the rows of a tool share, and what each has of its own. */
interface AccessRows {
  readonly shared: Row;
  readonly own: readonly Row[];
}

function accessRows(reviewed: ReviewedTool): AccessRows {
  const { tool, owner, scopes, approval, access, callers } = reviewed;
  const shared = {
    row: 'access',
    tool,
    scope: scopes?.join(' ') ?? '',
    owner: owner ?? '',
    side_effect: sideEffectOf(reviewed),
    approval,
  };
  if (callers.length === 0) return { shared, own: [{ access: access === 'anyone' ? 'anyone' : 'nobody' }] };
  const own = callers.map((caller) => ({
    principal: caller.principal,
    access: caller.byHierarchy ? 'by hierarchy' : 'by name',
    held: wayOf(caller),
    ...(caller.use === undefined ? {} : countsOf(caller.use)),
  }));
  return { shared, own };
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
  const filled = (cells: readonly string[], row: Row): readonly string[] => {
    const own = [...cells];
    for (const [column, value] of Object.entries(row)) own[COLUMNS.indexOf(column)] = once(value);
    return own;
  };
  const toLine = (cells: readonly string[]) => `${cells.join(',')}\r\n`;
  const empty = COLUMNS.map(() => once(''));
  const ofTools = tools.map((tool) => {
    const { shared, own } = accessRows(tool);
    const cells = filled(empty, shared);
    return own.map((row) => toLine(filled(cells, row))).join('');
  });
  const ofFindings = findings.map((one) => toLine(filled(empty, findingRow(one))));
  return [toLine(COLUMNS.map(once)), ...ofTools, ...ofFindings].join('');
}
