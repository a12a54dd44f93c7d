/**
 * Writes the values of a call among words for a person: in forms, interrupts and on terminals.
 * Invariant: nothing in a value can pass for words beside it, nor hide: what is not seen stands as `\uXXXX`.
 */
import type { MaskedPart } from '../../contract/approval';
import { MASK } from '../scrub/detector';

/**
 * What breaks a line, is not seen, turns the direction of writing, or is a mark-up to those who render it; and
 * rows of blanks, which push the rest out of sight.
 */
const UNSAFE = /(?<= ) |(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{DI}\p{Z}\u2800<>`*[\]|~\\]/gu;
/** A mask, but none that Markdown would take for the words of a link. */
const SHOWN_MASK = /(\[redacted\](?![(:]))/;

/** Writes a character as JSON escapes it. */
export function inCodes(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Writes a text on one line, with everything escaped that is not seen or is a mark-up; masks stay. */
export function escaped(text: string): string {
  return text
    .split(SHOWN_MASK)
    .map((part) => (part === MASK ? part : part.replace(UNSAFE, inCodes)))
    .join('');
}

/** JSON on one line, in which texts hold nothing unsafe; it reads back as the same value. */
export function toSafeJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  // What JSON has escaped already stays so.
  return text.replace(/"(?:[^"\\]|\\.)*"/g, (literal) =>
    literal.replace(/\\.|[^\\]+/g, (part) => (part.startsWith('\\') ? part : escaped(part))),
  );
}

/** Says what was masked, on one line; undefined: nothing was. */
export function maskedLine(masked: readonly MaskedPart[] | undefined): string | undefined {
  if (masked === undefined || masked.length === 0) return undefined;
  const parts = masked.map(
    ({ path, characters, digest }) => `${toSafeJson(path)} (${characters} characters, digest ${digest})`,
  );
  return `Masked: ${parts.join(', ')}`;
}
