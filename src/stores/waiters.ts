/**
 * Callers that wait until a key is no longer running.
 * Invariant: however many wait, there is one look at the store at a time, and no timer runs when nobody waits.
 */
import type { LedgerEntry } from '../contract/ledger';
import { listenTo } from '../invocation/shared-signal';
import type { Hearing } from './tables';

/** What a look at the store found. */
export interface Look {
  /** The keys that run no longer, with what stands there; undefined where the key is free. */
  readonly settled: ReadonlyMap<string, LedgerEntry | undefined>;
  /** How long the shortest lease of the others lasts yet, in milliseconds. */
  readonly leaseLeftMs: number;
}

interface Waiter {
  readonly settle: (entry: LedgerEntry | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** A lease that ends now is looked at a moment later. */
const SHORTEST_MS = 5;
/** So many looks in a row fail before whoever waits hears of it; the pause between them grows by so much each time. */
const MAX_FAILURES = 3;
const FAILED_MS = 100;

/** Waits for keys of one ledger. */
export class Waiters {
  private readonly waiting = new Map<string, Set<Waiter>>();
  private timer: NodeJS.Timeout | undefined;
  private looks = 0;
  private failures = 0;
  private isLooking = false;
  private isWoken = false;

  constructor(
    private readonly look: (keys: readonly string[]) => Promise<Look>,
    private readonly hearing: Hearing,
  ) {}

  /** Waits for a key. When the signal aborts it settles with `'aborted'`. */
  wait(key: string, signal: AbortSignal): Promise<LedgerEntry | undefined | 'aborted'> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        leaveSignal();
        this.remove(key, waiter);
      };
      const onAbort = () => {
        leave();
        resolve('aborted');
      };
      const waiter: Waiter = {
        settle: (entry) => {
          leave();
          resolve(entry);
        },
        fail: (error) => {
          leave();
          reject(error);
        },
      };
      const leaveSignal = listenTo(signal, onAbort);
      this.add(key, waiter);
      if (signal.aborted) onAbort();
    });
  }

  /** Looks at once: something may have changed. */
  wake(): void {
    if (this.waiting.size === 0) return;
    this.isWoken = true;
    this.looks = 0;
    if (!this.isLooking) this.schedule(0);
  }

  /** Ends all waiting. */
  fail(error: unknown): void {
    for (const waiters of [...this.waiting.values()]) for (const waiter of [...waiters]) waiter.fail(error);
  }

  private add(key: string, waiter: Waiter): void {
    const isFirst = this.waiting.size === 0;
    const waiters = this.waiting.get(key) ?? new Set();
    this.waiting.set(key, waiters.add(waiter));
    if (isFirst) this.hearing.start(() => this.wake());
    this.wake();
  }

  private remove(key: string, waiter: Waiter): void {
    const waiters = this.waiting.get(key);
    if (waiters?.delete(waiter) !== true || waiters.size > 0) return;
    this.waiting.delete(key);
    if (this.waiting.size > 0) return;
    clearTimeout(this.timer);
    this.hearing.stop();
  }

  private schedule(delayMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.round(), delayMs);
    this.timer.unref();
  }

  private async round(): Promise<void> {
    this.isLooking = true;
    this.isWoken = false;
    const keys = [...this.waiting.keys()];
    let leaseLeftMs = Number.POSITIVE_INFINITY;
    try {
      const found = await this.look(keys);
      this.failures = 0;
      leaseLeftMs = found.leaseLeftMs;
      for (const [key, entry] of found.settled) {
        for (const waiter of [...(this.waiting.get(key) ?? [])]) waiter.settle(entry);
      }
    } catch (error) {
      this.failures += 1;
      if (this.failures >= MAX_FAILURES) {
        this.failures = 0;
        for (const key of keys) for (const waiter of [...(this.waiting.get(key) ?? [])]) waiter.fail(error);
      }
    }
    this.isLooking = false;
    if (this.waiting.size === 0) return;
    // A connection that broke is not the store's end, and who waits has time.
    if (this.failures > 0) return this.schedule(this.failures * FAILED_MS);
    if (this.isWoken) return this.schedule(0);
    const pause = this.hearing.delay(this.looks);
    this.looks += 1;
    this.schedule(Math.min(pause, Math.max(SHORTEST_MS, leaseLeftMs)));
  }
}
