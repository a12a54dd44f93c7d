/**
 * Puts the questions of a handler to the client itself, by the door of its call.
 * Invariant: what is sent is JSON, and so is what the handler gets.
 */
import type { ClientQuestion } from '../../contract/input';
import { isSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';
import { toJson } from '../../validation/to-json';
import { type AskingCall, toKey } from './ask';

const METHODS: readonly unknown[] = [
  'sampling/createMessage',
  'roots/list',
] satisfies ClientQuestion['method'][];

/**
 * Asks the client. Undefined: the door cannot.
 *
 * @throws TypeError where the question is not sound, or the door answers what is no JSON.
 */
export async function askClient(
  call: AskingCall,
  { method, params: given = {}, key: named }: ClientQuestion,
): Promise<JsonValue | undefined> {
  const key = toKey(call, 'requestFromClient', named);
  if (!METHODS.includes(method)) {
    throw new TypeError(`requestFromClient: method is none of ${METHODS.join(', ')}.`);
  }
  const params = toJson(given);
  if (!params.ok || !isSchema(params.value))
    throw new TypeError('requestFromClient: params is no object of JSON.');
  const { callId, signal, clientRequester } = call;
  if (clientRequester === undefined || call.isOver()) return undefined;
  const binding = call.bind([key, method, params.value]);
  const sent = { callId, tool: call.tool(), key, binding, method, params: params.value };
  const answer: unknown = await clientRequester(sent, signal);
  if (answer === undefined) return undefined;
  const json = toJson(answer);
  if (json.ok) return json.value;
  throw new TypeError('requestFromClient: the door answered what is no JSON.');
}
