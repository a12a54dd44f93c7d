/**
 * What every entry of the log says of the call that it is about.
 * Invariant: a principal is whatever the application made it, so that reading its id never fails.
 */
import type { CallState } from './call-state';
import { readText } from './mapping/read';

/** The key that the action of a call goes by in the ledger; undefined where there is none, or not yet. */
export function ledgerKeyOf({ spec, argumentHash, context }: CallState): string | undefined {
  const isOfAction = argumentHash !== undefined && spec !== undefined && spec.sideEffect.kind !== 'none';
  // Of a principal whose id is no text there is no key.
  return isOfAction ? readText(context, 'idempotencyKey') : undefined;
}

/**
 * The fields that lead from an entry to its call: the tool, the call's id, the caller, the conversation, a later
 * attempt, the trace, and the ledger's key.
 */
export function logFields(call: CallState): object {
  const { principal }: { readonly principal?: unknown } = call.context;
  const id = typeof principal === 'object' && principal !== null ? readText(principal, 'id') : undefined;
  const conversationId = readText(call.context, 'conversationId');
  const ledgerKey = ledgerKeyOf(call);
  const attempt = call.notes.get('attempt');
  return {
    ...call.name(),
    ...(id === undefined ? {} : { principal: id }),
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(typeof attempt === 'number' && attempt > 1 ? { attempt } : {}),
    ...(call.traceId === undefined ? {} : { traceId: call.traceId }),
    ...(ledgerKey === undefined ? {} : { ledgerKey }),
  };
}
