/**
 * Refuses options that JavaScript, or a configuration file, spells or fills wrongly.
 * Invariant: an option that would be ignored is an error, since it may have been meant to guard something.
 */

/** Throws a TypeError that names the first key of an object of options that is not known. */
export function refuseUnknownKeys(what: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new TypeError(`${what} has no option "${unknown}"; its options are ${known.join(', ')}.`);
}

/** Reads an option that counts something; throws a TypeError that names it where it is no positive integer. */
export function toCount(what: string, option: string, given: number | undefined, byDefault: number): number {
  const count = given ?? byDefault;
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new TypeError(`${what}: ${option} is ${String(given)}; give a positive integer, or leave it out.`);
}

/** Throws a TypeError where an option that is given is not a list. */
export function refuseNoLists(what: string, options: object, lists: readonly string[]): void {
  for (const [key, value] of Object.entries(options)) {
    if (lists.includes(key) && value !== undefined && !Array.isArray(value)) {
      throw new TypeError(`${what}.${key} is no list; write ${key}: [ … ].`);
    }
  }
}
