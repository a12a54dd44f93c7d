/**
 * Makes the events of calls.
 * Invariant: of a call they hold ids, its tool, the hash of its arguments and codes; nothing that it sent or answered.
 */
import type { AuditEvent, AuditKind } from '../../contract/audit';
import { readTraceContext } from '../../contract/trace-context';
import type { CallState } from '../call-state';
import { cut } from '../cut';
import { readObject, readText } from '../mapping/read';

/** Callers make ids up; a longer one is cut. */
const MAX_ID = 256;

function traceIdOf(options: object): string | undefined {
  const given = readObject(options, 'traceContext');
  return given && readTraceContext({ traceparent: readText(given, 'traceparent') })?.traceId;
}

/** Cuts an id to the length that is recorded. */
export function shortId(id: string): string {
  return id.length <= MAX_ID ? id : cut(id, MAX_ID);
}

let lastMs = Number.NaN;
let lastText = '';

/** The time of an event that happens now. */
export function nowText(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastText = new Date(now).toISOString();
  }
  return lastText;
}

/** An event that is being made. */
type Draft = { -readonly [member in keyof AuditEvent]: AuditEvent[member] };

/** Makes an event of a call; left out, the approval is the one that it goes by. */
export function toEvent(
  call: CallState,
  kind: AuditKind,
  {
    outcome,
    code,
    approvalId = call.approvalId,
    by,
  }: Pick<AuditEvent, 'outcome' | 'code' | 'approvalId' | 'by'> = {},
): AuditEvent {
  const { spec, context, argumentHash, sentHash, options } = call;
  const { principal }: { readonly principal?: unknown } = context;
  const id = typeof principal === 'object' && principal !== null ? readText(principal, 'id') : undefined;
  const event: Draft = {
    time: nowText(),
    kind,
    tool: spec?.key ?? shortId(call.reference),
    principalId: id === undefined ? null : shortId(id),
    callId: shortId(String(context.callId)),
  };
  const { conversationId } = context;
  if (typeof conversationId === 'string') event.conversationId = shortId(conversationId);
  if (argumentHash !== undefined) event.argumentHash = argumentHash;
  if (sentHash !== undefined && sentHash !== argumentHash) event.sentHash = sentHash;
  if (outcome !== undefined) event.outcome = outcome;
  if (code !== undefined) event.code = code;
  if (approvalId !== undefined) event.approvalId = approvalId;
  if (by !== undefined) event.by = by;
  if (kind === 'call_ended' && call.notes.get('replayed') === true) event.replayed = true;
  // Where somebody watches the call, it may have begun a trace of its own.
  const traceId = call.traceId ?? traceIdOf(options);
  if (traceId !== undefined) event.traceId = traceId;
  return event;
}
