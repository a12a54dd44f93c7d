/**
 * JSON Pointers to the places that violations name.
 * Invariant: pointers are escaped as RFC 6901, section 3 demands.
 */

function escapeToken(key: string | number): string {
  const token = String(key);
  if (!token.includes('~') && !token.includes('/')) return token;
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

const MAX_LENGTH = 256;

/** Shortens a pointer for people and models; the names in it may be the caller's own, and as long as they like. */
export function cutPointer(pointer: string): string {
  return pointer.length > MAX_LENGTH ? `${pointer.slice(0, MAX_LENGTH)}…` : pointer;
}

/** Appends one reference token to a pointer. */
export function childPointer(parent: string, key: string | number): string {
  return `${parent}/${escapeToken(key)}`;
}

/** Appends one reference token to a pointer in its form as a URI fragment (RFC 6901, section 6). */
export function childFragment(parent: string, key: string): string {
  return `${parent}/${encodeURIComponent(escapeToken(key))}`;
}

/** The name of the property that a pointer leads to; the elements of an array go by the array's name. */
export function propertyOf(pointer: string): string {
  const tokens = pointer.split('/').slice(1);
  const named = tokens.findLast((token) => !/^\d+$/.test(token)) ?? tokens.at(-1) ?? 'value';
  return named.replaceAll('~1', '/').replaceAll('~0', '~');
}
