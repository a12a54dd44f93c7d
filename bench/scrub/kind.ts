/**
 * A kind of secret, and how it is made.
 * Invariant: a kind is written after the format that its vendor documents, and knows nothing of what looks for it.
 * Prefixes are put together from parts, so that no scanner of repositories takes one for a real secret.
 */
import type { Random } from './random';

/** One made secret. */
export interface Secret {
  /** As it is handed out. */
  readonly text: string;
  /** The part that must not be seen; the rest is a mark of its kind. */
  readonly core: string;
  /** What it is told in, with {} in its place, where its form alone does not tell it. */
  readonly within?: readonly string[];
}

/** A kind of secret. */
export interface Kind {
  readonly name: string;
  make(random: Random): Secret;
}

/** A kind that its own form tells: a mark, put together from parts, and what is random. */
export function marked(name: string, mark: readonly string[], core: (random: Random) => string): Kind {
  return {
    name,
    make: (random) => {
      const made = core(random);
      return { text: mark.join('') + made, core: made };
    },
  };
}

/** A kind that only what it is told in gives away. */
export function named(name: string, within: readonly string[], core: (random: Random) => string): Kind {
  return {
    name,
    make: (random) => {
      const made = core(random);
      return { text: made, core: made, within };
    },
  };
}
