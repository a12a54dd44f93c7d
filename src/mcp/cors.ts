/**
 * Lets web pages of allowed origins call and read the answers (Fetch, CORS protocol).
 * Invariant: it speaks only to an origin that was let through before, of no other, and never of credentials that
 * browsers keep.
 */

const METHODS = 'POST, GET, DELETE';
/** Of an answer, what clients act on and browsers would keep from them. */
const EXPOSED = 'WWW-Authenticate, Mcp-Session-Id, Retry-After';
/** In seconds; browsers take no more. */
const MAX_AGE = '7200';

/** The answer to a browser that asks what a page may send; undefined for any other request. */
export function preflight({ method, headers }: Request): Response | undefined {
  if (method !== 'OPTIONS' || !headers.get('origin')) return undefined;
  if (!headers.has('access-control-request-method')) return undefined;
  // `Mcp-Param-…` headers have names of the tools' own, and `principal` may read one of the application's.
  const asked = headers.get('access-control-request-headers');
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': METHODS,
      ...(asked === null ? {} : { 'access-control-allow-headers': asked }),
      'access-control-max-age': MAX_AGE,
      vary: 'Access-Control-Request-Headers',
    },
  });
}

/** The answer as the page of an allowed origin may read it; unchanged for who is no page. */
export function readable({ headers: asked }: Request, response: Response): Response {
  const origin = asked.get('origin');
  if (!origin) return response;
  // Those of an answer that was fetched cannot be changed.
  const headers = new Headers(response.headers);
  headers.set('access-control-allow-origin', origin);
  headers.append('access-control-expose-headers', EXPOSED);
  headers.append('vary', 'Origin');
  const { body, status, statusText } = response;
  return new Response(body, { status, statusText, headers });
}
