/**
 * The one AbortSignal of a call: aborted by its deadline, or by the caller.
 * Invariant: after `dispose` no timer runs and no listener is left on the caller's signal.
 */
import { listenTo } from './shared-signal';

/** Why a call was stopped. */
export type StopCause = 'timeout' | 'cancelled';

/** In milliseconds; Node fires a longer timer at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** Thrown inside the pipeline when a call was stopped. */
export class Stopped extends Error {
  constructor(
    readonly why: StopCause,
    /** Whether the handler had begun. */
    readonly begun: boolean,
    /** The work that goes on, and whose outcome is ignored. */
    readonly running: () => Promise<unknown> | undefined = () => undefined,
  ) {
    super(why);
  }
}

/** Watches over one call. */
export class Deadline {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  /** When the timer fires, and when the time ends; both on the clock of `performance`. */
  private firesAt = Number.POSITIVE_INFINITY;
  private endsAt = Number.POSITIVE_INFINITY;
  private timeoutMs = 0;
  private stopCause: StopCause | undefined;
  private begun = false;
  private readonly waiting = new Set<() => void>();
  private readonly leave: () => void;

  /** @param outer the caller's signal. */
  constructor(outer: AbortSignal | undefined) {
    const onAbort = () => this.stop('cancelled', outer?.reason);
    const isAborted = outer?.aborted === true;
    this.leave = isAborted ? () => {} : listenTo(outer, onAbort);
    if (isAborted) onAbort();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Whether the handler has begun; a second attempt does not undo the first. */
  get hasBegun(): boolean {
    return this.begun;
  }

  /** Whether the call was stopped or has ended. */
  get isOver(): boolean {
    return this.stopCause !== undefined;
  }

  /** Starts the clock anew, in milliseconds. */
  arm(timeoutMs: number): void {
    if (this.stopCause !== undefined) return;
    this.timeoutMs = timeoutMs;
    this.endsAt = performance.now() + timeoutMs;
    // A timer that fires early finds out; so a call whose time is only ever put off needs no more than one.
    if (this.endsAt < this.firesAt) this.setTimer(timeoutMs);
  }

  /** Stops the clock, not the watch, while somebody else takes their time; gives the function that lets it go on. */
  hold(): () => void {
    const left = Math.ceil(this.endsAt - performance.now());
    clearTimeout(this.timer);
    this.firesAt = Number.POSITIVE_INFINITY;
    this.endsAt = Number.POSITIVE_INFINITY;
    return () => this.arm(Math.max(1, left));
  }

  /** Ends the watch: work that would begin later does not, and work that nobody waits for is told to stop. */
  dispose(): void {
    if (this.waiting.size > 0) this.stop('cancelled', new DOMException('The call has ended', 'AbortError'));
    this.stopCause ??= 'cancelled';
    clearTimeout(this.timer);
    this.leave();
  }

  /** Runs the handler, as {@link watch} does other work; from here on the action may have begun. */
  race<T>(work: () => T | PromiseLike<T>): Promise<T> {
    if (this.stopCause === undefined) this.begun = true;
    return this.watch(work);
  }

  /**
   * Runs work until it settles or the call is stopped; what settles later is ignored. The work starts in the
   * caller's own asynchronous context, which LangGraph's `interrupt()` needs.
   *
   * @throws Stopped when the call was stopped; otherwise whatever the work throws.
   */
  watch<T>(work: () => T | PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.stopCause !== undefined) {
        reject(this.toStopped());
        return;
      }
      let running: Promise<T> | undefined;
      const leave = this.onStop(() => reject(this.toStopped(() => running)));
      running = (async () => work())();
      running.then(
        (value) => {
          leave();
          resolve(value);
        },
        (error) => {
          leave();
          reject(error);
        },
      );
    });
  }

  /** Calls a listener when the call is stopped, at once where it is; gives the function that leaves. */
  onStop(listener: () => void): () => void {
    this.waiting.add(listener);
    if (this.stopCause !== undefined) listener();
    return () => this.waiting.delete(listener);
  }

  /** What is thrown into the pipeline when the call was stopped. */
  toStopped(running?: () => Promise<unknown> | undefined): Stopped {
    return new Stopped(this.stopCause ?? 'cancelled', this.begun, running);
  }

  private setTimer(ms: number): void {
    clearTimeout(this.timer);
    this.firesAt = performance.now() + Math.min(ms, LONGEST_TIMER);
    this.timer = setTimeout(() => this.onTime(), Math.min(ms, LONGEST_TIMER));
  }

  private onTime(): void {
    const leftMs = this.endsAt - performance.now();
    // Timers count whole milliseconds, and may fire within the last.
    if (leftMs >= 1) this.setTimer(leftMs);
    else this.stop('timeout', new DOMException(`No answer in ${this.timeoutMs} ms`, 'TimeoutError'));
  }

  private stop(cause: StopCause, reason: unknown): void {
    if (this.stopCause !== undefined) return;
    this.stopCause = cause;
    clearTimeout(this.timer);
    for (const listener of [...this.waiting]) listener();
    this.controller.abort(reason);
  }
}
