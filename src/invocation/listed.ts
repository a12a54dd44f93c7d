/**
 * How many entries a store lists.
 * Invariant: what is no count is refused, since a database reads some of it as no bound at all.
 */

const LISTED = 100;

/**
 * Reads the limit of a list; left out: 100.
 *
 * @throws TypeError when it is not a positive integer.
 */
export function toListLimit(limit: number = LISTED): number {
  if (Number.isSafeInteger(limit) && limit > 0) return limit;
  throw new TypeError(`list: limit is ${String(limit)}; give a positive integer, or leave it out.`);
}
