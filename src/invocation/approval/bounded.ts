/**
 * Lets somebody take their time, a person as a rule, while the clock of the call stands still.
 * Invariant: it ends when its own bound is over, when the call is cancelled or the toolkit closes; what comes
 * later is ignored.
 */
import type { CallState } from '../call-state';
import { LONGEST_TIMER } from '../deadline';

/** Runs work within bounds of their own, for the calls of one toolkit. */
export class BoundedWork {
  private readonly running = new Set<AbortController>();
  private isClosed = false;

  /**
   * Runs work, which starts in the caller's own asynchronous context. Its value comes in a box; undefined where
   * there was none in time.
   *
   * @throws Stopped when the call was cancelled; otherwise whatever the work throws.
   */
  async run<T>(
    call: CallState,
    boundMs: number,
    work: (signal: AbortSignal) => T | PromiseLike<T>,
  ): Promise<{ readonly value: T } | undefined> {
    if (this.isClosed) return undefined;
    const over = new AbortController();
    const goOn = call.deadline.hold();
    const leave = call.deadline.onStop(() =>
      over.abort(new DOMException('The call has ended', 'AbortError')),
    );
    const onTime = () => over.abort(new DOMException(`No answer in ${boundMs} ms`, 'TimeoutError'));
    const timer = setTimeout(onTime, Math.min(boundMs, LONGEST_TIMER));
    this.running.add(over);
    try {
      const ended = new Promise<undefined>((resolve) => {
        over.signal.addEventListener('abort', () => resolve(undefined), { once: true });
      });
      // In a box, since a promise that is resolved with a thenable waits for it again, and without an end.
      const done = async () => ({ value: await work(over.signal) });
      return await call.deadline.watch(() => Promise.race([done(), ended]));
    } finally {
      this.running.delete(over);
      clearTimeout(timer);
      leave();
      goOn();
    }
  }

  /** Ends what runs, and lets nothing begin. */
  close(): void {
    this.isClosed = true;
    for (const over of this.running) over.abort(new DOMException('The toolkit is closed', 'AbortError'));
  }
}
