/**
 * Makes the events of calls.
 * Invariant: of a call they hold ids, its tool, the hash of its arguments and codes; nothing that it sent or answered.
 */
import type { AuditEvent, AuditKind } from '../../contract/audit';
import type { CallState } from '../call-state';
import { cut } from '../claimed-body';
import { readObject, readText } from '../mapping/read';

/** Callers make ids up; a longer one is cut. */
const MAX_ID = 256;

/** A `traceparent` (W3C Trace Context, section 3.2.2); a trace-id of zeros alone is none. */
const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

function traceIdOf(options: object): string | undefined {
  const given = readObject(options, 'traceContext');
  const text = given === undefined ? undefined : readText(given, 'traceparent');
  return text === undefined ? undefined : TRACEPARENT.exec(text)?.[1];
}

/** Cuts an id to the length that is recorded. */
export function shortId(id: string): string {
  return id.length <= MAX_ID ? id : cut(id, MAX_ID);
}

/** The time of an event that happens now. */
export function nowText(): string {
  return new Date().toISOString();
}

/** Makes an event of a call. */
export function toEvent(
  call: CallState,
  kind: AuditKind,
  more: Pick<AuditEvent, 'outcome' | 'code' | 'approvalId'> = {},
): AuditEvent {
  const { spec, reference, context, argumentHash, options } = call;
  const { principal }: { readonly principal?: unknown } = context;
  const id = typeof principal === 'object' && principal !== null ? readText(principal, 'id') : undefined;
  const { conversationId } = context;
  const traceId = traceIdOf(options);
  return {
    time: nowText(),
    kind,
    tool: spec?.key ?? shortId(reference),
    principalId: id === undefined ? null : shortId(id),
    ...(typeof conversationId === 'string' ? { conversationId: shortId(conversationId) } : {}),
    callId: shortId(String(context.callId)),
    ...(argumentHash === undefined ? {} : { argumentHash }),
    ...more,
    ...(kind === 'call_ended' && call.notes.get('replayed') === true ? { replayed: true } : {}),
    ...(traceId === undefined ? {} : { traceId }),
  };
}
