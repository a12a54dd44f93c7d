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
import { type FailureFacts, misconfigured, requestFacts, unavailable } from './refusal';
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

/** Metadata of which an issuer's keys are not had, whenever it is asked for. */
class UnusableMetadata extends Error {
  override readonly name = 'UnusableMetadata';

  constructor(
    readonly code: 'other_issuer' | 'no_keys_named' | 'keys_not_secure',
    message: string,
  ) {
    super(message);
  }
}

/** An issuer as metadata names it, where that is a plain URL and short: whatever else it holds is for nobody's log. */
function shown(named: unknown): string {
  const isPlain = typeof named === 'string' && /^https?:\/\/[\w.~:/%[\]-]{1,256}$/.test(named);
  return isPlain ? named : 'none that can be shown';
}

/** Reads where the keys are out of metadata. @throws UnusableMetadata where it is another issuer's, or names no keys. */
function keysUrlOf(metadata: unknown, issuer: string): URL {
  const { issuer: named, jwks_uri: uri } = toClaims(metadata) ?? {};
  if (named !== issuer) {
    const message = `metadata names issuer ${shown(named)}, configured ${issuer}; write it as the metadata has it`;
    throw new UnusableMetadata('other_issuer', message);
  }
  if (typeof uri !== 'string' || !URL.canParse(uri))
    throw new UnusableMetadata('no_keys_named', 'metadata names no jwks_uri; give jwksUri');
  const url = new URL(uri);
  if (isSecure(url)) return url;
  throw new UnusableMetadata(
    'keys_not_secure',
    'metadata names a jwks_uri that is no https URL; give jwksUri',
  );
}

/** What an issuer's keys are found by. */
export interface KeySourceOptions {
  readonly issuer: string;
  /** Left out: discovered from the metadata of the issuer. */
  readonly jwksUri: URL | undefined;
  readonly timeoutMs: number;
}

/** Keys, and where they are. */
interface Keys {
  readonly set: RemoteJWKSet;
  readonly url: URL;
}

/** Finds the keys of one issuer. */
export class KeySource {
  private keys: Keys | undefined;
  private freshUntil = 0;
  private pending: Promise<Keys> | undefined;

  constructor(
    private readonly options: KeySourceOptions,
    private readonly jose: Jose,
  ) {}

  /**
   * Finds the key of a token.
   *
   * @throws OAuthError `temporarily_unavailable` where the keys cannot be had, `server_error` where metadata of the
   * issuer says nothing of them that can be used; jose's errors where the token is at fault.
   */
  async key(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    const { set, url } = await this.keySet();
    try {
      return await set(header, token);
    } catch (thrown) {
      const isOfToken =
        typeof thrown === 'object' && thrown !== null && OF_TOKENS.includes(readText(thrown, 'code'));
      throw isOfToken ? thrown : unavailable('keys', requestFacts(url, thrown));
    }
  }

  private async keySet(): Promise<Keys> {
    if (this.keys !== undefined && Date.now() < this.freshUntil) return this.keys;
    // However many requests wait, the issuer is asked once.
    this.pending ??= this.open().finally(() => {
      this.pending = undefined;
    });
    return this.pending;
  }

  private async open(): Promise<Keys> {
    const { jwksUri } = this.options;
    const url = jwksUri ?? (await this.discover());
    this.keys = { set: this.remoteSet(url), url };
    this.freshUntil = jwksUri === undefined ? Date.now() + KEPT_MS : Number.POSITIVE_INFINITY;
    return this.keys;
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
    const tried: FailureFacts[] = [];
    let unusable: UnusableMetadata | undefined;
    for (const address of metadataUrls(issuer)) {
      try {
        const headers = { accept: 'application/json' };
        const response = await boundedFetch(address, { headers, signal, maxBytes: MAX_BYTES });
        return keysUrlOf(await response.json(), issuer);
      } catch (thrown) {
        tried.push(requestFacts(address, thrown));
        if (thrown instanceof UnusableMetadata) unusable ??= thrown;
      }
    }
    if (unusable === undefined) throw unavailable('metadata', { tried });
    const { code, message } = unusable;
    throw misconfigured('metadata', { code, message, tried });
  }
}
