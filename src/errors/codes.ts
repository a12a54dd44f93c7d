/**
 * The closed set of codes that the framework itself answers with.
 * Invariant: authors' codes never coincide with these, so a code names its origin.
 */

/** Every code that the framework may put into a {@link ToolErrorBody}. */
export const FRAMEWORK_ERROR_CODES = [
  'invalid_input',
  'unknown_tool',
  'insufficient_scope',
  'rate_limited',
  'approval_required',
  'approval_rejected',
  'timeout',
  'cancelled',
  'unavailable',
  'duplicate_call',
  'outcome_unknown',
  'retry_refused',
  'invalid_output',
  'internal_error',
] as const;

/** One of {@link FRAMEWORK_ERROR_CODES}. */
export type FrameworkErrorCode = (typeof FRAMEWORK_ERROR_CODES)[number];

/** Tells whether a code belongs to the framework. */
export function isFrameworkErrorCode(code: unknown): code is FrameworkErrorCode {
  return FRAMEWORK_ERROR_CODES.some((known) => known === code);
}
