/**
 * Cancellation by clients of 2025 over HTTP, who send it as a request of its own.
 * Invariant: a call is cancelled only by who made it: the same principal, in the same session, by its id.
 */
import type { McpServer, RequestId } from '@modelcontextprotocol/server';
import type { Principal } from '../contract/principal';
import { isObject } from './json-object';

/** Who may cancel. */
export interface Canceller {
  readonly principal: Principal | undefined;
  /** Undefined: the client names no session, and its ids may be those of another. */
  readonly session: string | undefined;
}

function keyOf({ principal, session }: Canceller, id: RequestId): string | undefined {
  return session === undefined ? undefined : JSON.stringify([principal?.id ?? null, session, id]);
}

/** The id of the request that a message cancels. */
function cancelledBy(message: unknown): RequestId | undefined {
  if (!isObject(message) || message.method !== 'notifications/cancelled') return undefined;
  const id = isObject(message.params) ? message.params.requestId : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** The servers of the exchanges that run. */
export class Cancellations {
  private readonly running = new Map<string, McpServer>();

  /** Remembers who serves the calls of an exchange, until it has ended. */
  add(caller: Canceller, ids: readonly RequestId[], server: McpServer): void {
    const keys = ids.flatMap((id) => keyOf(caller, id) ?? []);
    if (keys.length === 0) return;
    for (const key of keys) this.running.set(key, server);
    const { onclose } = server.server;
    server.server.onclose = () => {
      onclose?.();
      for (const key of keys) if (this.running.get(key) === server) this.running.delete(key);
    };
  }

  /** Ends the exchange that a message cancels, which aborts its call and leaves it without an answer. */
  take(caller: Canceller, message: unknown): void {
    const id = cancelledBy(message);
    const key = id === undefined ? undefined : keyOf(caller, id);
    const server = key === undefined ? undefined : this.running.get(key);
    server?.close().catch(() => {});
  }
}
