/**
 * Makes what a reviewer gets to see of a call.
 * Invariant: secrets are masked; each request has an id of its own, and a binding that every same call has.
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
  return {
    id: randomUUID(),
    binding: sha256([key, argumentHash, principalId, conversationId ?? null]),
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
