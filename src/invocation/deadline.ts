/**
 * The one AbortSignal of a call: aborted by its deadline, or by the caller.
 * Invariant: after `dispose` no timer runs and no listener is left on the caller's signal.
 */

/** Why a call was stopped. */
export type StopCause = 'timeout' | 'cancelled';

/** Node fires a longer timer at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Thrown inside the pipeline when a call was stopped. */
export class Stopped extends Error {
  constructor(
    readonly why: StopCause,
    /** Whether the handler had begun. */
    readonly begun: boolean,
  ) {
    super(why);
  }
}

/** Watches over one call. */
export class Deadline {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private stopCause: StopCause | undefined;
  /** Whether any work has begun; a second attempt does not undo the first. */
  private begun = false;
  private endsAt = Number.POSITIVE_INFINITY;
  private late: Promise<unknown> | undefined;
  private readonly onAbort = () => this.stop('cancelled', this.outer?.reason);

  /** @param outer the caller's signal. */
  constructor(private readonly outer: AbortSignal | undefined) {
    if (outer?.aborted === true) this.onAbort();
    else outer?.addEventListener?.('abort', this.onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The time that is left, in milliseconds. */
  get remainingMs(): number {
    return this.endsAt - Date.now();
  }

  /** Work that was running when the call was stopped. */
  get unsettled(): Promise<unknown> | undefined {
    return this.late;
  }

  /** Starts the clock, in milliseconds; it runs once, whatever is tried again. */
  arm(timeoutMs: number): void {
    if (this.stopCause !== undefined || this.timer !== undefined) return;
    this.endsAt = Date.now() + timeoutMs;
    const onTime = () =>
      this.stop('timeout', new DOMException(`No answer in ${timeoutMs} ms`, 'TimeoutError'));
    this.timer = setTimeout(onTime, Math.min(timeoutMs, LONGEST_TIMER));
  }

  /** Ends the watch; work that would begin later does not. */
  dispose(): void {
    this.stopCause ??= 'cancelled';
    clearTimeout(this.timer);
    this.outer?.removeEventListener?.('abort', this.onAbort);
  }

  /**
   * Runs work until it settles or the call is stopped; what settles later is ignored. The work starts in the
   * caller's own asynchronous context, which LangGraph's `interrupt()` needs.
   *
   * @throws Stopped when the call was stopped; otherwise whatever the work throws.
   */
  async race<T>(work: () => T | PromiseLike<T>): Promise<T> {
    if (this.stopCause !== undefined) throw new Stopped(this.stopCause, this.begun);
    this.begun = true;
    const { signal } = this;
    let running: Promise<T> | undefined;
    let onStop = () => {};
    const stopped = new Promise<never>((_, reject) => {
      onStop = () => {
        this.late = running;
        reject(new Stopped(this.stopCause ?? 'cancelled', true));
      };
      signal.addEventListener('abort', onStop, { once: true });
    });
    try {
      running = (async () => work())();
      return await Promise.race([stopped, running]);
    } finally {
      signal.removeEventListener('abort', onStop);
    }
  }

  private stop(cause: StopCause, reason: unknown): void {
    this.stopCause ??= cause;
    clearTimeout(this.timer);
    this.controller.abort(reason);
  }
}
