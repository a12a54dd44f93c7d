/**
 * Cuts text to length.
 * Invariant: what was cut says so.
 */

/** Cuts scrubbed text to length; cut before, a secret might be halved and missed. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
