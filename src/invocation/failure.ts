/**
 * Turns whatever a call ran into into one error body.
 * Invariant: it never throws, and of an unexpected error only a type name and scrubbed text leave it.
 */
import { randomUUID } from 'node:crypto';
import { types } from 'node:util';
import type { FailedCall } from '../contract/mapping';
import type { ToolResult } from '../contract/result';
import type { SideEffectDeclaration } from '../contract/tool';
import type { JsonValue, ToolErrorBody } from '../errors/body';
import { type FrameworkErrorCode, isFrameworkErrorCode } from '../errors/codes';
import { isAuthorCode, isToolError } from '../errors/tool-error';
import { readBody } from './claimed-body';
import { cut } from './cut';
import { type LoggedError, toLogged, wordsFor } from './logged-error';
import { askAuthors, type Mapping, type OnFault } from './mapping/author';
import { judgeKnown } from './mapping/built-in';
import { toOutcome } from './mapping/outcome';
import type { Verdict } from './mapping/verdict';
import type { Scrubber } from './scrub';

const MAX_TEXT = 500;

/** When to try again where a store could not be reached, in milliseconds. */
export const STORE_RETRY_AFTER_MS = 5_000;

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

/** A failure for the caller, and what the log gets of it. */
export interface JudgedThrow {
  readonly failure: Failure;
  /** Error: operators have to look; warn: a service or a database failed; info: it was foreseen. */
  readonly level: 'error' | 'warn' | 'info';
  /** Whether the action certainly did not happen, where a handler threw it. */
  readonly isDefinite: boolean;
  /** Left out for foreseen failures that name no cause. */
  readonly logged?: { readonly reference?: string; readonly error: LoggedError };
  /** What of a ToolError could not be answered. */
  readonly faults?: readonly string[];
}

/** A handler that threw, and who may say what that means. */
export interface ThrownByHandler {
  readonly thrown: unknown;
  readonly call: FailedCall;
  readonly sideEffect: SideEffectDeclaration;
  /** In the order in which they are asked. */
  readonly mappings: readonly Mapping[];
  /** Hears of mappings that fail. */
  readonly onFault: OnFault;
}

function judgeForeseen(thrown: unknown, scrubber: Scrubber): JudgedThrow | undefined {
  if (!isToolError(thrown)) return undefined;
  const { body, faults } = readBody(thrown, scrubber);
  if (body === undefined || !isAuthorCode(body.code)) return undefined;
  const hasCause = types.isNativeError(thrown) && thrown.cause !== undefined;
  const logged = hasCause ? { logged: { error: toLogged(thrown, scrubber) } } : {};
  const unsound = faults.length === 0 ? {} : { faults };
  return { failure: { success: false, error: body }, level: 'info', isDefinite: true, ...logged, ...unsound };
}

function judge(thrown: unknown, mask: boolean, scrubber: Scrubber, reference: string): JudgedThrow {
  const judged = judgeForeseen(thrown, scrubber);
  if (judged !== undefined) return judged;
  const words = mask ? 'the tool failed unexpectedly' : cut(scrubber.text(wordsFor(thrown)), MAX_TEXT);
  return {
    failure: failure('internal_error', `${words} (reference ${reference})`),
    level: 'error',
    isDefinite: false,
    logged: { reference, error: toLogged(thrown, scrubber) },
  };
}

/** Judges what was thrown. `mask` keeps even the scrubbed text of unexpected errors from the caller. */
export function judgeThrown(thrown: unknown, mask: boolean, scrubber: Scrubber): JudgedThrow {
  const reference = randomUUID();
  try {
    return judge(thrown, mask, scrubber, reference);
  } catch {
    // Only a proxy or a getter gets here: even asking what it is throws.
    return judge('the tool threw something that cannot be looked at', mask, scrubber, reference);
  }
}

function judgeMapped(
  thrown: unknown,
  verdict: Verdict,
  sideEffect: SideEffectDeclaration,
  scrubber: Scrubber,
): JudgedThrow {
  const body = toOutcome(verdict, sideEffect);
  const isUnexpected = body.code === 'internal_error';
  const isOutage = isFrameworkErrorCode(body.code) && body.code !== 'invalid_input';
  const reference = randomUUID();
  const message = isUnexpected ? `${body.message} (reference ${reference})` : body.message;
  return {
    failure: { success: false, error: { ...body, message } },
    level: isUnexpected ? 'error' : isOutage ? 'warn' : 'info',
    isDefinite: !verdict.started,
    logged: { ...(isUnexpected ? { reference } : {}), error: toLogged(thrown, scrubber) },
  };
}

/** Judges what a handler threw: a ToolError as it stands, then by the mappings, then by what is known. */
export function judgeHandler(by: ThrownByHandler, mask: boolean, scrubber: Scrubber): JudgedThrow {
  const { thrown, call, sideEffect, mappings, onFault } = by;
  try {
    const foreseen = judgeForeseen(thrown, scrubber);
    if (foreseen !== undefined) return foreseen;
    const read = (claimed: object) => readBody(claimed, scrubber);
    const verdict = askAuthors(thrown, call, mappings, read, onFault) ?? judgeKnown(thrown);
    if (verdict !== undefined) return judgeMapped(thrown, verdict, sideEffect, scrubber);
  } catch {
    // What cannot be looked at is judged below, by what can be said of it.
  }
  return judgeThrown(thrown, mask, scrubber);
}
