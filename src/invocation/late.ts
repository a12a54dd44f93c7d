/**
 * Watches handlers that still run after their calls were answered.
 * Invariant: what they answer or throw changes no answer; it is told once, and never as an unhandled rejection.
 */

import { hush } from '../contract/hush';
import type { CallState } from './call-state';
import { read } from './mapping/read';

/** How a handler ended whose call had been answered. */
export type LateEnd =
  | { readonly threw: false; readonly output: unknown }
  | { readonly threw: true; readonly error: unknown };

/** How long `close` waits for such handlers, in milliseconds. */
const GRACE_MS = 2_000;

/** A handler that ends with the reason of the signal, or with an error that it caused, did as it was told. */
function isObedience(error: unknown, { reason }: AbortSignal): boolean {
  return error === reason || (typeof error === 'object' && error !== null && read(error, 'cause') === reason);
}

/** The handlers that are late. */
export class LateHandlers {
  private readonly running = new Set<Promise<unknown>>();

  /** @param tell hears of every handler that has ended late, and is waited for. */
  constructor(private readonly tell: (call: CallState, end: LateEnd) => Promise<void>) {}

  /** Watches the handler of a call that was stopped. */
  watch(call: CallState, handler: Promise<{ readonly output: unknown }>): void {
    const ended = handler.then(
      ({ output }) => {
        hush(output);
        return this.tell(call, { threw: false, output });
      },
      (error: unknown) => {
        hush(error);
        if (isObedience(error, call.context.signal)) return undefined;
        return this.tell(call, { threw: true, error });
      },
    );
    const watched = ended.catch(() => {}).finally(() => this.running.delete(watched));
    this.running.add(watched);
  }

  /** Waits until all have ended, or the time for that is over; says how many have not. */
  async settle(): Promise<number> {
    if (this.running.size === 0) return 0;
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, GRACE_MS);
    });
    await Promise.race([over, Promise.all(this.running)]);
    clearTimeout(timer);
    return this.running.size;
  }
}
