/**
 * What the claims of a token say, in the words of the MCP SDK.
 * Invariant: what is missing or of another type than it should be gives nothing: no scope, no subject, no client.
 */
import type { AuthInfo } from '@modelcontextprotocol/server';

/** The claims of a token, by RFC 7519, RFC 7662 and RFC 9068. */
export type Claims = Readonly<Record<string, unknown>>;

/** Reads the claims out of what a server answered; undefined where it is no object. */
export function toClaims(value: unknown): Claims | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** `scope` is a text by RFC 8693; `scp` a list or a text with the servers that use it. */
function scopesOf({ scope, scp }: Claims): string[] {
  const given = scope ?? scp;
  const listed: readonly unknown[] = Array.isArray(given) ? given : [given];
  return listed.flatMap((one) =>
    typeof one === 'string' ? one.split(' ').filter((name) => name !== '') : [],
  );
}

/** What is known of a token whose claims were checked. */
export interface CheckedToken {
  readonly token: string;
  readonly claims: Claims;
  /** In seconds since 1970; the tolerance of the clock is in it. */
  readonly expiresAt: number;
  readonly audience: string;
  readonly issuer: string | undefined;
}

/** What the SDK, and the principal, get of a token. */
export function toAuthInfo({ token, claims, expiresAt, audience, issuer }: CheckedToken): AuthInfo {
  const sub = textOf(claims.sub);
  return {
    token,
    clientId: textOf(claims.client_id) ?? textOf(claims.azp) ?? '',
    scopes: scopesOf(claims),
    expiresAt,
    ...(URL.canParse(audience) ? { resource: new URL(audience) } : {}),
    extra: {
      claims,
      ...(issuer === undefined ? {} : { iss: issuer }),
      ...(sub === undefined ? {} : { sub }),
    },
  };
}
