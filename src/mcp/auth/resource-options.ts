/**
 * What an application says of its MCP server as an OAuth resource.
 * Invariant: every setting is sound once read; an option that would be ignored is a TypeError.
 */
import type { AuthInfo, OAuthTokenVerifier } from '@modelcontextprotocol/server';
import type { Principal } from '../../contract/principal';
import { refuseNoLists, refuseUnknownKeys } from '../../discovery/check-options';
import { isAskable } from './scope-tokens';
import { boundOf } from './shared-options';
import { isSameResource, toIssuer, toUrl } from './urls';

/** The `auth` option of `createMcpHandler`: an OAuth 2.1 resource server (RFC 6750, RFC 9728). */
export interface ResourceServerOptions {
  /**
   * The URL at which clients reach the server, which identifies it (RFC 8707). Tokens are accepted for this audience
   * alone: a verifier that does not report it in `AuthInfo.resource` has accepted nothing.
   */
  readonly resource: string;
  /** The issuers that clients get tokens from; a token that names another is refused. */
  readonly authorizationServers: readonly string[];
  /** Checks tokens: `jwksVerifier`, `introspectionVerifier`, or the application's own. */
  readonly verifier: OAuthTokenVerifier;
  /** The scopes that clients are told to ask for at first. Left out: those of all tools. */
  readonly scopesSupported?: readonly string[];
  /** The server's name, for people who are asked for their consent. */
  readonly resourceName?: string;
  /** The URL of a page about the server, for developers. */
  readonly documentation?: string;
  /**
   * Who a token's bearer is; undefined refuses them. Left out: one id for each subject of each issuer, or for each
   * client where a token has no subject, with the token's scopes.
   */
  readonly principal?: PrincipalOfToken;
}

/** Says who the bearer of a checked token is; undefined: nobody who may come in. */
export type PrincipalOfToken = (authInfo: AuthInfo) => Principal | undefined;

/** The options, read. */
export interface ResourceSettings {
  /** As the application wrote it: clients compare it by its characters (RFC 9728, section 3.3). */
  readonly resource: string;
  readonly resourceUrl: URL;
  readonly authorizationServers: readonly string[];
  readonly verifier: OAuthTokenVerifier;
  readonly scopesSupported: readonly string[] | undefined;
  readonly resourceName: string | undefined;
  readonly documentation: string | undefined;
  readonly principal: PrincipalOfToken | undefined;
}

const WHAT = 'createMcpHandler: auth';

const OPTIONS: readonly (keyof ResourceServerOptions)[] = [
  'resource',
  'authorizationServers',
  'verifier',
  'scopesSupported',
  'resourceName',
  'documentation',
  'principal',
];

function refuse(what: string): never {
  throw new TypeError(`${WHAT}.${what}`);
}

function toScopes(given: readonly unknown[] | undefined): readonly string[] | undefined {
  return given?.map((scope) =>
    typeof scope === 'string' && isAskable(scope)
      ? scope
      : refuse(
          `scopesSupported names what clients cannot ask for; a scope is printable ASCII without spaces, quotes and backslashes, and not offline_access.`,
        ),
  );
}

/** Refuses a verifier that was made for another resource or issuer: it would accept no token. */
function refuseOther(verifier: OAuthTokenVerifier, resource: string, issuers: readonly string[]): void {
  const { audience, issuer } = boundOf(verifier) ?? {};
  if (audience !== undefined && !isSameResource(audience, resource))
    refuse(
      `verifier was made for the audience ${audience}, and auth.resource is ${resource}; write both alike, or wrap the verifier where tokens name another audience.`,
    );
  if (issuer !== undefined && !issuers.includes(issuer))
    refuse(
      `verifier was made for the issuer ${issuer}, and auth.authorizationServers names ${issuers.join(', ')}; write the issuer alike in both.`,
    );
}

/**
 * Reads the options of a resource server.
 *
 * @throws TypeError that names the first that is unknown, missing or unsound.
 */
export function toResourceSettings(options: ResourceServerOptions): ResourceSettings {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`${WHAT} is no object of options.`);
  refuseUnknownKeys(WHAT, options, OPTIONS);
  refuseNoLists(WHAT, options, ['authorizationServers', 'scopesSupported']);
  const { resource, authorizationServers, verifier, resourceName, documentation, principal } = options;
  const resourceUrl = toUrl(WHAT, 'resource', resource);
  const issuers = (authorizationServers ?? []).map((one) => toIssuer(WHAT, 'authorizationServers', one));
  if (issuers.length === 0)
    refuse('authorizationServers is empty; name the issuers that clients get tokens from.');
  if (typeof verifier?.verifyAccessToken !== 'function')
    refuse('verifier has no method verifyAccessToken; give jwksVerifier(…) or introspectionVerifier(…).');
  refuseOther(verifier, resource, issuers);
  if (resourceName !== undefined && typeof resourceName !== 'string') refuse('resourceName is no text.');
  if (principal !== undefined && typeof principal !== 'function')
    refuse('principal is no function; write principal: (authInfo) => ….');
  return {
    resource,
    resourceUrl,
    authorizationServers: issuers,
    verifier,
    scopesSupported: toScopes(options.scopesSupported),
    resourceName,
    documentation: documentation === undefined ? undefined : toUrl(WHAT, 'documentation', documentation).href,
    principal,
  };
}
