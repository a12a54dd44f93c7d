/**
 * Asks for approval by a form at the client.
 * Invariant: the person sees the whole call or is not asked, nothing in it can pass for words of the form, and only
 * an accepted form that says so approves.
 */
import type { ApprovalDecision, ApprovalRequest } from '../contract/approval';
import { isObject } from '../contract/json-object';
import { escaped, maskedLine, toSafeJson } from '../invocation/approval/words';
import { invisible } from '../invocation/scrub/invisible';
import type { GivenAnswer } from './answers';

/** In characters; a call that takes more is not put to anybody by a form. */
const MAX_MESSAGE = 8_000;
const MAX_REASON = 500;

/** The fields of the form, in MCP's terms. */
export const APPROVAL_FORM = {
  type: 'object' as const,
  properties: {
    decision: { type: 'string' as const, title: 'Decision', enum: ['approve', 'reject'] },
    reason: {
      type: 'string' as const,
      title: 'Reason',
      description: 'Told to the model with a rejection',
      maxLength: MAX_REASON,
    },
  },
  required: ['decision'],
};

/** The author's own words, as they are. */
function onOneLine(text: string): string {
  return invisible.scrub(text).replace(/\s+/g, ' ').trim();
}

/** The question, in plain text; undefined: the call takes more than a form can show. */
export function toApprovalMessage(request: ApprovalRequest): string | undefined {
  const { tool, title, description, sideEffect, principalId, preview, problem } = request;
  const masked = maskedLine(request.masked);
  const message = [
    ...(problem === undefined ? [] : [`The last decision could not be taken: ${escaped(problem)}`]),
    `Approve this call of ${escaped(tool)}?`,
    onOneLine(title === undefined ? description : `${title}: ${description}`),
    `Side effect: ${sideEffect.kind}`,
    `Called for: ${principalId === null ? 'nobody that is known' : toSafeJson(principalId)}`,
    `Arguments: ${toSafeJson(request.arguments)}`,
    ...(preview === undefined ? [] : [`It would: ${toSafeJson(preview)}`]),
    ...(masked === undefined ? [] : [masked]),
  ].join('\n');
  return message.length > MAX_MESSAGE ? undefined : message;
}

/** The decision in an answer; undefined: there is none, and the request stays open. */
export function decisionIn(answer: GivenAnswer): ApprovalDecision | undefined {
  if (answer.action === 'cancel') return undefined;
  if (answer.action === 'decline') return { type: 'reject' };
  const { decision, reason } = isObject(answer.content) ? answer.content : {};
  if (decision === 'approve') return { type: 'approve' };
  if (decision !== 'reject') return undefined;
  return typeof reason === 'string'
    ? { type: 'reject', reason: reason.slice(0, MAX_REASON) }
    : { type: 'reject' };
}
