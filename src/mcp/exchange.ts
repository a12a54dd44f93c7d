/**
 * What is known of whom a server answers: of one HTTP request, or of one connection over stdio.
 * Invariant: the principal comes from credentials or from configuration, never from what the client says of itself.
 */
import { randomUUID } from 'node:crypto';
import { isJSONRPCRequest, type RequestId } from '@modelcontextprotocol/server';
import { isObject } from '../contract/json-object';
import type { Principal } from '../contract/principal';
import { cancelledBy, type Stops } from './cancellations';

/** Whom a server answers, and what the transport has learned of the messages. */
export interface Exchange {
  readonly principal: Principal | undefined;
  /** An OAuth challenge can be answered: the exchange is authenticated by a token, over HTTP. */
  readonly isChallengeable: boolean;
  /** The session that a client of 2025 names, which is no credential; left out: none. */
  readonly conversationId?: string;
  /** Whether the client can be asked while a call runs, though it is of 2025. */
  readonly canAskLegacy: boolean;
  /** The tools that the messages call, by name. */
  readonly calledNames: readonly string[];
  /** What ends the calls of a batch, each alone; left out: no call can be ended so. */
  readonly stops?: Stops;
}

/** Under what arguments that are no object travel to the door; nobody outside can guess it. */
const ODD = randomUUID();

/** What the SDK would not let through, in a form that it does; undefined where it lets it through. */
function passable(method: unknown, params: Record<string, unknown>): Record<string, unknown> | undefined {
  if (method === 'tools/list' && params.cursor !== undefined && typeof params.cursor !== 'string') {
    // A cursor that was never given out, and is refused as such.
    return { ...params, cursor: '' };
  }
  if (method !== 'tools/call' || !Object.hasOwn(params, 'arguments') || isObject(params.arguments)) {
    return undefined;
  }
  const { arguments: given, ...others } = params;
  return given === null || given === undefined ? others : { ...others, arguments: { [ODD]: given } };
}

/**
 * A message as the SDK lets it through, so that what is odd about it is answered as anything that is invalid; the
 * message itself where nothing is. It is never changed.
 */
export function readMessage<T>(message: T): T {
  if (!isObject(message) || !isObject(message.params)) return message;
  const params = passable(message.method, message.params);
  return params === undefined ? message : { ...message, params };
}

/**
 * As `readMessage`, for a body, which may hold several messages. What cancels a request of the same body is left out:
 * the SDK would wait for its answer for ever.
 */
export function readJson(json: unknown): unknown {
  if (!Array.isArray(json)) return readMessage(json);
  const messages: readonly unknown[] = json;
  const ids = new Set(messages.flatMap((message) => (isJSONRPCRequest(message) ? [message.id] : [])));
  const isInner = (id: RequestId | undefined) => id !== undefined && ids.has(id);
  return messages.filter((message) => !isInner(cancelledBy(message))).map(readMessage);
}

/** The arguments that a message came with. */
export function givenArguments(args: Record<string, unknown> | undefined): unknown {
  return args !== undefined && Object.hasOwn(args, ODD) ? args[ODD] : args;
}

/** The name of the tool that a message calls; undefined where it calls none. */
export function calledName(message: unknown): string | undefined {
  if (!isObject(message) || message.method !== 'tools/call' || !isObject(message.params)) return undefined;
  return typeof message.params.name === 'string' ? message.params.name : undefined;
}
