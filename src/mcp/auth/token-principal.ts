/**
 * Who the bearer of a token is, where the application does not say it itself.
 * Invariant: two bearers never get one id: it names the issuer, and a subject or a client, in a way that neither can
 * write into the other. Nothing in it comes from what the client says of itself.
 */
import { types } from 'node:util';
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Principal } from '../../contract/principal';

/** Reads a text of what a verifier adds; undefined where there is none. */
function extraText({ extra }: AuthInfo, name: 'iss' | 'sub'): string | undefined {
  const found = extra?.[name];
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/**
 * The issuer of a token; the only one of the resource where a verifier does not tell it.
 *
 * @returns undefined where it is none of the resource's, or could be any of several.
 */
export function issuerOf(authInfo: AuthInfo, authorizationServers: readonly string[]): string | undefined {
  const [only, ...others] = authorizationServers;
  if (authInfo.extra?.iss === undefined) return others.length === 0 ? only : undefined;
  const named = extraText(authInfo, 'iss');
  return named !== undefined && authorizationServers.includes(named) ? named : undefined;
}

/**
 * The principal of a token: `issuer#subject`, or `issuer?client_id=…` for a client that acts for itself and has no
 * subject. An issuer has neither `#` nor `?` (RFC 8414, section 2), so that the first of them ends it.
 *
 * @returns undefined where a token names neither a subject nor a client.
 */
export function principalOfToken(authInfo: AuthInfo, issuer: string): Principal | undefined {
  const { clientId, scopes } = authInfo;
  const sub = extraText(authInfo, 'sub');
  if (sub !== undefined) return { id: `${issuer}#${sub}`, scopes };
  return clientId === '' ? undefined : { id: `${issuer}?client_id=${encodeURIComponent(clientId)}`, scopes };
}

/** Why a bearer is nobody, in words for the log. */
export type NoBearer =
  | 'no_subject_and_no_client'
  | 'no_scopes'
  | 'principal_undefined'
  | 'principal_promise'
  | 'no_principal';

/** What a token lacks of which {@link principalOfToken} makes no principal. */
export function missingIn(authInfo: AuthInfo): NoBearer {
  const isNamed = extraText(authInfo, 'sub') !== undefined || authInfo.clientId !== '';
  return isNamed ? 'no_scopes' : 'no_subject_and_no_client';
}

/** What `auth.principal` gave in place of a principal. */
export function notPrincipal(found: unknown): NoBearer {
  if (found === undefined || found === null) return 'principal_undefined';
  return types.isPromise(found) ? 'principal_promise' : 'no_principal';
}
