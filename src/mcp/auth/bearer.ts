/**
 * Reads the bearer token of a request (RFC 6750, section 2.1).
 * Invariant: it comes from the Authorization header alone, and is the only one there.
 */

/** A token; or none; or a header that holds a bearer token which cannot be told. */
export type Bearer = { readonly token: string } | 'absent' | 'malformed';

const SCHEME = /^bearer(?: |$)/i;
/** RFC 6750, section 2.1: one b64token. */
const CREDENTIALS = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** Reads the value of an Authorization header; two headers arrive as one, with a comma between. */
export function readBearer(authorization: string | null): Bearer {
  if (authorization === null || !SCHEME.test(authorization)) return 'absent';
  const token = CREDENTIALS.exec(authorization)?.[1];
  return token === undefined ? 'malformed' : { token };
}
