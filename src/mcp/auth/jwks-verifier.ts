/**
 * Verifies access tokens that are JWTs, by the keys that their issuer publishes.
 * Invariant: what is accepted is signed with an asymmetric key of the issuer, for this audience, within its time;
 * where keys cannot be had nothing is.
 */
import type { AuthInfo, OAuthTokenVerifier } from '@modelcontextprotocol/server';
import type { JWTVerifyGetKey, JWTVerifyResult } from 'jose';
import { refuseNoLists, refuseUnknownKeys, toCount } from '../../discovery/check-options';
import { readText } from '../../invocation/mapping/read';
import { toAuthInfo } from './claims';
import { KeySource } from './key-source';
import { type Refusal, refused } from './refusal';
import { bindTo, toAudience, toTolerance } from './shared-options';
import { audienceForms, toIssuer, toUrl } from './urls';

/** How access tokens that are JWTs are verified. */
export interface JwksVerifierOptions {
  /** The authorization server's issuer identifier, character by character as it is in its metadata. */
  readonly issuer: string;
  /** What tokens must name as their audience: the `resource` of the server (RFC 8707). */
  readonly audience: string;
  /** Where the keys are. Left out: found by the issuer's metadata (RFC 8414, or OpenID Connect Discovery). */
  readonly jwksUri?: string;
  /** Left out: all of RSA, ECDSA and EdDSA. Others, `none` and those of a shared secret above all, are never accepted. */
  readonly algorithms?: readonly string[];
  /** By how much clocks may differ, in milliseconds; left out: 5,000. */
  readonly clockToleranceMs?: number;
  /** How long the issuer may take to answer, in milliseconds; left out: 5,000. */
  readonly timeoutMs?: number;
}

const WHAT = 'jwksVerifier';

const OPTIONS: readonly (keyof JwksVerifierOptions)[] = [
  'issuer',
  'audience',
  'jwksUri',
  'algorithms',
  'clockToleranceMs',
  'timeoutMs',
];

const ALGORITHMS: readonly string[] = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'Ed25519', 'EdDSA'],
];

/** RFC 9068 asks for `at+jwt`, which many servers do not write; no other kind of JWT names itself by these. */
const TYPES: readonly unknown[] = ['at+jwt', 'jwt', undefined];

const BY_CODE: ReadonlyMap<unknown, Refusal> = new Map([
  ['ERR_JWT_EXPIRED', 'expired'],
  ['ERR_JOSE_ALG_NOT_ALLOWED', 'algorithm'],
  ['ERR_JOSE_NOT_SUPPORTED', 'algorithm'],
  ['ERR_JWS_SIGNATURE_VERIFICATION_FAILED', 'signature'],
  ['ERR_JWKS_NO_MATCHING_KEY', 'unknown_key'],
  ['ERR_JWKS_MULTIPLE_MATCHING_KEYS', 'unknown_key'],
  ['ERR_JWS_INVALID', 'malformed'],
  ['ERR_JWT_INVALID', 'malformed'],
]);

const BY_CLAIM: ReadonlyMap<unknown, Refusal> = new Map([
  ['aud', 'audience'],
  ['iss', 'issuer'],
  ['nbf', 'not_yet_valid'],
  ['exp', 'no_expiry'],
]);

/** What jose finds wrong with a token; undefined for what is no finding of jose's. */
function findingOf(thrown: unknown): Refusal | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  const code = readText(thrown, 'code');
  if (code !== 'ERR_JWT_CLAIM_VALIDATION_FAILED') return BY_CODE.get(code);
  return BY_CLAIM.get(readText(thrown, 'claim')) ?? 'malformed';
}

/** Loads jose, which an application without JWTs need not have. */
function loadJose(): typeof import('jose') {
  try {
    return require('jose');
  } catch (cause) {
    throw new Error(`${WHAT} needs the package jose: run \`npm install jose\`.`, { cause });
  }
}

function toAlgorithms(options: JwksVerifierOptions): string[] {
  refuseNoLists(WHAT, options, ['algorithms']);
  const algorithms = [...(options.algorithms ?? ALGORITHMS)];
  const isKnown = algorithms.length > 0 && algorithms.every((one) => ALGORITHMS.includes(one));
  if (isKnown) return algorithms;
  throw new TypeError(`${WHAT}: algorithms names none, or one that is not of ${ALGORITHMS.join(', ')}.`);
}

function typeOf({ protectedHeader: { typ } }: JWTVerifyResult): string | undefined {
  return typ?.toLowerCase().replace(/^application\//, '');
}

/**
 * Makes a verifier of access tokens that are JWTs (RFC 9068), for the `auth` option of `createMcpHandler`.
 *
 * A token must be signed with a key that the issuer publishes, and carry the issuer, this audience (alone or in a
 * list) and an expiry. Its `typ` may be `at+jwt`, `JWT` or left out: other kinds of JWT are refused by theirs, ID
 * tokens by their audience. A token that is bound to a key (`cnf`, RFC 9449 and RFC 8705) is refused, since the proof
 * of it is not checked. Scopes come from `scope` or `scp`, the client from `client_id` or `azp`; `extra` has `iss`,
 * `sub` and all `claims`. Keys and metadata are kept for ten minutes; a key that is not among them is looked for again,
 * at most once in 30 seconds.
 *
 * The verifier throws the SDK's OAuthError: `invalid_token`, and `temporarily_unavailable`, which is answered with 503,
 * where the keys cannot be had: it says nothing of the token, and a 401 would send clients to fetch another. Metadata
 * that names another issuer, or no keys, is `server_error`, answered with 500: it takes another configuration.
 *
 * @throws TypeError for an option that is unknown, missing or unsound; Error where the package jose is not installed.
 */
export function jwksVerifier(options: JwksVerifierOptions): OAuthTokenVerifier {
  refuseUnknownKeys(WHAT, options, OPTIONS);
  const issuer = toIssuer(WHAT, 'issuer', options.issuer);
  const audience = toAudience(WHAT, options.audience);
  const jwksUri = options.jwksUri === undefined ? undefined : toUrl(WHAT, 'jwksUri', options.jwksUri);
  const timeoutMs = toCount(WHAT, 'timeoutMs', options.timeoutMs, 5_000);
  const tolerance = toTolerance(WHAT, options.clockToleranceMs) / 1_000;
  const algorithms = toAlgorithms(options);
  const jose = loadJose();
  const keys = new KeySource({ issuer, jwksUri, timeoutMs }, jose);
  const checks = {
    issuer,
    audience: audienceForms(audience),
    algorithms,
    clockTolerance: tolerance,
  };

  const getKey: JWTVerifyGetKey = (header, input) => keys.key(header, input);
  const verify = async (token: string): Promise<JWTVerifyResult> => {
    try {
      return await jose.jwtVerify(token, getKey, checks);
    } catch (thrown) {
      const finding = findingOf(thrown);
      throw finding === undefined ? thrown : refused(finding);
    }
  };

  return bindTo(
    { issuer, audience },
    {
      async verifyAccessToken(token: string): Promise<AuthInfo> {
        const verified = await verify(token);
        if (!TYPES.includes(typeOf(verified))) throw refused('type');
        const { payload: claims } = verified;
        if (claims.exp === undefined) throw refused('no_expiry');
        if (claims.cnf !== undefined) throw refused('key_bound');
        return toAuthInfo({ token, claims, expiresAt: claims.exp + tolerance, audience, issuer });
      },
    },
  );
}
