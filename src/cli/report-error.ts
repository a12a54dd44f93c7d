/**
 * Tells a user why a run failed.
 * Invariant: every failure has a code and exit code 2, and a stack is shown only where DEBUG asks for it.
 */
import { types } from 'node:util';
import { CommanderError } from 'commander';
import { isDeclarationError } from '../errors/declaration-error';
import { reasonOf } from '../errors/reason';
import { scrubText } from '../invocation/scrub';
import { CliError } from './cli-error';
import type { Io } from './io';
import { oneLine, plain } from './text';

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly problems: readonly Problem[];
}

interface Problem {
  readonly code: string;
  readonly place: object;
  readonly message: string;
  readonly mend: string;
  readonly cause?: unknown;
}

/** Makes `unknown_option` of commander's `commander.unknownOption`. */
function toSnakeCase(code: string): string {
  return code.replace('commander.', '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function fromParser({ code, message }: CommanderError, command: string | undefined): Failure {
  const isHelp = code === 'commander.help';
  const help = command === undefined ? 'toolcrib --help' : `toolcrib ${command} --help`;
  return {
    code: isHelp ? 'missing_command' : toSnakeCase(code),
    message: isHelp ? 'no command was given.' : `${message.replace(/^error: /, '')} (see ${help})`,
    problems: [],
  };
}

function toFailure(error: unknown, command: string | undefined): Failure {
  if (error instanceof CommanderError) return fromParser(error, command);
  if (error instanceof CliError) return error;
  if (isDeclarationError(error)) {
    const { code, problems, message } = error;
    return { code, message: `the declarations of the tools are wrong, ${message}`, problems };
  }
  const mend = 'Run again with DEBUG=1 for its stack.';
  return {
    code: 'unexpected',
    message: oneLine(`unexpected: ${scrubText(reasonOf(error))}. ${mend}`),
    problems: [],
  };
}

function toJson({ code, message, problems }: Failure): object {
  if (problems.length === 0) return { code, message };
  // What a problem was caused by need not be JSON.
  const plainProblems = problems.map(({ cause: _cause, ...problem }) => problem);
  return { code, message: message.split('\n')[0], problems: plainProblems };
}

function stacksOf(error: unknown, { problems }: Failure): readonly string[] {
  const cause: unknown = types.isNativeError(error) ? (error.cause ?? error) : error;
  const thrown = [cause, ...problems.map((problem) => problem.cause)];
  return thrown.flatMap((one) => (types.isNativeError(one) ? `${one.stack}\n` : []));
}

/**
 * Reports whatever ended a run and gives the exit code: 0 where it was only `--help` or `--version`, otherwise 2.
 * With `--json` among the arguments the report is `{ error: { code, message, problems? } }` on standard output.
 *
 * @param command whose help tells more; left out: that of the program.
 */
export function reportError(error: unknown, io: Io, argv: readonly string[], command?: string): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const failure = toFailure(error, command);
  if (argv.includes('--json')) io.stdout(`${JSON.stringify({ error: toJson(failure) })}\n`);
  else io.stderr(plain(`toolcrib: ${failure.message}\n`));
  if (io.env.DEBUG) io.stderr(stacksOf(error, failure).join(''));
  return 2;
}
