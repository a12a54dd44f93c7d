/**
 * Waiting that ends early.
 * Invariant: when it has ended neither a timer nor a listener is left.
 */

/** Settles after a time, when the signal is aborted, or when the work has settled, whichever is first. */
export function wait(ms: number, signal: AbortSignal, work?: Promise<unknown>): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
    work?.then(end, end);
  });
}
