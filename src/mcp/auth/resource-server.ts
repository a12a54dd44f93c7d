/**
 * The OAuth 2.1 resource server before the MCP handler: who comes in, and what those are told who do not.
 * Invariant: nobody comes in but by a token that the verifier accepts, for this resource, of one of its issuers, whose
 * bearer is a principal. Neither answers nor logs hold tokens, claims, or what a verifier said; why `auth.principal`
 * failed is for the log alone, and scrubbed.
 */
import { types } from 'node:util';
import {
  type AuthInfo,
  bearerAuthChallengeResponse,
  OAuthError,
  OAuthErrorCode,
  verifyBearerToken,
} from '@modelcontextprotocol/server';
import type { Logger } from '../../contract/context';
import { isPrincipal, type Principal } from '../../contract/principal';
import { reasonOf } from '../../errors/reason';
import { scrubText } from '../../invocation/scrub';
import { MASK } from '../../invocation/scrub/detector';
import { readBearer } from './bearer';
import { factsOf, invalidToken, lackOf, reasonFor, refused } from './refusal';
import { metadataResponse, metadataUrl } from './resource-metadata';
import { type ResourceServerOptions, type ResourceSettings, toResourceSettings } from './resource-options';
import { askable, isAskable } from './scope-tokens';
import { issuerOf, missingIn, notPrincipal, principalOfToken } from './token-principal';

/** Who comes in. */
export interface Authenticated {
  readonly authInfo: AuthInfo;
  readonly principal: Principal;
}

/** What a resource server needs of the toolkit. */
export interface ResourceSurroundings {
  readonly logger: Logger;
  /** The scopes of all tools, as they are now. */
  readonly scopes: () => readonly string[];
}

/** In seconds: what knows about tokens is asked again as soon as a request comes. */
const RETRY_AFTER = '5';

function oauthError(
  code: OAuthErrorCode,
  text: string,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(new OAuthError(code, text).toResponseObject(), { status, headers });
}

/** Guards an MCP handler. */
export class ResourceServer {
  /** Where the metadata of the resource is. */
  readonly metadataUrl: URL;
  private readonly settings: ResourceSettings;

  /** @throws TypeError that names the first option that is unknown, missing or unsound. */
  constructor(
    options: ResourceServerOptions,
    private readonly surroundings: ResourceSurroundings,
  ) {
    this.settings = toResourceSettings(options);
    this.metadataUrl = metadataUrl(this.settings);
    const hidden = [...new Set(surroundings.scopes())].filter((scope) => !isAskable(scope));
    if (hidden.length > 0)
      surroundings.logger.warn(
        { scopes: hidden },
        'clients cannot be told to ask for these scopes, so that their tools are out of reach over OAuth: rename them',
      );
  }

  /**
   * Lets a request in, or says how it is answered: 400 for a header that is no bearer token, 401 without a token that
   * is accepted, 403 for a bearer who is no principal, 503 where tokens cannot be checked now, 500 where the verifier,
   * or `principal`, fails.
   */
  async authenticate(request: Request): Promise<Authenticated | Response> {
    const bearer = readBearer(request.headers.get('authorization'));
    if (bearer === 'absent') return this.unauthenticated();
    if (bearer === 'malformed')
      return oauthError(
        OAuthErrorCode.InvalidRequest,
        'The Authorization header holds no single bearer token',
        400,
      );
    const { token } = bearer;
    let authInfo: AuthInfo;
    try {
      authInfo = await this.check(token);
    } catch (thrown) {
      return this.refusal(thrown, 'verifier');
    }
    try {
      return this.admit(authInfo);
    } catch (thrown) {
      if (!(thrown instanceof OAuthError)) return this.noBearer(thrown, token);
      return this.refusal(thrown, 'principal');
    }
  }

  /** Answers a request for the metadata of the resource; undefined for any other request. */
  metadata(request: Request): Response | undefined {
    if (!this.serves(new URL(request.url).pathname)) return undefined;
    return metadataResponse(request, this.settings, this.scopes());
  }

