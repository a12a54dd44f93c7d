/**
 * Makes what a reviewer gets to see of a call.
 * Invariant: secrets are masked; each request has an id of its own, which it keeps in a run that is resumed, and a
 * binding that every same call has.
 */
import { randomUUID } from 'node:crypto';
import type { ApprovalRequest } from '../../contract/approval';
import type { JsonValue } from '../../errors/body';
import { type CallState, sha256 } from '../call-state';
import type { Scrubber } from '../scrub';
import { specOf } from '../stages';

/** What is told to the reviewer beside the call itself. */
export interface ToldBeside {
  readonly preview: JsonValue | undefined;
  readonly problem: string | undefined;
}

/** Whether the door of a call asks by a pause of the run. */
export function isAskedByPause({ options: { approver, isPause } }: CallState): boolean {
  return approver !== undefined && isPause !== undefined;
}

/** Makes the request for the approval of a call. */
export function toRequest(
  call: CallState,
  scrubber: Scrubber,
  { preview, problem }: ToldBeside,
): ApprovalRequest {
  const { key, modelName, title, description, sideEffect } = specOf(call);
  const { principal, conversationId, callId } = call.context;
  const argumentHash = call.argumentHash ?? '';
  const principalId = principal?.id ?? null;
  const binding = sha256([key, argumentHash, principalId, conversationId ?? null]);
  return {
    // A door that pauses the run asks the same anew each time that it is resumed.
    id: isAskedByPause(call) ? sha256([binding, callId, problem ?? null]) : randomUUID(),
    binding,
    callId,
    tool: key,
    modelName,
    ...(title === undefined ? {} : { title }),
    description,
    arguments: scrubber.json(call.json ?? null),
    argumentHash,
    sideEffect,
    principalId,
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(preview === undefined ? {} : { preview }),
    ...(problem === undefined ? {} : { problem }),
  };
}
