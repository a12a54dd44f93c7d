/**
 * Why a token is refused, or cannot be checked: OAuth errors with words of ours.
 * Invariant: what is said of a token is one of a closed set of reasons; nothing of the token, of its claims or of
 * what a server answered is in it, so that it may be answered and logged.
 */
import { type AuthInfo, OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server';
import { read, readText } from '../../invocation/mapping/read';

/** Why a token is refused. */
export type Refusal =
  | 'malformed'
  | 'algorithm'
  | 'type'
  | 'unknown_key'
  | 'signature'
  | 'inactive'
  | 'expired'
  | 'not_yet_valid'
  | 'no_expiry'
  | 'audience'
  | 'issuer'
  | 'key_bound'
  | 'no_resource'
  | 'other_resource';

/** What is asked about tokens, and may be out of order. */
export type Source = 'metadata' | 'keys' | 'introspection';

/** What the log gets of a failure: what failed, where, and by which code or status. */
export interface FailureFacts {
  readonly source?: Source;
  /** What was asked, without credentials and query. */
  readonly url?: string;
  readonly type?: string;
  readonly code?: string;
  /** Of HTTP. */
  readonly status?: number;
  /** Which setting is wrong, and what it should be; left out: a later request may fare better. */
  readonly message?: string;
  /** Where the same was looked for, one after the other. */
  readonly tried?: readonly FailureFacts[];
}

const TYPE_NAME = /^[A-Za-z_$][A-Za-z0-9_$]{0,63}$/;
const CODE = /^[A-Za-z0-9_.-]{1,64}$/;

const reasons = new WeakMap<object, Refusal>();
const failures = new WeakMap<object, FailureFacts>();

/** The error of a token that is refused; its text is the same for every reason (RFC 6750, section 3.1: `invalid_token`, 401). */
export function refused(reason: Refusal): OAuthError {
  const error = invalidToken();
  reasons.set(error, reason);
  return error;
}

/** What clients get to read of a token that is refused, by whatever verifier: why is for the log alone. */
export function invalidToken(): OAuthError {
  return new OAuthError(OAuthErrorCode.InvalidToken, 'The access token is not accepted');
}

/** Why a token was refused; undefined where a verifier of the application refused it. */
export function reasonFor(error: object): Refusal | undefined {
  return reasons.get(error);
}

/** What the SDK refuses of what a verifier has accepted (RFC 8707; MCP, authorization, token handling). */
export function lackOf({ resource, expiresAt }: AuthInfo): Refusal {
  if (resource === undefined) return 'no_resource';
  if (typeof expiresAt !== 'number' || Number.isNaN(expiresAt)) return 'no_expiry';
  return expiresAt < Date.now() / 1_000 ? 'expired' : 'other_resource';
}

/** The error of a token that cannot be checked now, since what knows about it does not answer as it should. */
export function unavailable(source: Source, facts: FailureFacts): OAuthError {
  const error = new OAuthError(OAuthErrorCode.TemporarilyUnavailable, 'Access tokens cannot be checked now');
  failures.set(error, { source, ...facts });
  return error;
}

/** The error of tokens that cannot be checked until somebody mends the configuration, as `message` says. */
export function misconfigured(
  source: Source,
  facts: FailureFacts & { readonly message: string },
): OAuthError {
  const error = new OAuthError(OAuthErrorCode.ServerError, 'Access tokens cannot be checked');
  failures.set(error, { source, ...facts });
  return error;
}

/** What the log gets of a request that failed. */
export function requestFacts(url: string | URL, thrown: unknown): FailureFacts {
  const { origin, pathname } = new URL(url);
  return { url: `${origin}${pathname}`, ...factsOf(thrown) };
}

/** What fetch throws keeps the code in its cause. */
function codeOf(thrown: object): string | undefined {
  const cause = read(thrown, 'cause');
  const holders = typeof cause === 'object' && cause !== null ? [thrown, cause] : [thrown];
  return holders.map((one) => readText(one, 'code')).find((code) => code !== undefined && CODE.test(code));
}

/** What may be logged of something thrown: the type and the code, never its text, which may quote a token. */
export function factsOf(thrown: unknown): FailureFacts {
  if (typeof thrown !== 'object' || thrown === null) return { type: typeof thrown };
  const known = failures.get(thrown);
  if (known !== undefined) return known;
  const type = readText(thrown, 'name');
  const code = codeOf(thrown);
  const status = read(thrown, 'status');
  return {
    ...(type !== undefined && TYPE_NAME.test(type) ? { type } : {}),
    ...(code === undefined ? {} : { code }),
    ...(typeof status === 'number' ? { status } : {}),
  };
}
