/**
 * A resource server over a verifier that a test makes up, and what it logs.
 * Invariant: every server of one log writes to that log alone.
 */
import type { AuthInfo, OAuthTokenVerifier } from '@modelcontextprotocol/server';
import type { ResourceServerOptions } from '../../../src/mcp/auth/resource-options';
import { ResourceServer } from '../../../src/mcp/auth/resource-server';
import { RESOURCE, seconds } from './authorization-server';

export const ISSUER = 'https://as.example';
export const METADATA = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';

/** No answer and no entry of a log may hold it. */
export const SECRET = 'secret-token-of-ann';

/** What a verifier says of a token that is good. */
export const usual: AuthInfo = {
  token: SECRET,
  clientId: 'agent',
  scopes: ['orders:read'],
  expiresAt: seconds(600),
  resource: new URL(RESOURCE),
  extra: { iss: ISSUER, sub: 'ann' },
};

/** A verifier that accepts every token. */
export function accepting(info: Partial<AuthInfo> = {}): OAuthTokenVerifier {
  return { verifyAccessToken: async () => ({ ...usual, ...info }) };
}

/** Entries of the log, as text. */
export const entries: string[] = [];

const write = (fields: object, message?: string) => {
  entries.push(JSON.stringify([fields, message]));
};
const logger = { debug: write, info: write, warn: write, error: write };

/** Makes a resource server. */
export function serverWith(
  options: Partial<ResourceServerOptions> = {},
  scopes = ['orders:read', 'orders:write'],
): ResourceServer {
  const given = { resource: RESOURCE, authorizationServers: [ISSUER], verifier: accepting(), ...options };
  return new ResourceServer(given, { logger, scopes: () => scopes });
}
