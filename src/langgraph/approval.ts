/**
 * Asks for approval by interrupting the graph.
 * Invariant: a call goes on only by a decision that names its id and the hash of what it does and for whom; whatever
 * else a run is resumed with interrupts it again.
 */
import type { ApprovalDecision, ApprovalRequest, Approver, MaskedPart } from '../contract/approval';
import { isObject } from '../contract/json-object';
import { splitToolReference } from '../contract/names';
import type { JsonSchema } from '../contract/schema';
import type { SideEffectDeclaration } from '../contract/tool';
import type { JsonValue } from '../errors/body';
import { toDecision } from '../invocation/approval/decision';
import { escaped, maskedLine, toSafeJson } from '../invocation/approval/words';
import { answerTo, ownMember } from './interrupts';

/** The form in which langchain's human-in-the-loop middleware states a call, which its user interfaces show. */
export interface ActionRequest {
  /** The model name of the tool. */
  readonly name: string;
  /** With credentials masked. */
  readonly args: JsonValue;
  readonly description: string;
}

/** What langchain's user interfaces may offer for a call. */
export interface ReviewConfig {
  readonly actionName: string;
  readonly allowedDecisions: readonly ('approve' | 'edit' | 'reject')[];
  /** JSON Schema 2020-12 of the arguments. */
  readonly argsSchema?: JsonSchema;
}

/** The value of an interrupt that asks for approval. */
export interface ApprovalInterrupt {
  readonly type: 'tool_approval';
  readonly callId: string;
  /** SHA-256 of the arguments with their tool, caller and conversation, since models may give one id to two calls. */
  readonly argumentHash: string;
  /** The tool's own name, `domain.action`. */
  readonly tool: string;
  readonly version: string;
  readonly title?: string;
  readonly description: string;
  /** As they were sent, without defaults, and with credentials masked; invisible characters stay. */
  readonly arguments: JsonValue;
  readonly sideEffect: SideEffectDeclaration;
  /** The id of who is calling; null: nobody is known. */
  readonly principal: string | null;
  /** What the tool says it would do. */
  readonly preview?: JsonValue;
  /** What is masked in the arguments and the preview; left out: nothing is. */
  readonly masked?: readonly MaskedPart[];
  /** Why the last decision could not be taken. */
  readonly problem?: string;
  /** One, for this call. */
  readonly actionRequests: readonly ActionRequest[];
  readonly reviewConfigs: readonly ReviewConfig[];
}

/** A decision on one call, bound to its arguments. */
export type CallDecision = ApprovalDecision & { readonly argumentHash: string };

/** What a run is resumed with: `new Command({ resume: { decisions } })`, by call id. */
export interface ApprovalDecisions {
  readonly decisions: { readonly [callId: string]: CallDecision };
}

function describe(request: ApprovalRequest): string {
  const { tool, description, sideEffect, principalId, preview, problem } = request;
  const masked = maskedLine(request.masked);
  return [
    ...(problem === undefined ? [] : [`The last decision could not be taken: ${escaped(problem)}.`]),
    `${tool} asks for approval: ${description}`,
    `Side effect: ${sideEffect.kind}. Called for: ${principalId === null ? 'nobody that is known' : escaped(principalId)}.`,
    ...(preview === undefined ? [] : [`It would: ${toSafeJson(preview)}`]),
    ...(masked === undefined ? [] : [masked]),
  ].join('\n');
}

function toInterrupt(request: ApprovalRequest, argsSchema: JsonSchema | undefined): ApprovalInterrupt {
  const { callId, modelName, title, description, sideEffect, preview, masked, problem } = request;
  const { name, version = '' } = splitToolReference(request.tool);
  return {
    type: 'tool_approval',
    callId,
    argumentHash: request.binding,
    tool: name,
    version,
    ...(title === undefined ? {} : { title }),
    description,
    arguments: request.arguments,
    sideEffect,
    principal: request.principalId,
    ...(preview === undefined ? {} : { preview }),
    ...(masked === undefined ? {} : { masked }),
    ...(problem === undefined ? {} : { problem }),
    actionRequests: [{ name: modelName, args: request.arguments, description: describe(request) }],
    reviewConfigs: [
      {
        actionName: modelName,
        allowedDecisions: ['approve', 'edit', 'reject'],
        // A copy, since interfaces may change what they are given.
        ...(argsSchema === undefined ? {} : { argsSchema: structuredClone(argsSchema) }),
      },
    ],
  };
}

/** The decision on a call in what a run was resumed with, or what is wrong with that, where something is. */
function decisionIn(
  answer: unknown,
  { callId, binding }: ApprovalRequest,
): { readonly decision?: ApprovalDecision; readonly problem?: string } {
  const decisions = ownMember(answer, 'decisions');
  if (!isObject(decisions)) return { problem: 'a run is resumed with decisions by call id' };
  const own = ownMember(decisions, callId);
  // It may well decide other calls of the same message.
  if (own === undefined) return {};
  if (!isObject(own)) return { problem: 'what stands under the id of this call is no decision' };
  const { argumentHash: decidedHash, ...rest } = own;
  if (decidedHash !== binding) return { problem: 'the decision is on another call, or on other arguments' };
  const decision = toDecision(rest);
  return decision === undefined
    ? { problem: 'what stands under the id of this call is no decision' }
    : { decision };
}

/**
 * Asks by `interrupt()`, again and again until there is a decision. A run that cannot pause asks nobody.
 *
 * @param schemaOf gives the schema of the arguments.
 */
export function interruptingApprover(schemaOf: () => JsonSchema | undefined): Approver {
  return (request) => {
    let { problem } = request;
    for (;;) {
      const told = problem === undefined ? request : { ...request, problem };
      const { isAsked, answer } = answerTo(toInterrupt(told, schemaOf()));
      if (!isAsked) return undefined;
      const found = decisionIn(answer, request);
      if (found.decision !== undefined) return found.decision;
      problem = found.problem ?? problem;
    }
  };
}
