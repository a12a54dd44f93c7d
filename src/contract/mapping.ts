/**
 * How an author says what an error of a downstream service means.
 * Invariant: a mapping only names a failure; it decides nothing else about the call.
 */
import type { ToolErrorBody } from '../errors/body';
import type { ToolContext } from './context';

/** What an error means, in the words and with the code that the caller gets. */
export interface MappedError extends ToolErrorBody {
  /**
   * Whether the action may have begun. False: nothing had started, so the failure stands as it is. True: on a tool
   * with side effects the outcome is unknown. Left out: true for `timeout`, `unavailable` and `outcome_unknown`, else
   * false.
   */
  readonly started?: boolean;
}

/** The call whose handler threw. */
export interface FailedCall<Input = unknown> {
  /** The tool's key, `name@version`. */
  readonly tool: string;
  /** The parsed arguments. */
  readonly input: Input;
  readonly context: ToolContext;
}

/**
 * Says what an error that a handler threw means, or gives undefined and leaves it to the next mapping. A promise is
 * not waited for. Its code is snake_case of the author's, at most 64 characters, or one of `invalid_input`,
 * `rate_limited`, `timeout`, `unavailable`, `outcome_unknown` and `internal_error`.
 */
export type ErrorMapping<Input = unknown> = (
  error: unknown,
  call: FailedCall<Input>,
) => MappedError | undefined;
