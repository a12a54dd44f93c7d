/**
 * Puts the questions of a handler to the person at the client, by the door of its call.
 * Invariant: a handler gets only content that the contract of its model has accepted; silence is no answer.
 */
import type { Class } from '../../contract/class';
import type { ClientRequester, InputAnswer, InputRequester, RequestInputOptions } from '../../contract/input';
import { isSchema } from '../../contract/schema';
import { formOf } from '../../validation/form';
import { toJson } from '../../validation/to-json';
import { invisible } from '../scrub/invisible';
import { list } from '../violations';

/** How often a person is asked one question whose answers are invalid. */
const MAX_ASKED = 5;
/** In characters. */
const MAX_MESSAGE = 2_000;
const KEY = /^[A-Za-z0-9_.-]{1,64}$/;

/** Takes what the model declares; what else a client sends is nobody's answer. */
function declaredOf(content: unknown, names: readonly string[]): unknown {
  const json = toJson(content ?? {});
  if (!json.ok || !isSchema(json.value)) return json.ok ? json.value : undefined;
  const { value } = json;
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(value, name) ? [[name, value[name]]] : [])),
  );
}

/** The call whose handler asks. */
export interface AskingCall {
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Undefined: the door of the call asks nobody. */
  readonly requester: InputRequester | undefined;
  /** Undefined: the door of the call sends nothing to the client. */
  readonly clientRequester: ClientRequester | undefined;
  /** `name@version`. */
  tool(): string;
  /** Counts one more question, and gives its number. */
  count(): number;
  isOver(): boolean;
  /** The hash of a question with its tool, arguments, principal and conversation. */
  bind(question: readonly unknown[]): string;
}

/** The key of a question, which counts as one more of its call. @throws TypeError where its author gave none of ours. */
export function toKey(call: AskingCall, what: string, named: string | undefined): string {
  const number = call.count();
  const key = named ?? String(number);
  if (!KEY.test(key)) throw new TypeError(`${what}: key is not 1 to 64 letters, digits, "_", "-" and ".".`);
  // Parsers of JSON leave such members out of what a client sends, so its answer would never come.
  if (key in Object.prototype) {
    throw new TypeError(
      `${what}: key ${key} is a name that every object of JavaScript has; name it otherwise.`,
    );
  }
  return key;
}

/**
 * Asks for what a model describes, and again, five times at most, where the answer is invalid; then the person has
 * cancelled. Undefined: nobody can be asked now.
 *
 * @throws DeclarationError where a form cannot show the model.
 * @throws TypeError where the question is not sound, or the door answers what is no answer.
 */
export async function ask<T extends object>(
  call: AskingCall,
  model: Class<T>,
  { message: given, key: named }: RequestInputOptions,
): Promise<InputAnswer<T> | undefined> {
  const key = toKey(call, 'requestInput', named);
  if (typeof given !== 'string' || given.trim() === '') {
    throw new TypeError('requestInput: message is no text; say what the person is asked.');
  }
  const { schema, contract } = formOf(model);
  const { callId, signal, requester } = call;
  if (requester === undefined || call.isOver()) return undefined;
  const message = invisible.scrub(given).slice(0, MAX_MESSAGE);
  const names = isSchema(schema.properties) ? Object.keys(schema.properties) : [];
  let problem: string | undefined;
  for (let attempt = 1; attempt <= MAX_ASKED; attempt += 1) {
    const binding = call.bind([key, message, schema, attempt]);
    const question = { callId, tool: call.tool(), key, message, schema, binding };
    const answer = await requester(problem === undefined ? question : { ...question, problem }, signal);
    if (answer === undefined) return undefined;
    if (answer?.action === 'decline' || answer?.action === 'cancel') return { action: answer.action };
    if (answer?.action !== 'accept')
      throw new TypeError('requestInput: the door answered what is no answer.');
    const parsed = await contract.parse(declaredOf(answer.content, names));
    if (!parsed.ok) problem = list(parsed.violations);
    else if (parsed.value instanceof model) return { action: 'accept', content: parsed.value };
    else throw new TypeError(`requestInput: the contract made no ${model.name}.`);
  }
  return { action: 'cancel' };
}
