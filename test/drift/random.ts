/**
 * Chance that a seed repeats.
 * Invariant: two sources of one seed give the same sequence.
 */

/** A sequence of numbers that looks random. */
export class Random {
  constructor(private state: number) {}

  /** A number from 0 up to 1. */
  next(): number {
    // Mulberry32, whose whole state is one integer of 32 bits.
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from 0 up to a limit, which it does not reach. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of a list, which must not be empty. */
  pick<T>(list: readonly T[]): T {
    const [found] = list.slice(this.below(list.length));
    if (found === undefined) throw new Error('there is nothing to pick from');
    return found;
  }
}
