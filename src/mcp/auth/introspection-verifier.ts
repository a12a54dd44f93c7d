/**
 * Verifies access tokens by asking their authorization server about each (RFC 7662).
 * Invariant: what is accepted the server has called active, for this audience and within its time; where it does not
 * answer, or not in so many words, nothing is.
 */
import { createHash } from 'node:crypto';
import type { AuthInfo, OAuthTokenVerifier } from '@modelcontextprotocol/server';
import { refuseUnknownKeys, toCount } from '../../discovery/check-options';
import { RecentMap } from '../../invocation/recent';
import { boundedFetch } from './bounded-fetch';
import { type Claims, toAuthInfo, toClaims } from './claims';
import { type Refusal, refused, requestFacts, unavailable } from './refusal';
import { bindTo, toAudience, toTolerance } from './shared-options';
import { audienceForms, toIssuer, toUrl } from './urls';

/** How access tokens are asked about. */
export interface IntrospectionVerifierOptions {
  /** The introspection endpoint. */
  readonly endpoint: string;
  /** This server's own client at the authorization server; sent by HTTP Basic. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** What tokens must name as their audience: the `resource` of the server (RFC 8707). */
  readonly audience: string;
  /** The issuer that answers must name. Left out: the endpoint vouches for whatever it names, or for none. */
  readonly issuer?: string;
  /**
   * For how long an answer that a token is active holds, in milliseconds. Left out: for none, so that a revoked token
   * is refused at once.
   */
  readonly cacheMs?: number;
  /** By how much clocks may differ, in milliseconds; left out: 5,000. */
  readonly clockToleranceMs?: number;
  /** How long the server may take to answer, in milliseconds; left out: 5,000. */
  readonly timeoutMs?: number;
}

const WHAT = 'introspectionVerifier';

const OPTIONS: readonly (keyof IntrospectionVerifierOptions)[] = [
  'endpoint',
  'clientId',
  'clientSecret',
  'audience',
  'issuer',
  'cacheMs',
  'clockToleranceMs',
  'timeoutMs',
];

const MAX_BYTES = 131_072;
const MAX_CACHED = 10_000;

function toText(option: 'clientId' | 'clientSecret', given: unknown): string {
  if (typeof given === 'string' && given !== '') return given;
  throw new TypeError(`${WHAT}: ${option} is missing; give the credentials of this server's own client.`);
}

/** RFC 6749, section 2.3.1: both parts are form-encoded before they are joined. */
function basic(clientId: string, clientSecret: string): string {
  const encode = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64')}`;
}

/** What holds for every answer. */
interface Expected {
  readonly audiences: readonly string[];
  readonly issuer: string | undefined;
  /** In seconds, as the times of claims. */
  readonly tolerance: number;
}

/** What is wrong with an active token; undefined where nothing is. */
function faultOf(claims: Claims, { audiences, issuer, tolerance }: Expected): Refusal | undefined {
  const { aud, iss, exp, nbf, cnf } = claims;
  const now = Date.now() / 1_000;
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!named.some((one) => typeof one === 'string' && audiences.includes(one))) return 'audience';
  if (issuer !== undefined && iss !== issuer) return 'issuer';
  if (typeof exp !== 'number') return 'no_expiry';
  if (exp + tolerance <= now) return 'expired';
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf - tolerance <= now)) return 'not_yet_valid';
  return cnf === undefined ? undefined : 'key_bound';
}

/** Answers about active tokens, by a hash of the token, so that none lies in memory as it is. */
class Answers {
  private readonly answers = new RecentMap<{ readonly until: number; readonly claims: Claims }>(MAX_CACHED);

  constructor(private readonly cacheMs: number) {}

  private keyOf(token: string): string {
    return createHash('sha256').update(token).digest('base64');
  }

  get(token: string): Claims | undefined {
    const found = this.answers.get(this.keyOf(token));
    return found !== undefined && Date.now() < found.until ? found.claims : undefined;
  }

  keep(token: string, claims: Claims): void {
    this.answers.set(this.keyOf(token), { until: Date.now() + this.cacheMs, claims });
  }
}

/**
 * Makes a verifier that asks the authorization server about each token (RFC 7662), for tokens that are opaque, or that
 * have to be refused as soon as they are revoked.
 *
 * The server must answer 200 with `active: true`, this audience (alone or in a list), an expiry, and the issuer where
 * one is given; a token that is bound to a key (`cnf`) is refused, since the proof of it is not checked. Scopes come
 * from `scope` or `scp`, the client from `client_id` or `azp`; `extra` has `iss`, `sub` and all `claims`.
 *
 * The verifier throws the SDK's OAuthError: `invalid_token`, and `temporarily_unavailable`, which is answered with 503,
 * where the server does not answer, refuses this server's own credentials, or answers with something else.
 *
 * @throws TypeError for an option that is unknown, missing or unsound.
 */
export function introspectionVerifier(options: IntrospectionVerifierOptions): OAuthTokenVerifier {
  refuseUnknownKeys(WHAT, options, OPTIONS);
  const { href } = toUrl(WHAT, 'endpoint', options.endpoint);
  const audience = toAudience(WHAT, options.audience);
  const issuer = options.issuer === undefined ? undefined : toIssuer(WHAT, 'issuer', options.issuer);
  const timeoutMs = toCount(WHAT, 'timeoutMs', options.timeoutMs, 5_000);
  const tolerance = toTolerance(WHAT, options.clockToleranceMs) / 1_000;
  const headers = {
    accept: 'application/json',
    authorization: basic(toText('clientId', options.clientId), toText('clientSecret', options.clientSecret)),
  };
  const expected: Expected = { audiences: audienceForms(audience), issuer, tolerance };
  const answers =
    options.cacheMs === undefined ? undefined : new Answers(toCount(WHAT, 'cacheMs', options.cacheMs, 0));

  const ask = async (token: string): Promise<Claims> => {
    try {
      const response = await boundedFetch(href, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
        signal: AbortSignal.timeout(timeoutMs),
        maxBytes: MAX_BYTES,
      });
      const claims = toClaims(await response.json());
      if (typeof claims?.active === 'boolean') return claims;
    } catch (thrown) {
      throw unavailable('introspection', requestFacts(href, thrown));
    }
    throw unavailable('introspection', requestFacts(href, { code: 'no_answer_about_active' }));
  };

  return bindTo(
    { issuer, audience },
    {
      async verifyAccessToken(token: string): Promise<AuthInfo> {
        const known = answers?.get(token);
        const claims = known ?? (await ask(token));
        if (claims.active !== true) throw refused('inactive');
        const fault = faultOf(claims, expected);
        if (fault !== undefined) throw refused(fault);
        // Only what was just heard is kept: using an answer makes it no younger.
        if (known === undefined) answers?.keep(token, claims);
        const iss = issuer ?? (typeof claims.iss === 'string' ? claims.iss : undefined);
        return toAuthInfo({
          token,
          claims,
          expiresAt: Number(claims.exp) + tolerance,
          audience,
          issuer: iss,
        });
      },
    },
  );
}
