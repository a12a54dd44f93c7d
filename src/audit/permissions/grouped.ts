/**
 * Puts together what belongs to one name.
 * Invariant: within a name the order stays, and the time grows with the number of entries alone.
 */

/** Collects the values of each name, the names in the order in which they first come. */
export function grouped<T>(entries: Iterable<readonly [name: string, value: T]>): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const [name, value] of entries) {
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [value]);
    else group.push(value);
  }
  return groups;
}
