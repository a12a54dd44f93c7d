/**
 * Puts the questions of handlers by interrupting the graph.
 * Invariant: an answer is taken only for the call and the question that it names; whatever else a run is resumed with
 * interrupts it again.
 */
import type { InputAnswer, InputRequest, InputRequester } from '../contract/input';
import { isObject } from '../contract/json-object';
import { splitToolReference } from '../contract/names';
import type { JsonSchema } from '../contract/schema';
import { answerTo, ownMember } from './interrupts';

/** The value of an interrupt that asks for what a handler needs. */
export interface InputInterrupt {
  readonly type: 'tool_input';
  readonly callId: string;
  /** SHA-256 of the question with its tool, arguments, caller and conversation. */
  readonly binding: string;
  /** The name of the question within its call. */
  readonly key: string;
  /** The tool's own name, `domain.action`. */
  readonly tool: string;
  readonly version: string;
  /** In plain text. */
  readonly message: string;
  /** Of the form: a flat object. */
  readonly schema: JsonSchema;
  /** Why the last answer could not be taken. */
  readonly problem?: string;
}

/** An answer to one question. */
export type CallInput = InputAnswer<unknown> & { readonly binding: string };

/** What a run is resumed with: `new Command({ resume: { inputs } })`, by call id. */
export interface InputAnswers {
  readonly inputs: { readonly [callId: string]: CallInput };
}

function toInterrupt(request: InputRequest, problem: string | undefined): InputInterrupt {
  const { callId, binding, key, message, schema } = request;
  const { name, version = '' } = splitToolReference(request.tool);
  return {
    type: 'tool_input',
    callId,
    binding,
    key,
    tool: name,
    version,
    message,
    // A copy, since interfaces may change what they are given.
    schema: structuredClone(schema),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** The answer to a question in what a run was resumed with, or what is wrong with that, where something is. */
function answerIn(
  resumed: unknown,
  { callId, binding }: InputRequest,
): { readonly answer?: InputAnswer<unknown>; readonly problem?: string } {
  const inputs = ownMember(resumed, 'inputs');
  // It may well answer other calls of the same message, or decide them.
  const own = ownMember(inputs, callId);
  if (own === undefined)
    return isObject(resumed) ? {} : { problem: 'a run is resumed with inputs by call id' };
  if (ownMember(own, 'binding') !== binding) return { problem: 'the answer is to another question' };
  const action = ownMember(own, 'action');
  if (action === 'decline' || action === 'cancel') return { answer: { action } };
  if (action === 'accept') return { answer: { action, content: ownMember(own, 'content') } };
  return { problem: 'what stands under the id of this call is no answer' };
}

/** Asks by `interrupt()`, again and again until there is an answer. A run that cannot pause asks nobody. */
export const interruptingRequester: InputRequester = (request) => {
  let { problem } = request;
  for (;;) {
    const { isAsked, answer: resumed } = answerTo(toInterrupt(request, problem));
    if (!isAsked) return undefined;
    const found = answerIn(resumed, request);
    if (found.answer !== undefined) return found.answer;
    problem = found.problem ?? problem;
  }
};
