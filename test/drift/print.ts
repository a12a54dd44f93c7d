/**
 * Writes a report for a reader: the table of forms, the counts, and every disagreement.
 * Invariant: the last line is the verdict.
 */
import { gradesOf } from './expectations';
import {
  allowedOf,
  type Counts,
  type FormReport,
  type GroupReport,
  newCounts,
  type ShareReport,
  totalOf,
} from './report';

const MOST_SHOWN = 25;

const number = (value: number) => value.toLocaleString('en-US');

function allowedText({ allowed }: Counts): string {
  return allowedOf(allowed)
    .map(([name, count]) => `${name} ${number(count)}`)
    .sort()
    .join(', ');
}

function row(cells: readonly string[]): string {
  const widths = [36, 15, 15, 9, 9];
  return cells
    .map((cell, at) => cell.padEnd(widths[at] ?? 0))
    .join(' ')
    .trimEnd();
}

function formRow(alone: FormReport, each: FormReport | undefined): string {
  const both = { ...newCounts() };
  for (const one of each === undefined ? [alone] : [alone, each]) {
    both.pairs += one.pairs;
    both.accepted += one.accepted;
    for (const [name, count] of allowedOf(one.allowed))
      both.allowed[name] = (both.allowed[name] ?? 0) + count;
  }
  const counts = [number(both.pairs), number(both.accepted), allowedText(both)];
  return row([alone.name, alone.grade, each?.grade ?? '', ...counts]);
}

function gradeText(name: string, forms: readonly FormReport[]): string {
  const { exact, validatorOnly, refused } = gradesOf(forms);
  return `${name}: ${forms.length} forms: ${exact} exact, ${validatorOnly} validator_only, ${refused} refused`;
}

function groupText(name: string, group: GroupReport): string {
  const counts = `${number(group.pairs)} values, ${number(group.accepted)} accepted`;
  return `${name}: ${number(group.dtos)} DTOs, ${number(group.refused)} of them refused; ${counts}`;
}

/** The table of forms. */
export function tableOf({ alone, each, more }: ShareReport): readonly string[] {
  return [
    row(['form', 'alone', 'each: true', 'values', 'accepted', 'allowed differences']),
    ...alone.map((form, at) => formRow(form, each[at])),
    ...more.map((form) => formRow(form, undefined)),
  ];
}

/** The counts of a report. */
export function countsOf(report: ShareReport): readonly string[] {
  const total = totalOf(report);
  const share = ((100 * total.accepted) / Math.max(1, total.pairs)).toFixed(1);
  return [
    gradeText('alone', report.alone),
    gradeText('each: true', report.each),
    gradeText('with @Type', report.more),
    groupText('written out', report.written),
    groupText('two decorators, both orders', report.stacked),
    groupText('composed at random', report.composed),
    `values tried: ${number(total.pairs)}; class-validator accepts ${number(total.accepted)} (${share} %)`,
    'allowed differences by kind:',
    ...allowedOf(total.allowed)
      .map(([name, count]) => `  ${name.padEnd(20)} ${number(count)}`)
      .sort(),
  ];
}

/** The disagreements of a report, as many as can be read. */
export function disagreementsOf({ disagreements }: ShareReport): readonly string[] {
  const shown = disagreements
    .slice(0, MOST_SHOWN)
    .flatMap(({ what, dto, document, schema }) => [
      `disagreement: ${what}`,
      `  dto:      ${dto}`,
      `  value:    ${document}`,
      `  schema:   ${schema}`,
    ]);
  const rest = disagreements.length - MOST_SHOWN;
  return rest > 0 ? [...shown, `and ${rest} more kinds`] : shown;
}

/** The verdict. */
export function verdictOf(report: ShareReport): string {
  const { pairs, disagreements } = totalOf(report);
  // A grade that hangs on the compiler is a disagreement of no value.
  const found = Math.max(disagreements, report.disagreements.length);
  return `disagreements: ${found} over ${pairs} pairs`;
}
