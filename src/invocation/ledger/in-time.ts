/**
 * Waits for stores, but not for ever.
 * Invariant: no timer is left once what it bounds has settled.
 */

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
