/**
 * Turns whatever a call ran into into one error body.
 * Invariant: it never throws, and of an unexpected error only a type name and scrubbed text leave it.
 */
import { randomUUID } from 'node:crypto';
import { types } from 'node:util';
import type { ErrorMapping, FailedCall } from '../contract/mapping';
import type { ToolResult } from '../contract/result';
import type { SideEffectDeclaration } from '../contract/tool';
import type { JsonValue, ToolErrorBody } from '../errors/body';
import { type FrameworkErrorCode, isFrameworkErrorCode } from '../errors/codes';
import { isAuthorCode, isToolError } from '../errors/tool-error';
import { memberOf } from '../metadata/members';
import { toJson } from '../validation/to-json';
import { type LoggedError, toLogged, wordsFor } from './logged-error';
import { askAuthors } from './mapping/author';
import { judgeKnown } from './mapping/built-in';
import { toOutcome } from './mapping/outcome';
import type { Verdict } from './mapping/verdict';
import type { Scrubber } from './scrub';

const MAX_TEXT = 500;
/** An author's own message is longer at most than any that a model would read. */
const MAX_MESSAGE = 4_000;
/** A larger detail is left out. */
const MAX_DETAIL_BYTES = 65_536;

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

function isTooLarge(detail: JsonValue): boolean {
  return Buffer.byteLength(JSON.stringify(detail)) > MAX_DETAIL_BYTES;
}

/** Tells whether a detail is JSON; of one that is too large, and so is left out, the end is not looked at. */
export function isJson(detail: unknown): boolean {
  const json = toJson(detail, { maxBytes: MAX_DETAIL_BYTES });
  return json.ok || json.violations.every(({ rule }) => rule === 'maxBytes');
}

/** A detail as clean JSON; undefined when it is none, or is too large to be said. */
function toDetail(given: unknown, scrubber: Scrubber): JsonValue | undefined {
  const json = toJson(given, { maxBytes: MAX_DETAIL_BYTES });
  if (!json.ok || isTooLarge(json.value)) return undefined;
  const detail = scrubber.json(json.value);
  return isTooLarge(detail) ? undefined : detail;
}

/**
 * Makes a clean body of something that claims to be one; undefined when it is none. A detail that is no JSON
 * is left out, as is one that is too large.
 */
export function toBody(claimed: object, scrubber: Scrubber): ToolErrorBody | undefined {
  const code = memberOf(claimed, 'code');
  const message = memberOf(claimed, 'message');
  const retryable = memberOf(claimed, 'retryable');
  if (
    typeof code !== 'string' ||
    code === '' ||
    typeof message !== 'string' ||
    typeof retryable !== 'boolean'
  ) {
    return undefined;
  }
  const given = memberOf(claimed, 'detail');
  const detail = given === undefined ? undefined : toDetail(given, scrubber);
  const retryAfterMs = memberOf(claimed, 'retryAfterMs');
  const isDelay = typeof retryAfterMs === 'number' && Number.isFinite(retryAfterMs) && retryAfterMs >= 0;
  return {
    code,
    message: cut(scrubber.text(message), MAX_MESSAGE),
    retryable,
    ...(detail === undefined ? {} : { detail }),
    ...(isDelay ? { retryAfterMs } : {}),
  };
}

/** The body of a foreseen failure; undefined when what was thrown is none, or misuses its class. */
function foreseen(thrown: unknown, scrubber: Scrubber): ToolErrorBody | undefined {
  const body = isToolError(thrown) ? toBody(thrown, scrubber) : undefined;
  return body !== undefined && isAuthorCode(body.code) ? body : undefined;
}

/** Cuts scrubbed text to length; cut before, a secret might be halved and missed. */
function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** A failure for the caller, and what the log gets of it. */
export interface JudgedThrow {
  readonly failure: Failure;
  /** Error: operators have to look; warn: a service or a database failed; info: it was foreseen. */
  readonly level: 'error' | 'warn' | 'info';
  /** Left out for foreseen failures that name no cause. */
  readonly logged?: { readonly reference?: string; readonly error: LoggedError };
}

/** A handler that threw, and who may say what that means. */
export interface ThrownByHandler {
  readonly thrown: unknown;
  readonly call: FailedCall;
  readonly sideEffect: SideEffectDeclaration;
  /** In the order in which they are asked. */
  readonly mappings: readonly ErrorMapping[];
  /** Hears of mappings that fail. */
  readonly onFault: (fault: unknown) => void;
}

function judgeForeseen(thrown: unknown, scrubber: Scrubber): JudgedThrow | undefined {
  const body = foreseen(thrown, scrubber);
  if (body === undefined) return undefined;
  const hasCause = types.isNativeError(thrown) && thrown.cause !== undefined;
  const logged = hasCause ? { logged: { error: toLogged(thrown, scrubber) } } : {};
  return { failure: { success: false, error: body }, level: 'info', ...logged };
}

function judge(thrown: unknown, mask: boolean, scrubber: Scrubber, reference: string): JudgedThrow {
  const judged = judgeForeseen(thrown, scrubber);
  if (judged !== undefined) return judged;
  const words = mask ? 'the tool failed unexpectedly' : cut(scrubber.text(wordsFor(thrown)), MAX_TEXT);
  return {
    failure: failure('internal_error', `${words} (reference ${reference})`),
    level: 'error',
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
    logged: { ...(isUnexpected ? { reference } : {}), error: toLogged(thrown, scrubber) },
  };
}

/** Judges what a handler threw: a ToolError as it stands, then by the mappings, then by what is known. */
export function judgeHandler(by: ThrownByHandler, mask: boolean, scrubber: Scrubber): JudgedThrow {
  const { thrown, call, sideEffect, mappings, onFault } = by;
  try {
    const foreseen = judgeForeseen(thrown, scrubber);
    if (foreseen !== undefined) return foreseen;
    const toCleanBody = (claimed: object) => toBody(claimed, scrubber);
    const verdict = askAuthors(thrown, call, mappings, toCleanBody, onFault) ?? judgeKnown(thrown);
    if (verdict !== undefined) return judgeMapped(thrown, verdict, sideEffect, scrubber);
  } catch {
    // What cannot be looked at is judged below, by what can be said of it.
  }
  return judgeThrown(thrown, mask, scrubber);
}
