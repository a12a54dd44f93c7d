/**
 * The command line: commands, options and exit codes.
 * Invariant: a run ends with 0, with 1 when a tool answered an error or something was found, or with 2 when it
 * could not do what was asked; it never throws. What needs the decorator libraries is loaded by the command that needs
 * it, so that help, the version and `doctor` do without.
 */
import { Command, Option } from 'commander';
import { DIALECT_NAMES, type DialectName } from '../contract/dialect';
import { readPackageFile } from '../contract/package-file';
import { addApprovals } from './approvals-program';
import { addAudit } from './audit-program';
import { call } from './commands/call';
import { doctor } from './commands/doctor';
import { list } from './commands/list';
import { type OpenToolkit, type Source, withToolkit } from './configuration';
import type { Io } from './io';
import { addLedger } from './ledger-program';
import { endPatterns, scopesOption } from './options';
import { reportError } from './report-error';
import { addServe } from './serve-program';

const AFTER_HELP = `
Tools come from toolcrib.config.js, .mjs or .cjs in the working directory or above it.
Exit codes: 0 success; 1 the tool answered an error, or there are findings or stale files; 2 anything else.`;

/** Options that every command takes. */
interface CommonOptions extends Source {
  readonly json?: boolean;
}

interface CallFlags {
  readonly args?: string;
  readonly argsFile?: string;
  readonly scopes?: readonly string[];
  readonly as?: string;
  readonly approve?: boolean;
}

interface SchemaFlags {
  readonly out?: string;
  readonly check?: boolean;
  readonly markdown?: boolean;
  readonly dialect: DialectName;
}

function newProgram(io: Io): Command {
  return new Command('toolcrib')
    .description('Inspect, call, check, serve and review the tools of an application')
    .version(readPackageFile().version, '--version', 'print the version')
    .option('--config <file>', 'the configuration to open')
    .addOption(
      new Option('--patterns <glob...>', 'globs of tool files, in place of a configuration').conflicts(
        'config',
      ),
    )
    .option('--cwd <dir>', 'what the patterns are relative to')
    .option('--json', 'print JSON, errors too')
    .addHelpText('after', AFTER_HELP)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: io.stdout, writeErr: io.stderr, outputError: () => {} })
    .exitOverride();
}

/**
 * Runs the command line and gives the exit code.
 *
 * @param argv what follows the program's name.
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let exitCode = 0;
  const program = newProgram(io);
  const json = () => program.opts<CommonOptions>().json === true;
  const withTools = async (use: (toolkit: OpenToolkit) => Promise<number> | number): Promise<void> => {
    exitCode = await withToolkit(program.opts<CommonOptions>(), io, use);
  };

  program
    .command('list')
    .description('list all tools')
    .action(() => withTools((toolkit) => list(toolkit, { json: json() }, io)));
  program
    .command('show')
    .description('show what the model sees of a tool')
    .argument('<tool>', 'name, name@range, key or model name')
    .action((tool: string) =>
      withTools((toolkit) => {
        const { show }: typeof import('./commands/show') = require('./commands/show');
        return show(toolkit, { tool, json: json() }, io);
      }),
    );
  program
    .command('schema')
    .description('print or write JSON Schemas, or review sheets')
    .argument('[tool]', 'name, name@range, key or model name; left out: all')
    .option('--out <dir>', 'write one file a tool into this folder')
    .option('--check', 'compare the folder with what would be written')
    .addOption(new Option('--markdown', 'review sheets in place of schemas').conflicts('dialect'))
    .addOption(
      new Option('--dialect <name>', "what a model's provider takes, and what that changes")
        .choices(DIALECT_NAMES)
        .default('json-schema'),
    )
    .action((tool: string | undefined, { out, check = false, markdown = false, dialect }: SchemaFlags) =>
      withTools((toolkit) => {
        const { schema }: typeof import('./commands/schema') = require('./commands/schema');
        return schema(toolkit, { tool, out, check, markdown, dialect, json: json() }, io);
      }),
    );
  program
    .command('call')
    .description('call a tool')
    .argument('<tool>', 'name, name@range, key or model name')
    .option('--args <json>', 'the arguments; - reads standard input')
    .addOption(new Option('--args-file <file>', 'a file with the arguments').conflicts('args'))
    .addOption(scopesOption())
    .option('--as <id>', 'the id of the caller')
    .option('--approve', 'approve the call, where it needs approval')
    .action((tool: string, flags: CallFlags) =>
      withTools((toolkit) => call(toolkit, { ...flags, tool, json: json() }, io)),
    );
  program
    .command('check')
    .description('find what a reviewer would object to')
    .argument('[tool]', 'name, name@range, key or model name; left out: all')
    .action((tool: string | undefined) =>
      withTools((toolkit) => {
        const { check }: typeof import('./commands/check') = require('./commands/check');
        return check(toolkit, { tool, json: json() }, io);
      }),
    );
  program
    .command('doctor')
    .description('look at the environment, the declarations, the stores and the clock')
    .option('--audit <trail>', 'the file of the audit trail, which must be writable, or a Postgres URL')
    .action(async ({ audit }: { readonly audit?: string }) => {
      exitCode = await doctor(program.opts<CommonOptions>(), { audit, json: json() }, io);
    });

  addApprovals(program, json, io, withTools);
  addLedger(program, json, io, withTools);
  addServe(program, argv, io, withTools, (code) => {
    exitCode = code;
  });
  const ending = async (work: Promise<number>) => {
    exitCode = await work;
  };
  addAudit(program, json, io, ending, withTools);

  const commands = program.commands.map((command) => command.name());
  try {
    await program.parseAsync([...endPatterns(argv, commands)], { from: 'user' });
    return exitCode;
  } catch (error) {
    return reportError(
      error,
      io,
      argv,
      argv.find((word) => commands.includes(word)),
    );
  }
}
