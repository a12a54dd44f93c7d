/**
 * Cancellation by clients of 2025 over HTTP, who send it as a request of its own.
 * Invariant: a call is cancelled only by who made it: the same principal, in the same session, by its id.
 */
import type { McpServer, RequestId } from '@modelcontextprotocol/server';
import { isObject } from '../contract/json-object';
import type { Principal } from '../contract/principal';

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
export function cancelledBy(message: unknown): RequestId | undefined {
  if (!isObject(message) || message.method !== 'notifications/cancelled') return undefined;
  const id = isObject(message.params) ? message.params.requestId : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** By id, what ends the calls of a batch, each alone. Empty where a call came alone. */
export type Stops = ReadonlyMap<RequestId, AbortController>;

/** Makes what ends the calls of an exchange one by one, where there are several. */
export function stopsFor(ids: readonly RequestId[]): Stops {
  return new Map(ids.length > 1 ? ids.map((id) => [id, new AbortController()]) : []);
}

/** The signal of a call: the SDK's, or what ends the call alone, which then is aborted with the SDK's too. */
export function signalOf(signal: AbortSignal, stop: AbortController | undefined): AbortSignal {
  if (stop === undefined) return signal;
  const abort = () => stop.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return stop.signal;
}

/** The exchanges that run. */
export class Cancellations {
  private readonly running = new Map<string, { readonly server: McpServer; readonly end: () => void }>();

  /** Remembers who serves the calls of an exchange, until it has ended. */
  add(caller: Canceller, ids: readonly RequestId[], server: McpServer, stops: Stops): void {
    const keys = ids.flatMap((id) => {
      const key = keyOf(caller, id);
      if (key === undefined) return [];
      const stop = stops.get(id);
      const end = () => (stop === undefined ? void server.close().catch(() => {}) : stop.abort());
      this.running.set(key, { server, end });
      return [key];
    });
    if (keys.length === 0) return;
    const { onclose } = server.server;
    server.server.onclose = () => {
      onclose?.();
      for (const key of keys) if (this.running.get(key)?.server === server) this.running.delete(key);
    };
  }

  /**
   * Ends the call that a message cancels. One that came alone is left without an answer; one of a batch is answered as
   * cancelled, since the SDK ends the response only when all have their answers.
   */
  take(caller: Canceller, message: unknown): void {
    const id = cancelledBy(message);
    const key = id === undefined ? undefined : keyOf(caller, id);
    if (key !== undefined) this.running.get(key)?.end();
  }
}
