/**
 * A stream of random numbers that is the same for the same seed.
 * Invariant: two streams of one seed give the same numbers, so that a value can be made again by its number.
 */

/** A source of choices. */
export interface Random {
  /** A whole number from 0 up to, and without, the bound. */
  below(bound: number): number;
  /** One of a list that is not empty. */
  pick<T>(choices: readonly [T, ...T[]]): T;
}

/** Makes the stream of a seed (the generator is Mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return { below, pick: ([first, ...rest]) => rest[below(rest.length + 1) - 1] ?? first };
}
