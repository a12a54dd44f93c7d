/**
 * A permission report in Markdown, for a reviewer who never saw the code.
 * Invariant: no name of a tool, a scope or a principal changes its structure or hides a character.
 */
import { type PermissionFinding, SEVERITIES } from '../../audit/permissions/findings';
import type { PermissionReport, PermittedCaller, ReviewedTool } from '../../audit/permissions/report';
import { code, shown, toRows } from '../markdown';
import { visible } from '../text';
import type { ReadTrail } from './trails';
import { approvalInWords, countsInWords, sideEffectOf, trailInWords, WORDS } from './words';

/** How many principals stand beside each other. */
const COLUMNS = 8;

/** A sentence that may hold names; an address in it becomes no link. */
function prose(text: string): string {
  return shown(visible(text));
}

function name(text: string): string {
  return code(visible(text));
}

function names(texts: readonly string[]): string {
  return texts.map(name).join(', ');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return toRows([head, head.map(() => '---'), ...rows]);
}

/** What a report was made of, as it was named. */
export interface ReportSources {
  /** The file of the grants. */
  readonly grants: string;
  readonly trails: readonly ReadTrail[];
}

function sourceRows({ grants, trails }: ReportSources): readonly (readonly string[])[] {
  const ofTrails = trails.map(({ trail, period }) => {
    const words = period === undefined ? 'it is empty' : `${period.from} to ${period.to}`;
    return ['trail that was read', `${name(trail)}: ${prose(words)}`];
  });
  return [['grants that were read', name(grants)], ...ofTrails];
}

function summarySection(report: PermissionReport, sources: ReportSources): string {
  const { tools, scopes, principals, findings } = report.summary;
  const counts = SEVERITIES.map((severity) => `${findings[severity]} ${severity}`).join(', ');
  const rows = [
    ['tools', `${tools}`],
    ['scopes', `${scopes}`],
    ['principals', `${principals}`],
    ['approval', prose(approvalInWords(report))],
    ...sourceRows(sources),
    ['trail', prose(trailInWords(report))],
    ['findings', counts],
  ];
  return `## Summary\n\n${table(['', ''], rows)}`;
}

function toolsSection({ tools }: PermissionReport): string {
  const rows = tools.map((tool) => [
    name(tool.tool),
    prose(tool.description.replace(/\s+/g, ' ').trim()),
    tool.owner === null ? '**nobody**' : prose(tool.owner),
    tool.scopes === null ? '**undecided**' : tool.scopes.length === 0 ? 'none' : names(tool.scopes),
    sideEffectOf(tool),
    tool.approval,
    tool.deprecated === false ? '' : tool.deprecated === true ? 'yes' : prose(tool.deprecated),
  ]);
  const head = [
    'tool',
    'what it does',
    'owner',
    'scopes that it asks for',
    'side effect',
    'approval',
    'deprecated',
  ];
  return `## Tools\n\n${table(head, rows)}`;
}

function cellOf(tool: ReviewedTool, caller: PermittedCaller | undefined): string {
  if (tool.access === 'anyone') return 'anyone';
  if (caller === undefined) return '';
  const way = caller.byHierarchy ? 'by hierarchy' : 'by name';
  return caller.use === undefined ? way : `${way}, ${countsInWords(caller.use)}`;
}

function matrixSection({ tools, principals }: PermissionReport): string {
  const ids = principals.map(({ principal }) => principal);
  const rowsOf = tools.map((tool) => {
    const byId = new Map(tool.callers.map((caller) => [caller.principal, caller]));
    return { tool, title: name(tool.tool), byId };
  });
  const parts: string[] = [];
  for (let from = 0; from === 0 || from < ids.length; from += COLUMNS) {
    const shownIds = ids.slice(from, from + COLUMNS);
    const rows = rowsOf.map(({ tool, title, byId }) => [
      title,
      ...shownIds.map((id) => cellOf(tool, byId.get(id))),
    ]);
    parts.push(table(['tool', ...shownIds.map(name)], rows));
  }
  const about = 'An empty cell: the principal may not call the tool.';
  return `## Who may call what\n\n${about}\n\n${parts.join('\n')}`;
}

function scopesSection({ scopes }: PermissionReport): string {
  const rows = scopes.map(({ scope, requiredBy, heldBy, coveredFor }) => [
    name(scope),
    names(requiredBy),
    names(heldBy),
    names(coveredFor),
  ]);
  return `## Scopes\n\n${table(['scope', 'asked for by', 'held by name by', 'held by hierarchy by'], rows)}`;
}

function principalsSection({ principals }: PermissionReport): string {
  const rows = principals.map(({ principal, roles, scopes, tools, approves, use }) => [
    name(principal),
    names(roles),
    names(scopes),
    `${tools.length}`,
    approves ? 'yes' : 'not known',
    ...(use === undefined ? [] : [countsInWords(use)]),
  ]);
  const head = [
    'principal',
    'roles',
    'scopes',
    'tools that it may call by them',
    'decides on approvals',
    ...(principals.some(({ use }) => use !== undefined) ? ['in the trail'] : []),
  ];
  return `## Principals\n\n${table(head, rows)}`;
}

function toItem({ tool, scope, principal, code: found, message, why, mend }: PermissionFinding): string {
  const places = [
    ...(tool === undefined ? [] : [`tool ${name(tool)}`]),
    ...(scope === undefined ? [] : [`scope ${name(scope)}`]),
    ...(principal === undefined ? [] : [`principal ${name(principal)}`]),
  ];
  const lines = [
    `- [ ] **${found}**, ${places.join(', ')}: ${prose(message)}`,
    `  - Why it matters: ${prose(why)}`,
    `  - What to do: ${prose(mend)}`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function findingsSection({ findings }: PermissionReport): string {
  if (findings.length === 0) return '## Findings\n\nNothing was found.\n';
  const groups = SEVERITIES.flatMap((severity) => {
    const items = findings.filter((one) => one.severity === severity).map(toItem);
    return items.length === 0 ? [] : [`### Severity: ${severity}\n\n${items.join('')}`];
  });
  return `## Findings\n\n${groups.join('\n')}`;
}

function wordsSection(): string {
  const rows = WORDS.map(([word, meaning]) => [shown(word), shown(meaning)]);
  return `## What the words mean\n\n${table(['word', 'meaning'], rows)}`;
}

/** Writes a report in Markdown. */
export function toMarkdown(report: PermissionReport, sources: ReportSources): string {
  const about =
    'Who may call which tool of the application, what the tools do, and what somebody should look at. It follows ' +
    'from what the tools declare, from the grants that were given, and from the audit trail where there is one.';
  const sections = [
    `# Permission review\n\n${about}\n`,
    summarySection(report, sources),
    findingsSection(report),
    toolsSection(report),
    matrixSection(report),
    scopesSection(report),
    principalsSection(report),
    wordsSection(),
  ];
  return sections.join('\n');
}
