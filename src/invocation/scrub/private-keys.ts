/**
 * Private keys in their text forms: PEM (RFC 7468), OpenPGP, SSH2 and PuTTY.
 * Invariant: a key without an end, as in a text that was cut, is masked to the end of the text.
 */
import { type Detector, MASK } from './detector';

/** A blank may also be what forms and URLs write for it, where every hyphen stays. */
const BEGIN =
  /-{4,5} ?BEGIN(?: |\+|%20)[A-Z0-9 +%]{0,40}PRIVATE(?: |\+|%20)KEY(?:(?: |\+|%20)BLOCK)? ?-{4,5}/g;
const END = /-{4,5} ?END(?: |\+|%20)[A-Z0-9 +%]{0,40}PRIVATE(?: |\+|%20)KEY(?:(?: |\+|%20)BLOCK)? ?-{4,5}/g;
const PUTTY_BEGIN = /PuTTY-User-Key-File-\d{1,2}: /g;
const PUTTY_END = /Private-MAC: [0-9a-f]{0,128}/g;

function maskBetween(text: string, begin: RegExp, end: RegExp): string {
  const starts = [...text.matchAll(begin)].map(({ index }) => index);
  if (starts.length === 0) return text;
  const ends = [...text.matchAll(end)].map((match) => match.index + match[0].length);
  let scrubbed = '';
  let at = 0;
  let next = 0;
  for (const start of starts) {
    if (start < at) continue;
    while (next < ends.length && (ends[next] ?? 0) <= start) next += 1;
    scrubbed += text.slice(at, start) + MASK;
    at = ends[next] ?? text.length;
  }
  return scrubbed + text.slice(at);
}

/** Masks private keys. */
export const privateKeys: Detector = {
  patterns: [BEGIN, END, PUTTY_BEGIN, PUTTY_END],
  scrub: (text) => maskBetween(maskBetween(text, BEGIN, END), PUTTY_BEGIN, PUTTY_END),
};
