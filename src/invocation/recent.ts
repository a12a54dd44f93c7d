/**
 * A map, and sets by name, that forget what was not asked for lately, so that they never hold more than a number
 * of entries.
 * Invariant: their size never exceeds its bound, and what is among the last half as many entries used is there.
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

/** Bounded sets, each with a name; they share one bound. */
export class RecentSets {
  private young = new Map<string, Set<string>>();
  private old = new Map<string, Set<string>>();
  private added = 0;
  private readonly half: number;

  /** @param max how many items are kept at most, in all sets together. */
  constructor(max: number) {
    this.half = Math.floor(max / 2);
  }

  /** Keeps an item of a set, which is then used; true where it was there already. */
  add(name: string, item: string): boolean {
    let set = this.young.get(name);
    if (set?.has(item) === true) return true;
    const isAged = this.old.get(name)?.has(item) === true;
    if (this.added >= this.half) {
      this.old = this.young;
      this.young = new Map();
      this.added = 0;
      set = undefined;
    }
    if (set === undefined) {
      set = new Set();
      this.young.set(name, set);
    }
    set.add(item);
    this.added += 1;
    return isAged;
  }
}
