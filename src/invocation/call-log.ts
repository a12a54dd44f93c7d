/**
 * Writes one line a call to the toolkit's logger.
 * Invariant: a line holds no argument, no result and no message: only what tells calls apart and how they ended.
 */
import type { Logger } from '../contract/context';
import type { CallRecord, Observer } from '../contract/observer';
import { readObject, readText } from './mapping/read';
import type { Scrubber } from './scrub';
import { remembering } from './scrub/remembering';

/** Of a text that a caller may have made up, in characters. */
const MAX_TEXT = 128;

/** What operators have to look at, and what may be a fault of a service that a tool calls. */
const ERRORS: readonly string[] = ['internal_error', 'invalid_output'];
const WARNINGS: readonly string[] = ['timeout', 'unavailable'];

function levelOf({ error, isOutcomeUnknown }: CallRecord): 'error' | 'warn' | 'info' {
  if (error !== undefined && ERRORS.includes(error.code)) return 'error';
  return isOutcomeUnknown || (error !== undefined && WARNINGS.includes(error.code)) ? 'warn' : 'info';
}

/** The code of the failure that a refused call has repeated. */
function failedWithOf({ error }: CallRecord): string | undefined {
  const detail = error?.code === 'retry_refused' ? readObject(error, 'detail') : undefined;
  return detail && readText(detail, 'failedWith');
}

/** What becomes of the texts that callers may have made up. */
interface Said {
  /** Of an id, that of a call say: personal data in it is left. */
  readonly id: (text: string) => string;
  readonly text: (text: string) => string;
}

function lineOf(record: CallRecord, said: Said): object {
  const { call, durationMs, outcome, error, attempts, replayed, approval, limiter } = record;
  const { exception, isOutcomeUnknown, ledgerKey } = record;
  const { principalId, conversationId } = call;
  // All else is the framework's own, and scrubbing takes longer than the whole call.
  const line = {
    tool: call.tool?.key ?? said.text(call.reference),
    callId: said.id(call.callId),
    outcome,
    code: error?.code,
    failedWith: failedWithOf(record),
    reference: exception?.reference,
    outcomeUnknown: isOutcomeUnknown || undefined,
    durationMs: Math.round(durationMs * 1_000) / 1_000,
    attempts,
    replayed: replayed || undefined,
    approval,
    limiter,
    principal: principalId === undefined ? undefined : said.text(principalId),
    conversationId: conversationId === undefined ? undefined : said.text(conversationId),
    traceId: record.traceId,
    argumentHash: record.argumentHash,
    ledgerKey,
  };
  return Object.fromEntries(Object.entries(line).filter(([, value]) => value !== undefined));
}

/** Makes the observer that writes the lines. */
export function callLog(logger: Logger, scrubber: Scrubber): Observer {
  const said: Said = {
    // New with every call: it is not worth remembering.
    id: (text) => scrubber.id(text).slice(0, MAX_TEXT),
    text: remembering((text) => scrubber.text(text).slice(0, MAX_TEXT)),
  };
  const ended = (record: CallRecord) =>
    logger[levelOf(record)](lineOf(record, said), 'a tool call has ended');
  return { began: () => ({ ended }) };
}
