/**
 * The streams of `subscriptions/listen`, and whose each is.
 * Invariant: a stream belongs to the principal whose request opened it; nobody else's changes are told on it, and nobody
 * can take the streams of all.
 */
import {
  ProtocolErrorCode,
  type RequestId,
  type ServerEvent,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import type { Principal } from '../contract/principal';
import type { Concerns } from './list-changes';

type Listener = (event: ServerEvent) => void;

/** How many streams one principal may have open; callers without one share this many. The SDK bounds all at 1,024. */
const MAX_STREAMS = 64;

/** The request that opens a stream. */
export interface Opening {
  readonly principal: Principal | undefined;
  /** Held while the stream is open: its signal hears nothing once it is collected. */
  readonly request: Request;
  readonly id: RequestId;
}

/** As the SDK answers beyond its own bound. */
function limitReached(id: RequestId): Response {
  const code = ProtocolErrorCode.InternalError;
  return Response.json({ jsonrpc: '2.0', error: { code, message: 'Subscription limit reached' }, id });
}

/** Where the SDK's streams hear of changes. */
export class Subscribers implements ServerEventBus {
  private readonly listeners = new Map<Listener, Opening | undefined>();
  private opening: Opening | undefined;
  private turn: Promise<unknown> = Promise.resolve();

  /**
   * Opens a stream, or refuses it where its principal has too many. One at a time, since the SDK does not say for which
   * request it subscribes.
   */
  open(opening: Opening, serve: () => Promise<Response>): Promise<Response> {
    const opened = this.turn.then(async () => {
      if (this.countOf(opening.principal) >= MAX_STREAMS) return limitReached(opening.id);
      this.opening = opening;
      try {
        return await serve();
      } finally {
        this.opening = undefined;
      }
    });
    this.turn = opened.catch(() => {});
    return opened;
  }

  /** Tells those whom a change of the list concerns. */
  toolsChanged(concerns: Concerns): void {
    for (const [listener, opening] of this.listeners) {
      if (concerns(opening?.principal)) listener({ kind: 'tools_list_changed' });
    }
  }

  publish(event: ServerEvent): void {
    for (const listener of this.listeners.keys()) listener(event);
  }

  subscribe(listener: Listener): () => void {
    this.listeners.set(listener, this.opening);
    return () => this.listeners.delete(listener);
  }

  private countOf(principal: Principal | undefined): number {
    const openings = [...this.listeners.values()];
    return openings.filter((opening) => opening?.principal?.id === principal?.id).length;
  }
}
