/**
 * What every entry of the log says of the call that it is about.
 * Invariant: a principal is whatever the application made it, so that reading its id never fails.
 */
import type { CallState } from './call-state';
import { readText } from './mapping/read';

/** The fields that lead from an entry to its call: the tool, the call's id, the caller, a later attempt, and the trace. */
export function logFields(call: CallState): object {
  const { principal }: { readonly principal?: unknown } = call.context;
  const id = typeof principal === 'object' && principal !== null ? readText(principal, 'id') : undefined;
  const attempt = call.notes.get('attempt');
  return {
    ...call.name(),
    ...(id === undefined ? {} : { principal: id }),
    ...(typeof attempt === 'number' && attempt > 1 ? { attempt } : {}),
    ...(call.traceId === undefined ? {} : { traceId: call.traceId }),
  };
}
