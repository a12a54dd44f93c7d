/**
 * Writes one line a call to the toolkit's logger.
 * Invariant: a line holds no argument, no result and no message: only what tells calls apart and how they ended.
 */
import type { Logger } from '../contract/context';
import type { CallRecord, Observer } from '../contract/observer';
import type { Scrubber } from './scrub';

/** Of a text that a caller may have made up, in characters. */
const MAX_TEXT = 128;

/** What operators have to look at, and what may be a fault of a service that a tool calls. */
const ERRORS: readonly string[] = ['internal_error', 'invalid_output'];
const WARNINGS: readonly string[] = ['timeout', 'unavailable', 'outcome_unknown'];

function levelOf({ error }: CallRecord): 'error' | 'warn' | 'info' {
  if (error === undefined) return 'info';
  if (ERRORS.includes(error.code)) return 'error';
  return WARNINGS.includes(error.code) ? 'warn' : 'info';
}

function lineOf(record: CallRecord, scrubber: Scrubber): object {
  const { call, durationMs, outcome, error, attempts, replayed, approval, limiter } = record;
  // All else is the framework's own, and scrubbing takes longer than the whole call.
  const said = (text: string | undefined) =>
    text === undefined ? undefined : scrubber.text(text).slice(0, MAX_TEXT);
  const line = {
    tool: call.tool?.key ?? said(call.reference),
    callId: said(call.callId),
    outcome,
    code: error?.code,
    durationMs: Math.round(durationMs * 1_000) / 1_000,
    attempts,
    replayed: replayed || undefined,
    approval,
    limiter,
    principal: said(call.principalId),
    conversationId: said(call.conversationId),
    traceId: record.traceId,
    argumentHash: record.argumentHash,
  };
  return Object.fromEntries(Object.entries(line).filter(([, value]) => value !== undefined));
}

/** Makes the observer that writes the lines. */
export function callLog(logger: Logger, scrubber: Scrubber): Observer {
  const ended = (record: CallRecord) =>
    logger[levelOf(record)](lineOf(record, scrubber), 'a tool call has ended');
  return { began: () => ({ ended }) };
}
