/**
 * A bound on how long something may take that is not ours.
 * Invariant: the timer never outlives the wait.
 */

/** Waits for work, at most `ms` milliseconds; afterwards it rejects with what `late` makes. */
export async function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
