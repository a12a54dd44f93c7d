/**
 * Masks credentials for reviewers, and says where.
 * Invariant: whatever is not shown as it is has an entry, whose digest tells it from other values, and helps nobody to
 * guess it.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { MaskedPart } from '../../contract/approval';
import type { JsonValue } from '../../errors/body';
import type { Scrubber } from '../scrub';

const KEY = randomBytes(32);
/** In hexadecimal digits. */
const DIGEST_LENGTH = 8;

function partOf(path: string, original: string): MaskedPart {
  // UTF-16, in which no half of a character is another.
  const digest = createHmac('sha256', KEY).update(original, 'utf16le').digest('hex').slice(0, DIGEST_LENGTH);
  return { path, characters: original.length, digest };
}

function pointer(path: string, name: string): string {
  return `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function* differing(path: string, original: JsonValue, shown: JsonValue): Generator<MaskedPart> {
  if (typeof original !== 'object' || original === null) {
    const text = typeof original === 'string' ? original : JSON.stringify(original);
    if (original !== shown) yield partOf(path, text);
    return;
  }
  // Masking keeps the order of keys and elements.
  const parts = Object.entries(shown ?? {});
  for (const [at, [name, value]] of Object.entries(original).entries()) {
    const [shownName = name, shownValue = null] = parts[at] ?? [];
    const here = pointer(path, shownName);
    if (name !== shownName) yield partOf(here, name);
    yield* differing(here, value, shownValue);
  }
}

/**
 * Masks what a reviewer is shown.
 *
 * @param path where it stands in the request: a JSON Pointer (RFC 6901).
 */
export function maskFor(
  reviewers: Scrubber,
  path: string,
  original: JsonValue,
): { readonly shown: JsonValue; readonly masked: readonly MaskedPart[] } {
  const shown = reviewers.json(original);
  return { shown, masked: [...differing(path, original, shown)] };
}
