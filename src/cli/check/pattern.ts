/**
 * What a regular expression says about the length of the texts that it matches.
 * Invariant: a bound is claimed only when it is proven; a pattern that is not understood has none.
 */

/** Tells whether a pattern matches the empty text. */
export function matchesEmpty(pattern: string): boolean {
  return new RegExp(pattern, 'u').test('');
}

/**
 * Tells whether a pattern matches only texts up to some length: it spans the whole text, so it has `^` and `$`
 * around it and no alternative outside of groups, and repeats nothing without end.
 */
export function boundsLength(pattern: string): boolean {
  // What is escaped, and what stands in a class, neither groups nor repeats.
  const bare = pattern.replace(/\\./gsu, '_').replace(/\[[^\]]*\]/gu, '_');
  if (!bare.startsWith('^') || !bare.endsWith('$')) return false;
  if (/[*+]|\{\d+,\}/u.test(bare)) return false;
  let depth = 0;
  for (const character of bare) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === '|' && depth === 0) return false;
  }
  return true;
}
