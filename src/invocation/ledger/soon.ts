/**
 * Waits for stores that may be in memory.
 * Invariant: what has settled by the next turn costs neither a timer nor a watch.
 */

/** Gives what a promise has settled with by the next turn, or else waits for it as told. */
export async function soonOr<T>(work: Promise<T>, wait: (work: Promise<T>) => Promise<T>): Promise<T> {
  const box: { settled?: { readonly value: T } } = {};
  work.then(
    (value) => {
      box.settled = { value };
    },
    () => {},
  );
  await undefined;
  return box.settled === undefined ? wait(work) : box.settled.value;
}

/**
 * Waits for a promise so many milliseconds at most.
 *
 * @throws Error when it is out of time; otherwise whatever it rejects with.
 */
export function inTime<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the ledger did not answer')), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