  /** Whether a path is that of the metadata. */
  serves(pathname: string): boolean {
    return pathname === this.metadataUrl.pathname;
  }

  private scopes(): readonly string[] {
    return this.settings.scopesSupported ?? this.surroundings.scopes();
  }

  private async check(token: string): Promise<AuthInfo> {
    const { verifier, resourceUrl } = this.settings;
    let accepted: AuthInfo | undefined;
    const noting = {
      verifyAccessToken: async (given: string) => {
        accepted = await verifier.verifyAccessToken(given);
        return accepted;
      },
    };
    try {
      return await verifyBearerToken(`Bearer ${token}`, {
        verifier: noting,
        expectedResource: resourceUrl,
        resourceMetadataUrl: this.metadataUrl.href,
      });
    } catch (thrown) {
      if (accepted === undefined || !(thrown instanceof OAuthError)) throw thrown;
      throw refused(lackOf(accepted));
    }
  }

  /** Finds the bearer of a token; a promise of a principal is none, and its rejection nobody's. */
  private admit(authInfo: AuthInfo): Authenticated | Response {
    const { authorizationServers, principal } = this.settings;
    const issuer = issuerOf(authInfo, authorizationServers);
    if (issuer === undefined) throw refused('issuer');
    const found: unknown = principal === undefined ? principalOfToken(authInfo, issuer) : principal(authInfo);
    if (types.isPromise(found)) found.catch(() => {});
    if (isPrincipal(found)) return { authInfo, principal: found };
    const reason = principal === undefined ? missingIn(authInfo) : notPrincipal(found);
    this.surroundings.logger.info({ reason }, 'the bearer of an access token is no principal');
    // Not 401: a new token of the same bearer would fare no better.
    return oauthError(
      OAuthErrorCode.AccessDenied,
      'The bearer of the access token may not use this server',
      403,
    );
  }

  /** The application knows tokens by `authInfo`, so that what it throws may quote one. */
  private noBearer(thrown: unknown, token: string): Response {
    const message = scrubText(reasonOf(thrown).replaceAll(token, MASK));
    const error = { ...factsOf(thrown), message };
    this.surroundings.logger.error({ error }, 'auth.principal failed: it cannot be told who bears the token');
    return oauthError(OAuthErrorCode.ServerError, 'The bearer of the access token could not be told', 500);
  }

  /** RFC 6750, section 3.1: where there was no token, nothing is said to be wrong with one. */
  private unauthenticated(): Response {
    const scope = askable(this.scopes()).join(' ');
    const parts = [
      ...(scope === '' ? [] : [`scope="${scope}"`]),
      `resource_metadata="${this.metadataUrl.href}"`,
    ];
    return Response.json(
      { error: OAuthErrorCode.InvalidToken, error_description: 'An access token is needed' },
      { status: 401, headers: { 'www-authenticate': `Bearer ${parts.join(', ')}` } },
    );
  }

  /** @param by what refuses for a reason of its own. */
  private refusal(thrown: unknown, by: 'verifier' | 'principal'): Response {
    const { logger } = this.surroundings;
    const code = thrown instanceof OAuthError ? thrown.code : undefined;
    if (thrown instanceof OAuthError && code === OAuthErrorCode.InvalidToken) {
      logger.info({ reason: reasonFor(thrown) ?? by }, 'an access token was refused');
      return bearerAuthChallengeResponse(invalidToken(), {
        requiredScopes: askable(this.scopes()),
        resourceMetadataUrl: this.metadataUrl.href,
      });
    }
    const error = factsOf(thrown);
    const why = error.message === undefined ? '' : `: ${error.message}`;
    logger.error({ error }, `access tokens cannot be checked${why}`);
    return code === OAuthErrorCode.TemporarilyUnavailable
      ? oauthError(
          OAuthErrorCode.TemporarilyUnavailable,
          'Access tokens cannot be checked now; try again later',
          503,
          { 'retry-after': RETRY_AFTER },
        )
      : oauthError(OAuthErrorCode.ServerError, 'The access token could not be checked', 500);
  }
}
