/**
 * Makes a clean body of something that claims to say why a call failed, and tells what is wrong with it.
 * Invariant: a body has code, message and retryable; what else is unsound is left out of it and told.
 */
import type { JsonValue, ToolErrorBody } from '../errors/body';
import { isFrameworkErrorCode } from '../errors/codes';
import { isAuthorCode } from '../errors/tool-error';
import { memberOf } from '../metadata/members';
import { toJson } from '../validation/to-json';
import { cut } from './cut';
import type { Scrubber } from './scrub';
import { list } from './violations';

/** An author's own message is longer at most than any that a model would read. */
const MAX_MESSAGE = 4_000;
/** A larger detail is left out. */
const MAX_DETAIL_BYTES = 65_536;

/** What a claim comes to. */
export interface ReadBody {
  /** Undefined where the claim is no body. */
  readonly body: ToolErrorBody | undefined;
  /** What is wrong with the claim, each as `its detail …`. */
  readonly faults: readonly string[];
  /** False where its detail has no JSON form. */
  readonly isJson: boolean;
}

/** Why a code is none that an author may give; undefined where it is one. */
export function codeFault(code: string): string | undefined {
  if (isAuthorCode(code)) return undefined;
  const said = JSON.stringify(cut(code, 64));
  return isFrameworkErrorCode(code)
    ? `its code ${said} is reserved by the framework`
    : `its code ${said} is not snake_case of at most 64 characters`;
}

function isTooLarge(detail: JsonValue): boolean {
  return Buffer.byteLength(JSON.stringify(detail)) > MAX_DETAIL_BYTES;
}

type ReadDetail = {
  readonly detail?: JsonValue;
  readonly faults: readonly string[];
  readonly isJson: boolean;
};

function readDetail(given: unknown, scrubber: Scrubber): ReadDetail {
  if (given === undefined) return { faults: [], isJson: true };
  // Bounded while it is written: few objects may stand for endless JSON.
  const json = toJson(given, { maxBytes: MAX_DETAIL_BYTES });
  if (!json.ok && json.violations.some(({ rule }) => rule !== 'maxBytes')) {
    return { faults: [`its detail is no JSON (${list(json.violations)})`], isJson: false };
  }
  const detail = json.ok && !isTooLarge(json.value) ? scrubber.json(json.value) : undefined;
  return detail === undefined || isTooLarge(detail)
    ? { faults: [`its detail takes more than ${MAX_DETAIL_BYTES} bytes`], isJson: true }
    : { detail, faults: [], isJson: true };
}

/** Reads what claims to be a body; each of its members is read once. */
export function readBody(claimed: object, scrubber: Scrubber): ReadBody {
  const code = memberOf(claimed, 'code');
  const message = memberOf(claimed, 'message');
  const retryable = memberOf(claimed, 'retryable');
  if (
    typeof code !== 'string' ||
    code === '' ||
    typeof message !== 'string' ||
    typeof retryable !== 'boolean'
  ) {
    const faults = [
      ...(typeof code === 'string' && code !== '' ? [] : ['its code is no text']),
      ...(typeof message === 'string' ? [] : ['its message is no text']),
      ...(typeof retryable === 'boolean' ? [] : ['its retryable is neither true nor false']),
    ];
    return { body: undefined, faults, isJson: true };
  }
  const { detail, faults, isJson } = readDetail(memberOf(claimed, 'detail'), scrubber);
  const retryAfterMs = memberOf(claimed, 'retryAfterMs');
  const isDelay = typeof retryAfterMs === 'number' && Number.isFinite(retryAfterMs) && retryAfterMs >= 0;
  const isUnsound = !isDelay && retryAfterMs !== undefined;
  return {
    body: {
      code,
      message: cut(scrubber.text(message), MAX_MESSAGE),
      retryable,
      ...(detail === undefined ? {} : { detail }),
      ...(isDelay ? { retryAfterMs } : {}),
    },
    faults: [...faults, ...(isUnsound ? ['its retryAfterMs is no number from 0 on'] : [])],
    isJson,
  };
}
