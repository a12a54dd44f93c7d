/**
 * The keys of an issuer: where they are, and what they are.
 * Invariant: keys come from the configured address, or from where metadata of the very issuer says; both are kept
 * for ten minutes and then asked for again, and without them nothing is verified.
 */
import type {
  CryptoKey,
  FetchImplementation,
  FlattenedJWSInput,
  JWSHeaderParameters,
  RemoteJWKSet,
} from 'jose';
import { readText } from '../../invocation/mapping/read';
import { boundedFetch } from './bounded-fetch';
import { toClaims } from './claims';
import { unavailable } from './refusal';
import { isSecure } from './urls';

/** The part of jose that makes key sets; jose itself is loaded by whoever verifies. */
export type Jose = Pick<typeof import('jose'), 'createRemoteJWKSet' | 'customFetch'>;

const KEPT_MS = 600_000;
const MAX_BYTES = 524_288;

/** Faults of a token: the issuer has no key of its id, or more than one, or none for its algorithm. */
const OF_TOKENS: readonly unknown[] = [
  'ERR_JWKS_NO_MATCHING_KEY',
  'ERR_JWKS_MULTIPLE_MATCHING_KEYS',
  'ERR_JOSE_NOT_SUPPORTED',
];

/** Where an issuer may keep its metadata (RFC 8414, section 3.1; OpenID Connect Discovery, section 4.1). */
function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return [...new Set(urls)];
}

/** Reads where the keys are out of metadata; undefined where they are those of another issuer. */
function keysUrlOf(metadata: unknown, issuer: string): URL | undefined {
  const { issuer: named, jwks_uri: uri } = toClaims(metadata) ?? {};
  if (named !== issuer || typeof uri !== 'string' || !URL.canParse(uri)) return undefined;
  const url = new URL(uri);
  return isSecure(url) ? url : undefined;
}

/** What an issuer's keys are found by. */
export interface KeySourceOptions {
  readonly issuer: string;
  /** Left out: discovered from the metadata of the issuer. */
  readonly jwksUri: URL | undefined;
  readonly timeoutMs: number;
}

/** Finds the keys of one issuer. */
export class KeySource {
  private set: RemoteJWKSet | undefined;
  private freshUntil = 0;
  private pending: Promise<RemoteJWKSet> | undefined;

  constructor(
    private readonly options: KeySourceOptions,
    private readonly jose: Jose,
  ) {}

  /**
   * Finds the key of a token.
   *
   * @throws OAuthError `temporarily_unavailable` where the keys cannot be had; jose's errors where the token is at fault.
   */
  async key(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    const set = await this.keySet();
    try {
      return await set(header, token);
    } catch (thrown) {
      const isOfToken =
        typeof thrown === 'object' && thrown !== null && OF_TOKENS.includes(readText(thrown, 'code'));
      throw isOfToken ? thrown : unavailable('keys', thrown);
    }
  }

  private async keySet(): Promise<RemoteJWKSet> {
    if (this.set !== undefined && Date.now() < this.freshUntil) return this.set;
    // However many requests wait, the issuer is asked once.
    this.pending ??= this.open().finally(() => {
      this.pending = undefined;
    });
    return this.pending;
  }

  private async open(): Promise<RemoteJWKSet> {
    const { jwksUri } = this.options;
    const url = jwksUri ?? (await this.discover());
    this.set = this.remoteSet(url);
    this.freshUntil = jwksUri === undefined ? Date.now() + KEPT_MS : Number.POSITIVE_INFINITY;
    return this.set;
  }

  private remoteSet(url: URL): RemoteJWKSet {
    const { createRemoteJWKSet, customFetch } = this.jose;
    const fetchKeys: FetchImplementation = (address, { headers, signal }) =>
      boundedFetch(address, { headers, signal, maxBytes: MAX_BYTES });
    return createRemoteJWKSet(url, {
      timeoutDuration: this.options.timeoutMs,
      cacheMaxAge: KEPT_MS,
      [customFetch]: fetchKeys,
    });
  }

  private async discover(): Promise<URL> {
    const { issuer, timeoutMs } = this.options;
    const signal = AbortSignal.timeout(timeoutMs);
    let last: unknown;
    for (const address of metadataUrls(issuer)) {
      try {
        const headers = { accept: 'application/json' };
        const response = await boundedFetch(address, { headers, signal, maxBytes: MAX_BYTES });
        const url = keysUrlOf(await response.json(), issuer);
        if (url !== undefined) return url;
      } catch (thrown) {
        last = thrown;
      }
    }
    throw unavailable('metadata', last ?? { code: 'no_keys_named' });
  }
}
