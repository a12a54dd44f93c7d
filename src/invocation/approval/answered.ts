/**
 * Tells calls that the ledger answers already, so that nobody is asked in vain.
 * Invariant: it only spares the question; what goes on so may claim nothing, which the stage `claim` sees to.
 */
import type { Ledger } from '../../contract/ledger';
import type { CallState } from '../call-state';
import { isAnsweredBy } from '../ledger/claim';
import { specOf } from '../stages';

/**
 * Whether the ledger answers a call already. Where its door asks, it is asked each time: a run that is resumed goes by
 * the order of its questions.
 */
export async function isAnswered(call: CallState, ledger: Pick<Ledger, 'get'> | undefined): Promise<boolean> {
  const { sideEffect, idempotencyKey } = specOf(call);
  const { approver, callId } = call.options;
  // A call id that was made up is nobody else's.
  const isKnown = idempotencyKey !== undefined || callId !== undefined;
  if (ledger === undefined || approver !== undefined || sideEffect.kind === 'none' || !isKnown) return false;
  const entry = await call.deadline.watch(() => ledger.get(call.context.idempotencyKey));
  return entry !== undefined && isAnsweredBy(call, entry);
}
