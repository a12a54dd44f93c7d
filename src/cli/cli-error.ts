/**
 * What a user can mend: a wrong option, file or configuration, or a tool that cannot be exported.
 * Invariant: the message says what happened, where, and what to do; no stack is shown for it.
 */

/** The closed set of codes beside those of the option parser and of declarations. */
export type CliErrorCode =
  | 'unknown_tool'
  | 'unknown_version'
  | 'unknown_approval'
  | 'already_decided'
  | 'ambiguous_id'
  | 'unknown_key'
  | 'not_unknown'
  | 'no_ledger'
  | 'no_tables'
  | 'ledger_failed'
  | 'audit_failed'
  | 'illegal_arguments'
  | 'illegal_option'
  | 'illegal_result'
  | 'no_tools'
  | 'unreadable_file'
  | 'missing_config'
  | 'illegal_config'
  | 'config_failed'
  | 'illegal_export'
  | 'unusable_folder'
  | 'missing_package'
  | 'cannot_listen'
  | 'illegal_grants';

/** One of several things that are wrong together. */
export interface CliProblem {
  readonly code: string;
  /**
   * Where it sits: `tool` is a key, `schemaPath` a JSON Pointer into its schema (RFC 6901, as a fragment), and `path`
   * one into the value that was given.
   */
  readonly place: { readonly tool?: string; readonly schemaPath?: string; readonly path?: string };
  readonly message: string;
  readonly mend: string;
}

function toLines({ code, place, message, mend }: CliProblem): string {
  return `\n  ${Object.values(place).join(' ')}: ${message} [${code}]\n    ${mend}`;
}

/** Ends a run with exit code 2. */
export class CliError extends Error {
  readonly code: CliErrorCode;
  readonly problems: readonly CliProblem[];

  constructor(
    code: CliErrorCode,
    message: string,
    options: { readonly problems?: readonly CliProblem[]; readonly cause?: unknown } = {},
  ) {
    const { problems = [] } = options;
    super(
      message + problems.map(toLines).join(''),
      'cause' in options ? { cause: options.cause } : undefined,
    );
    this.name = 'CliError';
    this.code = code;
    this.problems = problems;
  }
}
