/**
 * A permission report for a terminal.
 * Invariant: no name steers the terminal or hides a character.
 */
import { SEVERITIES } from '../../audit/permissions/findings';
import type { PermissionReport, ReviewedTool } from '../../audit/permissions/report';
import { toTable, visible } from '../text';
import { countsInWords, placeOf, sideEffectOf } from './words';

const HEAD = ['TOOL', 'SCOPES', 'SIDE EFFECT', 'APPROVAL', 'OWNER', 'WHO MAY CALL'];

function callersInWords({ access, callers }: ReviewedTool): string {
  if (access === 'anyone' || callers.length === 0) return access === 'anyone' ? 'anyone' : 'nobody';
  return callers
    .map(({ principal, byHierarchy, use }) => {
      const notes = [
        ...(byHierarchy ? ['by hierarchy'] : []),
        ...(use === undefined ? [] : [countsInWords(use)]),
      ];
      return notes.length === 0 ? principal : `${principal} (${notes.join(', ')})`;
    })
    .join(', ');
}

function toRow(tool: ReviewedTool): readonly string[] {
  const scopes =
    tool.scopes === null ? 'undecided' : tool.scopes.length === 0 ? 'none' : tool.scopes.join(', ');
  const cells = [
    tool.tool,
    scopes,
    sideEffectOf(tool),
    tool.approval,
    tool.owner ?? 'nobody',
    callersInWords(tool),
  ];
  return cells.map(visible);
}

/** Writes a report for people at a terminal: who may call what, and the findings. */
export function toText({ tools, findings }: PermissionReport): string {
  const groups = SEVERITIES.flatMap((severity) => {
    const found = findings.filter((one) => one.severity === severity);
    if (found.length === 0) return [];
    const items = found.map((one) => {
      const title = [one.code, ...placeOf(one)].map(visible).join('  ');
      return `  ${title}\n    ${visible(one.message)}\n    ${visible(one.mend)}\n`;
    });
    return [`\n${severity}\n${items.join('')}`];
  });
  return `${toTable([HEAD, ...tools.map(toRow)])}${groups.join('')}`;
}
