/**
 * Turns whatever a call ran into into one error body.
 * Invariant: it never throws, and of an unexpected error only a type name and scrubbed text leave it.
 */
import { randomUUID } from 'node:crypto';
import type { ToolResult } from '../contract/result';
import type { JsonValue, ToolErrorBody } from '../errors/body';
import type { FrameworkErrorCode } from '../errors/codes';
import { isToolError, type ToolError } from '../errors/tool-error';
import { memberOf } from '../metadata/members';
import { toJson } from '../validation/to-json';
import { scrubJson, scrubText } from './scrub';

const MAX_TEXT = 500;
const TYPE_NAME = /^[A-Za-z_$][A-Za-z0-9_$]{0,63}$/;

/** A failed result. */
export type Failure = Extract<ToolResult<JsonValue>, { success: false }>;

/** Makes a failure with one of the framework's codes. */
export function failure(
  code: FrameworkErrorCode,
  message: string,
  more: Partial<Pick<ToolErrorBody, 'retryable' | 'detail' | 'retryAfterMs'>> = {},
): Failure {
  return { success: false, error: { code, message, retryable: false, ...more } };
}

/** Reads a text member of something thrown, whose getters may throw. */
function textOf(thrown: object, member: string): string | undefined {
  try {
    const text = memberOf(thrown, member);
    return typeof text === 'string' && text !== '' ? text : undefined;
  } catch {
    return undefined;
  }
}

function typeNameOf(thrown: object): string | undefined {
  const name = textOf(thrown, 'name');
  return name !== undefined && TYPE_NAME.test(name) ? name : undefined;
}

/** What may be said of something thrown: `TypeName: text`. Objects that are no errors keep their contents. */
function wordsFor(thrown: unknown): string {
  if (typeof thrown === 'string' && thrown !== '') return thrown;
  if (typeof thrown === 'number' || typeof thrown === 'boolean' || typeof thrown === 'bigint') {
    return `the tool threw ${String(thrown)}`;
  }
  if (typeof thrown !== 'object' || thrown === null) return 'the tool failed without saying why';
  const name = typeNameOf(thrown) ?? (isError(thrown) ? 'Error' : undefined);
  const text = textOf(thrown, 'message');
  if (text === undefined) return name ?? 'the tool threw an object that is no error';
  return name === undefined ? text : `${name}: ${text}`;
}

function isError(thrown: object): boolean {
  try {
    return thrown instanceof Error;
  } catch {
    return false;
  }
}

/** Cuts scrubbed text to length, so that no secret is cut in half and missed. */
function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

function fromToolError(error: ToolError): Failure {
  const detail = error.detail === undefined ? undefined : toJson(error.detail);
  const { retryAfterMs } = error;
  return {
    success: false,
    error: {
      code: error.code,
      message: scrubText(String(error.message)),
      retryable: error.retryable === true,
      ...(detail?.ok === true ? { detail: scrubJson(detail.value) } : {}),
      ...(typeof retryAfterMs === 'number' && retryAfterMs >= 0 ? { retryAfterMs } : {}),
    },
  };
}

/** What the log gets of an unexpected error; scrubbed too. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

const MAX_CAUSES = 5;

function toLogged(thrown: unknown, causesLeft: number): LoggedError {
  const isObject = typeof thrown === 'object' && thrown !== null;
  const stack = isObject ? textOf(thrown, 'stack') : undefined;
  const cause = isObject && causesLeft > 0 ? causeOf(thrown) : undefined;
  return {
    type: (isObject ? typeNameOf(thrown) : undefined) ?? typeof thrown,
    message: scrubText(wordsFor(thrown)),
    ...(stack === undefined ? {} : { stack: scrubText(stack) }),
    ...(cause === undefined ? {} : { cause: toLogged(cause, causesLeft - 1) }),
  };
}

function causeOf(thrown: object): unknown {
  try {
    return memberOf(thrown, 'cause');
  } catch {
    return undefined;
  }
}

/** A failure for the caller, and, where it was not foreseen, what the log gets. */
export interface JudgedThrow {
  readonly failure: Failure;
  readonly logged?: { readonly reference: string; readonly error: LoggedError };
}

function judge(thrown: unknown, mask: boolean, reference: string): JudgedThrow {
  if (isToolError(thrown)) return { failure: fromToolError(thrown) };
  const words = mask ? 'the tool failed unexpectedly' : cut(scrubText(wordsFor(thrown)));
  return {
    failure: failure('internal_error', `${words} (reference ${reference})`),
    logged: { reference, error: toLogged(thrown, MAX_CAUSES) },
  };
}

/** Judges what was thrown. `mask` keeps even the scrubbed text of unexpected errors from the caller. */
export function judgeThrown(thrown: unknown, mask: boolean): JudgedThrow {
  const reference = randomUUID();
  try {
    return judge(thrown, mask, reference);
  } catch {
    // Only a proxy gets here: even asking what it is throws.
    return judge('the tool threw something that cannot be looked at', mask, reference);
  }
}
