/**
 * The HTTP answers that are not the protocol's own.
 * Invariant: they say nothing of what went wrong inside, and their codes are outside the ranges that JSON-RPC and
 * MCP keep for themselves (MCP 2026-07-28, Basic › Error Codes).
 */

const MESSAGES = {
  400: 'The request names no host and path that can be told.',
  403: 'The server is not reached under this name.',
  404: 'Not found.',
  405: 'The method is not served.',
  408: 'The request took too long to arrive.',
  413: 'The request is too large.',
  429: 'Too many requests. Wait, then try again.',
  500: 'The request could not be answered.',
  503: 'The server cannot take the request now. Try again later, or elsewhere.',
} as const;

/** Refuses a request with a status, and with that status as the code of a JSON-RPC error. */
export function refusal(
  status: keyof typeof MESSAGES,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const error = { code: status, message: MESSAGES[status] };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status, headers });
}
