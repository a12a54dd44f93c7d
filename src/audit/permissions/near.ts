/**
 * Finds the name that a misspelt one was probably meant to be.
 * Invariant: a name is near only where few letters differ, so that no two real names pass for one.
 */

/** Longer names are not compared letter by letter, which costs the product of the lengths. */
const LONGEST = 128;
const MOST_EDITS = 2;

/** What people read as the same: letters and digits alone, whatever their case and width. */
export function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** How many letters have to be put in, taken out or replaced (Levenshtein). */
function edits(one: string, other: string): number {
  let row = [...other].map((_, index) => index + 1);
  let above = 0;
  for (const letter of one) {
    let corner = above;
    above += 1;
    let left = above;
    row = [...other].map((candidate, index) => {
      const up = row[index] ?? 0;
      left = Math.min(up + 1, left + 1, corner + (candidate === letter ? 0 : 1));
      corner = up;
      return left;
    });
  }
  return row.at(-1) ?? above;
}

/** The nearest of some names, the first of several; undefined where none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const letters = lettersOf(name);
  const same = letters === '' ? undefined : known.find((one) => lettersOf(one) === letters);
  if (same !== undefined || name.length > LONGEST) return same;
  const near = known
    .filter((one) => Math.abs(one.length - name.length) <= MOST_EDITS)
    .map((one) => ({ one, distance: edits(name, one) }))
    .filter(({ distance }) => distance <= MOST_EDITS && distance * 4 <= name.length)
    .sort((left, right) => left.distance - right.distance);
  return near[0]?.one;
}
