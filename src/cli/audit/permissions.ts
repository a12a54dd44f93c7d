/**
 * `toolcrib audit permissions`: who may call what, for people and for CI.
 * Invariant: it calls no tool; the report is whole before anything is printed.
 */
import { type Command, Option } from 'commander';
import { SEVERITIES, type Severity } from '../../audit/permissions/findings';
import type { PermissionReport } from '../../audit/permissions/report';
import { reviewPermissions } from '../../audit/permissions/review';
import { CliError } from '../cli-error';
import type { OpenToolkit } from '../configuration';
import type { Io } from '../io';
import { toJsonText } from '../text';
import { toCsv } from './csv-report';
import { readGrants } from './grants-file';
import { toMarkdown } from './markdown-report';
import { toText } from './text-report';
import { type ReadTrail, Trails } from './trails';

/** What is reviewed, and how the report is written. */
interface PermissionsOptions {
  /** A JSON file, or a module whose default export is the grants or a function that gives them. */
  readonly grants: string;
  /** The files that audit trails are written to, or URLs of Postgres databases. */
  readonly trail?: readonly string[] | undefined;
  readonly json: boolean;
  readonly markdown?: boolean | undefined;
  readonly csv?: boolean | undefined;
  /** The least severity that makes the exit code 1. */
  readonly failOn: Severity | 'never';
}

function write(
  report: PermissionReport,
  { json, markdown, csv, grants }: PermissionsOptions,
  trails: readonly ReadTrail[],
): string {
  if (json) return toJsonText(report);
  if (markdown === true) return toMarkdown(report, { grants, trails });
  return csv === true ? toCsv(report) : toText(report);
}

/**
 * Prints a permission report; 1 when there are findings of the severity `failOn` or worse.
 *
 * @throws CliError `illegal_option`, `illegal_grants`, `unreadable_file` or `audit_failed`.
 */
async function permissions(toolkit: OpenToolkit, options: PermissionsOptions, io: Io): Promise<number> {
  if (options.json && (options.markdown === true || options.csv === true)) {
    throw new CliError('illegal_option', 'give one of --json, --markdown and --csv.');
  }
  const { failOn, trail } = options;
  const grants = await readGrants(options.grants, io);
  const trails = new Trails(trail ?? [], io);
  const given = trail === undefined ? {} : { trail: trails.records() };
  const report = await reviewPermissions({ toolkit, grants, ...given });
  io.stdout(write(report, options, trails.read));
  const { findings } = report.summary;
  const counts = SEVERITIES.map((severity) => `${findings[severity]} ${severity}`).join(', ');
  if (!options.json && options.csv !== true && options.markdown !== true) {
    io.stderr(`${report.findings.length} findings (${counts}) in ${report.tools.length} tools\n`);
  }
  const counted = failOn === 'never' ? [] : SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
  return counted.some((severity) => findings[severity] > 0) ? 1 : 0;
}

/** Adds `permissions` to the command `audit`. */
export function addPermissions(
  audit: Command,
  json: () => boolean,
  io: Io,
  withTools: (use: (toolkit: OpenToolkit) => Promise<number>) => Promise<void>,
): void {
  audit
    .command('permissions')
    .description('review who may call what, against a file of grants')
    .requiredOption('--grants <file>', 'JSON with who holds which scopes, or a module that gives it')
    .option('--trail <trail...>', 'audit trails, as audit verify takes them, to find what is not used')
    .addOption(new Option('--markdown', 'a report for reviewers').conflicts('csv'))
    .option('--csv', 'a report for spreadsheets')
    .addOption(
      new Option('--fail-on <severity>', 'the least severity that makes the exit code 1')
        .choices([...SEVERITIES, 'never'])
        .default('medium'),
    )
    .action((flags: Omit<PermissionsOptions, 'json'>) =>
      withTools((toolkit) => permissions(toolkit, { ...flags, json: json() }, io)),
    );
}
