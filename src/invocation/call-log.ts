/**
 * Writes one line a call to the toolkit's logger.
 * Invariant: a line holds no argument, no result and no message: only what tells calls apart and how they ended.
 */
import type { Logger } from '../contract/context';
import type { CallRecord, Observer } from '../contract/observer';
import { readObject, readText } from './mapping/read';
import type { Scrubber } from './scrub';

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

function lineOf(record: CallRecord, scrubber: Scrubber): object {
  const { call, durationMs, outcome, error, attempts, replayed, approval, limiter } = record;
  const { exception, isOutcomeUnknown, ledgerKey } = record;
  // All else is the framework's own, and scrubbing takes longer than the whole call.
  const said = (text: string | undefined) =>
    text === undefined ? undefined : scrubber.text(text).slice(0, MAX_TEXT);
  const line = {
    tool: call.tool?.key ?? said(call.reference),
    callId: said(call.callId),
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
    principal: said(call.principalId),
    conversationId: said(call.conversationId),
    traceId: record.traceId,
    argumentHash: record.argumentHash,
    ledgerKey,
  };
  return Object.fromEntries(Object.entries(line).filter(([, value]) => value !== undefined));
}

/** Makes the observer that writes the lines. */
export function callLog(logger: Logger, scrubber: Scrubber): Observer {
  const ended = (record: CallRecord) =>
    logger[levelOf(record)](lineOf(record, scrubber), 'a tool call has ended');
  return { began: () => ({ ended }) };
}
