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
import { definitionHash } from './definition-hash';
import { maskFor } from './masked';

/** What is told to the reviewer beside the call itself. */
export interface ToldBeside {
  /** As the tool gave it. */
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
  reviewers: Scrubber,
  { preview, problem }: ToldBeside,
): ApprovalRequest {
  const spec = specOf(call);
  const { key, modelName, title, description, sideEffect } = spec;
  const { principal, conversationId, callId } = call.context;
  const argumentHash = call.argumentHash ?? '';
  const principalId = principal?.id ?? null;
  const args = maskFor(reviewers, '/arguments', call.json ?? null);
  const would = preview === undefined ? undefined : maskFor(reviewers, '/preview', preview);
  const masked = [...args.masked, ...(would?.masked ?? [])];
  const binding = sha256([key, definitionHash(spec), argumentHash, principalId, conversationId ?? null]);
  return {
    // A door that pauses the run asks the same anew each time that it is resumed.
    id: isAskedByPause(call) ? sha256([binding, callId, problem ?? null]) : randomUUID(),
    binding,
    callId,
    tool: key,
    modelName,
    ...(title === undefined ? {} : { title }),
    description,
    arguments: args.shown,
    argumentHash,
    sideEffect,
    principalId,
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(would === undefined ? {} : { preview: would.shown }),
    ...(masked.length === 0 ? {} : { masked }),
    ...(problem === undefined ? {} : { problem }),
  };
}
