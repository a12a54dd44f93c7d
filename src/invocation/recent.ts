/**
 * A map that forgets what was longest not asked for, so that it never holds more than a number of entries.
 * Invariant: its size never exceeds its bound.
 */

/** A bounded map, in the order of last use. */
export class RecentMap<V> {
  private readonly entries = new Map<string, V>();

  /** @param max how many entries are kept. */
  constructor(private readonly max: number) {}

  get size(): number {
    return this.entries.size;
  }

  /** Gives an entry, which is then the latest used. */
  get(key: string): V | undefined {
    const value = this.entries.get(key);
    if (value === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  /** Keeps an entry as the latest used; the longest unused makes room. */
  set(key: string, value: V): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= this.max) return;
    for (const oldest of this.entries.keys()) {
      this.entries.delete(oldest);
      return;
    }
  }

  delete(key: string): void {
    this.entries.delete(key);
  }
}
