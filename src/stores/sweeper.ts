/**
 * Removes what a store keeps no longer.
 * Invariant: it removes a bounded batch at a time, at most once a minute unless the last batch was full, and no
 * caller waits for it.
 */

/** How many rows one batch removes at most. */
export const BATCH = 500;

const PAUSE_MS = 60_000;

/** Wraps the removal of one batch, which gives how many rows it removed; the wrapped one is called often. */
export function sweeper(removeBatch: () => Promise<number>): () => void {
  let notBefore = 0;
  return () => {
    if (performance.now() < notBefore) return;
    notBefore = performance.now() + PAUSE_MS;
    void removeBatch().then(
      (removed) => {
        if (removed >= BATCH) notBefore = 0;
      },
      // The next call finds the same rows.
      () => {},
    );
  };
}
