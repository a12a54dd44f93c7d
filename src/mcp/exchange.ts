/**
 * What is known of whom a server answers: of one HTTP request, or of one connection over stdio.
 * Invariant: the principal comes from credentials or from configuration, never from what the client says of itself.
 */
import type { RequestId } from '@modelcontextprotocol/server';
import type { Principal } from '../contract/principal';
import { isObject } from './json-object';

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
  /** Arguments that are no object, which the SDK would refuse before any tool sees them. */
  readonly oddArguments: Map<RequestId, unknown>;
}

/** Takes arguments that are no object out of a message, in place, and keeps those that say something. */
export function readMessage(message: unknown, oddArguments: Map<RequestId, unknown>): void {
  if (!isObject(message) || message.method !== 'tools/call' || !isObject(message.params)) return;
  const { id, params } = message;
  if (!Object.hasOwn(params, 'arguments') || isObject(params.arguments)) return;
  if (params.arguments !== null && (typeof id === 'string' || typeof id === 'number')) {
    oddArguments.set(id, params.arguments);
  }
  delete params.arguments;
}

/** The name of the tool that a message calls; undefined where it calls none. */
export function calledName(message: unknown): string | undefined {
  if (!isObject(message) || message.method !== 'tools/call' || !isObject(message.params)) return undefined;
  return typeof message.params.name === 'string' ? message.params.name : undefined;
}
