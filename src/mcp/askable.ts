/**
 * Tells whether a client, and the person at it, can be asked while a call runs.
 * Invariant: nobody is asked by a client that has not said that it can.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isObject } from '../contract/json-object';
import type { Exchange } from './exchange';

/**
 * Whether the client has declared forms: with the request (MCP 2026-07-28), or, where the transport can carry it, with
 * its handshake. No mode at all means forms (Elicitation › Capabilities).
 */
export function canAsk(server: McpServer, { mcpReq }: ServerContext, { canAskLegacy }: Exchange): boolean {
  const envelope: unknown = mcpReq.envelope;
  const legacy = canAskLegacy ? server.server.getClientCapabilities() : undefined;
  const declared: unknown = isObject(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : legacy;
  const elicitation = isObject(declared) ? declared.elicitation : undefined;
  if (!isObject(elicitation)) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}

/** Whether the client can be sent a question at all: by an answer (MCP 2026-07-28), or on an open connection. */
export function canCarry({ mcpReq }: ServerContext, { canAskLegacy }: Exchange): boolean {
  return isObject(mcpReq.envelope) || canAskLegacy;
}
