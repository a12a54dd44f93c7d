/**
 * Runs asynchronous work once.
 * Invariant: work that failed runs again when it is next asked for.
 */

/** Wraps work so that callers share one run, and its success. */
export function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().catch((error: unknown) => {
      running = undefined;
      throw error;
    });
    return running;
  };
}
