/**
 * Turns the answers of langchain's human-in-the-loop interfaces, which go by position, into decisions by call id.
 * Invariant: an answer reaches the call that it was shown for, or none; what is no answer is refused.
 */

import { isObject } from '../contract/json-object';
import { toDecision } from '../invocation/approval/decision';
import { type ActionRequest, type ApprovalDecisions, type CallDecision } from './approval';

/** An interrupt as a run gives it in `__interrupt__`. */
export interface GivenInterrupt {
  readonly value?: unknown;
}

/** One call that waits: what binds a decision to it. */
interface Waiting {
  readonly callId: string;
  readonly argumentHash: string;
  readonly action: Pick<ActionRequest, 'name'>;
}

function toWaiting({ value }: GivenInterrupt): Waiting {
  if (isObject(value) && value.type === 'tool_approval' && Array.isArray(value.actionRequests)) {
    const { callId, argumentHash } = value;
    const [action]: readonly unknown[] = value.actionRequests;
    if (
      typeof callId === 'string' &&
      typeof argumentHash === 'string' &&
      isObject(action) &&
      typeof action.name === 'string'
    ) {
      return { callId, argumentHash, action: { name: action.name } };
    }
  }
  throw new TypeError(
    'toDecisions: the interrupt asks for no approval; give those whose type is tool_approval',
  );
}

/** Our words for an answer; members that do not belong to its type stay, and make it none. */
function translated(answer: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(answer)) return {};
  if (answer.type === 'edit') {
    const { editedAction, ...rest } = answer;
    return isObject(editedAction) ? { ...rest, arguments: editedAction.args } : rest;
  }
  if (answer.type !== 'reject') return answer;
  const { message, ...rest } = answer;
  return message === undefined ? rest : { ...rest, reason: message };
}

/** Makes a decision of one answer; `which` counts from 1. */
function toOurs(answer: unknown, { callId, argumentHash, action }: Waiting, which: number): CallDecision {
  const refuse = (why: string): never => {
    throw new TypeError(`toDecisions: answer ${which}, to the call ${callId} of ${action.name}, ${why}`);
  };
  const edited = isObject(answer) && isObject(answer.editedAction) ? answer.editedAction : action;
  if (edited.name !== action.name) {
    return refuse('names another tool; reject the call, and let the model make another');
  }
  // langchain's Python interfaces spell it so.
  if (isObject(answer) && 'edited_action' in answer) return refuse('has edited_action; call it editedAction');
  const decision = toDecision(translated(answer));
  return decision === undefined
    ? refuse('is neither approve, nor edit with editedAction, nor reject')
    : { ...decision, argumentHash };
}

/**
 * Makes what a run is resumed with of an interrupt, or of several, and the answers to them in their order.
 *
 * @throws TypeError when an interrupt asks for no approval, the numbers differ, an answer is none, or an edited
 * action names another tool.
 */
export function toDecisions(
  interrupts: GivenInterrupt | readonly GivenInterrupt[],
  response: { readonly decisions: readonly unknown[] },
): ApprovalDecisions {
  const waiting = [interrupts].flat().map(toWaiting);
  const answers: unknown = response?.decisions;
  if (!Array.isArray(answers) || answers.length !== waiting.length) {
    throw new TypeError(
      `toDecisions: give { decisions } with one answer for each interrupt, ${waiting.length} in all`,
    );
  }
  const decisions = waiting.map((one, at) => [one.callId, toOurs(answers[at], one, at + 1)] as const);
  return { decisions: Object.fromEntries(decisions) };
}
