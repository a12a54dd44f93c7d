/**
 * What finds one family of secrets in a text.
 * Invariant: a detector takes time in proportion to the text's length: its pattern cannot run through the same
 * place again and again, and whatever else has to hold is judged once a match stands.
 */

/** What stands where a secret stood. */
export const MASK = '[redacted]';

/** Takes one family of secrets out of a text. */
export interface Detector {
  /** What it looks for, named for the tests that hold every pattern to linear time. */
  readonly patterns: readonly RegExp[];
  scrub(text: string): string;
}

/**
 * Masks what a pattern matches, but for what its first group holds, where the match is a secret. A match holds
 * what `isSecret` is told: the text after the first group.
 */
export function masking(pattern: RegExp, isSecret: (secret: string) => boolean = () => true): Detector {
  return {
    patterns: [pattern],
    scrub: (text) =>
      text.replace(pattern, (match: string, first: unknown) => {
        const kept = typeof first === 'string' ? first : '';
        return isSecret(match.slice(kept.length)) ? `${kept}${MASK}` : match;
      }),
  };
}
