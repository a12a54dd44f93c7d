/**
 * Who approves what the agent may not do alone: by default somebody who goes by a script.
 * Invariant: what a reviewer decides follows from the request alone.
 */
import type { ApprovalDecision, JsonValue } from 'toolcrib';
import type { ApprovalInterrupt } from 'toolcrib/langgraph';

/** Decides on a request; undefined: nobody does now. */
export type Reviewer = (request: ApprovalInterrupt) => Promise<ApprovalDecision | undefined>;

/** The most that is paid back at once, in the minor unit. */
const HIGHEST_REFUND = 2_000;

/** Tells objects from lists and plain values. */
export function isObject(value: JsonValue): value is { readonly [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Lets small refunds through, lowers larger ones, and lets nobody cancel. */
export const scriptedReviewer: Reviewer = async ({ tool, arguments: args }) => {
  if (tool !== 'orders.refund') {
    return { type: 'reject', reason: 'Ask the customer first whether a later delivery would do.' };
  }
  const isHigh = isObject(args) && Number(args.amount_minor) > HIGHEST_REFUND;
  return isHigh
    ? { type: 'edit', arguments: { ...args, amount_minor: HIGHEST_REFUND } }
    : { type: 'approve' };
};
