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

/** Scrubs texts that callers may have made up: those that come with one call, and those that come with many. */
interface Scrub {
  readonly once: (text: string) => string;
  readonly again: (text: string) => string;
}

function lineOf(record: CallRecord, scrub: Scrub): object {
  const { call, durationMs, outcome, error, attempts, replayed, approval, limiter } = record;
  const { exception, isOutcomeUnknown, ledgerKey } = record;
  // All else is the framework's own, and scrubbing takes longer than the whole call.
  const said = (text: string | undefined) => (text === undefined ? undefined : scrub.again(text));
  const line = {
    tool: call.tool?.key ?? scrub.once(call.reference),
    callId: scrub.once(call.callId),
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
  const once = (text: string) => scrubber.text(text).slice(0, MAX_TEXT);
  const scrub: Scrub = { once, again: remembering(once) };
  const ended = (record: CallRecord) =>
    logger[levelOf(record)](lineOf(record, scrub), 'a tool call has ended');
  return { began: () => ({ ended }) };
}
