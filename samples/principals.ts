/**
 * Who the bearer of a token is.
 * Invariant: an unknown token is nobody's, and a table that cannot be read stops the start.
 */
import { isPrincipal, type Principal } from 'toolcrib';
import { SCOPES } from './app';

/** Whoever holds it may decide on what others have asked for; no tool asks for it. */
export const REVIEWER_SCOPE = 'approvals:decide';

/** Principals by token. */
export type Principals = ReadonlyMap<string, Principal>;

/** For trying the sample out; an application asks its identity provider. */
const SAMPLE_PRINCIPALS: Principals = new Map([
  ['reader-token', { id: 'reader', scopes: ['customers:read', 'orders:read', 'shipments:read'] }],
  ['manager-token', { id: 'manager', scopes: SCOPES }],
  ['reviewer-token', { id: 'reviewer', scopes: [REVIEWER_SCOPE] }],
]);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own words quote the text, and with it tokens.
    return undefined;
  }
}

function parseTable(text: string): Principals {
  const table = parseJson(text);
  const entries = typeof table === 'object' && table !== null ? Object.entries(table) : [];
  const principals = new Map<string, Principal>();
  for (const [token, principal] of entries) if (isPrincipal(principal)) principals.set(token, principal);
  if (principals.size > 0 && principals.size === entries.length) return principals;
  throw new TypeError('PRINCIPALS is not { "token": { "id": "…", "scopes": ["…"] } }.');
}

/** The table of the variable PRINCIPALS, or else the sample's. */
export function principalsFromEnvironment({ PRINCIPALS }: NodeJS.ProcessEnv = process.env): Principals {
  return PRINCIPALS ? parseTable(PRINCIPALS) : SAMPLE_PRINCIPALS;
}

/** Finds the bearer of an `Authorization` header's token (RFC 6750, section 2.1). */
export function bearerOf(header: string | undefined, principals: Principals): Principal | undefined {
  const [, token] = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i.exec(header ?? '') ?? [];
  return token === undefined ? undefined : principals.get(token);
}
