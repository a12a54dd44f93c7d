/**
 * Whether this process may make functions out of text, which `node --disallow-code-generation-from-strings` and
 * a Content-Security-Policy forbid.
 * Invariant: nothing but this decides it; it is asked once.
 */

let known: boolean | undefined;

function tryIt(): boolean {
  try {
    return new Function('return true')();
  } catch {
    return false;
  }
}

/** Tells whether code may be generated. */
export function mayGenerateCode(): boolean {
  known ??= tryIt();
  return known;
}
