/**
 * A map that forgets what was not asked for lately, so that it never holds more than a number of entries.
 * Invariant: its size never exceeds its bound, and what is among the last half as many entries used is there.
 */

/** A bounded map: of two generations the elder is forgotten whole, which costs less than an order of use. */
export class RecentMap<V> {
  private young = new Map<string, V>();
  private old = new Map<string, V>();
  private readonly half: number;

  /** @param max how many entries are kept at most. */
  constructor(max: number) {
    this.half = Math.floor(max / 2);
  }

  /** Gives an entry, which is then used. */
  get(key: string): V | undefined {
    const value = this.young.get(key);
    if (value !== undefined) return value;
    const aged = this.old.get(key);
    if (aged !== undefined) this.set(key, aged);
    return aged;
  }

  /** Keeps an entry, which is then used. */
  set(key: string, value: V): void {
    this.old.delete(key);
    if (this.young.size >= this.half && !this.young.has(key)) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, value);
  }

  /** Forgets an entry. */
  delete(key: string): void {
    this.young.delete(key);
    this.old.delete(key);
  }

  /** How many entries there are. */
  get size(): number {
    return this.young.size + this.old.size;
  }
}
