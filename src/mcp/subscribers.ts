/**
 * The streams of `subscriptions/listen`, and whose each is.
 * Invariant: a stream belongs to the principal whose request opened it; nobody else's changes are told on it.
 */
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { Principal } from '../contract/principal';
import type { Concerns } from './list-changes';

type Listener = (event: ServerEvent) => void;

/** Where the SDK's streams hear of changes. */
export class Subscribers implements ServerEventBus {
  private readonly listeners = new Map<Listener, Principal | undefined>();
  private opening: Principal | undefined;
  private turn: Promise<unknown> = Promise.resolve();

  /** Opens a stream for a principal. One at a time, since the SDK does not say for which request it subscribes. */
  open<T>(principal: Principal | undefined, serve: () => Promise<T>): Promise<T> {
    const opened = this.turn.then(async () => {
      this.opening = principal;
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
    for (const [listener, principal] of this.listeners) {
      if (concerns(principal)) listener({ kind: 'tools_list_changed' });
    }
  }

  publish(event: ServerEvent): void {
    for (const listener of this.listeners.keys()) listener(event);
  }

  subscribe(listener: Listener): () => void {
    this.listeners.set(listener, this.opening);
    return () => this.listeners.delete(listener);
  }
}
