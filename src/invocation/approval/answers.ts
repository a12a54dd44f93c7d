/**
 * What is answered to a call that no person has let through.
 * Invariant: it says that nothing was run, and whether the same call may succeed later.
 */
import type { ApprovalRequest } from '../../contract/approval';
import type { CallState } from '../call-state';
import { type Failure, failure } from '../failure';
import { specOf } from '../stages';

const MAX_REASON = 1_000;

/** A person has yet to decide. */
export function required(call: CallState, { id }: ApprovalRequest): Failure {
  const message = `${specOf(call).name} runs only when a person has approved the call. It was not run. Their approval is asked for; call again, unchanged, once they have given it.`;
  return failure('approval_required', message, { retryable: true, detail: { approvalId: id } });
}

/** A person has refused, for a reason that is scrubbed already. */
export function rejected(call: CallState, reason: string): Failure {
  const said = reason.trim().slice(0, MAX_REASON);
  const why = said === '' ? '' : ` They say: ${said}`;
  return failure('approval_rejected', `A person has rejected this call of ${specOf(call).name}.${why}`);
}

/** A person has edited the arguments, over and over, to what cannot be taken. */
export function neverValid(call: CallState): Failure {
  const message = `The reviewer of ${specOf(call).name} edited its arguments, and they stayed invalid; it was not run.`;
  return failure('approval_rejected', message);
}
