/**
 * The places in which calls of one tool run, and the queue for them.
 * Invariant: never more than `maxConcurrent` places are taken, and a freed one goes to whoever waits longest.
 */
import type { ConcurrencyLimit } from './options';

/** So long a handler that outlives its call keeps its place; then it is given up as lost. */
const LOST_AFTER_MS = 60_000;

/** Gives places to calls, first come, first served. */
export class Places {
  private taken = 0;
  /** In the order of arrival, which a Set keeps. */
  private readonly queue = new Set<() => void>();
  /** Handlers that outlived their calls, and since when; the oldest first. */
  private readonly late = new Map<Promise<unknown>, number>();

  constructor(private readonly limit: Required<ConcurrencyLimit>) {}

  /** Takes a place where one is free; none is while others wait. */
  tryTake(): boolean {
    if (this.taken >= this.limit.maxConcurrent) this.reclaim();
    if (this.taken >= this.limit.maxConcurrent) return false;
    this.taken += 1;
    return true;
  }

  /** True when no more calls may wait. */
  get isFull(): boolean {
    return this.queue.size >= this.limit.maxQueued;
  }

  /** Waits for a place: true with one, false without one when the signal is aborted. */
  wait(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const onAbort = () => {
        this.queue.delete(onPlace);
        resolve(false);
      };
      const onPlace = () => {
        signal.removeEventListener('abort', onAbort);
        resolve(true);
      };
      this.queue.add(onPlace);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Gives a place back, at once or when the handler that still runs has settled. */
  free(running: Promise<unknown> | undefined): void {
    if (running === undefined) {
      this.pass();
      return;
    }
    this.late.set(running, performance.now());
    const onSettled = () => {
      if (this.late.delete(running)) this.pass();
    };
    running.then(onSettled, onSettled);
  }

  /** Hands a place over without freeing it in between, so that no newcomer can take it. */
  private pass(): void {
    const [first] = this.queue;
    if (first === undefined) {
      this.taken -= 1;
      return;
    }
    this.queue.delete(first);
    first();
  }

  private reclaim(): void {
    for (const [running, since] of this.late) {
      if (performance.now() - since < LOST_AFTER_MS) return;
      this.late.delete(running);
      this.pass();
    }
  }
}
