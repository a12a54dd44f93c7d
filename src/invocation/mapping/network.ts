/**
 * What the errors of Node's network, of undici (Node's fetch) and of axios mean, and aborted requests.
 * Invariant: only what fails before a request is sent counts as not started.
 */
import { read, readText } from './read';
import { hopeless, timedOut, unavailable, type Verdict } from './verdict';

const UNREACHED = unavailable(
  'A service that the tool uses cannot be reached; nothing was sent to it.',
  false,
);
const BROKEN = unavailable(
  'The connection to a service that the tool uses broke before it had answered.',
  true,
);
const SLOW = timedOut('A service that the tool uses did not answer in time.', true);
const GIVEN_UP = timedOut('The tool gave up its own request before it was answered.', true);
const EXHAUSTED = unavailable('The application has no connections or files left; nothing was sent.', false);
const UNTRUSTED = hopeless('A service that the tool uses could not prove who it is; nothing was sent to it.');

/** By `code`: system errors of Node, errors of undici, and errors of axios. */
const BY_CODE: ReadonlyMap<string, Verdict> = new Map([
  ...[
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'EHOSTDOWN',
    'ENETUNREACH',
    'ENETDOWN',
    'EADDRNOTAVAIL',
    'UND_ERR_CONNECT_TIMEOUT',
    'UND_ERR_CLOSED',
    'UND_ERR_BPL_MISSED_UPSTREAM',
  ].map((code) => [code, UNREACHED] as const),
  ...[
    'ECONNRESET',
    'ECONNABORTED',
    'EPIPE',
    'EPROTO',
    'ENOTCONN',
    'ERR_STREAM_PREMATURE_CLOSE',
    'UND_ERR_SOCKET',
    'UND_ERR_DESTROYED',
    'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
    'UND_ERR_HEADERS_OVERFLOW',
  ].map((code) => [code, BROKEN] as const),
  ...['ETIMEDOUT', 'ESOCKETTIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'].map(
    (code) => [code, SLOW] as const,
  ),
  ...['UND_ERR_ABORTED', 'ERR_CANCELED', 'ABORT_ERR'].map((code) => [code, GIVEN_UP] as const),
  ...['EMFILE', 'ENFILE', 'ENOBUFS'].map((code) => [code, EXHAUSTED] as const),
  ...[
    'CERT_HAS_EXPIRED',
    'CERT_NOT_YET_VALID',
    'CERT_REVOKED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ].map((code) => [code, UNTRUSTED] as const),
]);

/** What Node does with a connection that it has. */
const TRANSFERS: ReadonlySet<unknown> = new Set(['read', 'write', 'writev', 'shutdown']);

/** By `name`: what AbortSignal, fetch and axios reject with. */
const BY_NAME: ReadonlyMap<string, Verdict> = new Map([
  ['TimeoutError', SLOW],
  ['AbortError', GIVEN_UP],
  ['CanceledError', GIVEN_UP],
]);

function ofCode(thrown: object): Verdict | undefined {
  const code = readText(thrown, 'code');
  if (code === undefined) return undefined;
  // The parser of HTTP: what came back is no response.
  if (code.startsWith('HPE_')) return BROKEN;
  const verdict = BY_CODE.get(code);
  const syscall = read(thrown, 'syscall');
  // A connection that was never made, whatever broke it.
  if (verdict?.started === true && syscall === 'connect') return UNREACHED;
  // One that was made, and over which a request may have gone: `read EHOSTUNREACH`, `write ENOBUFS`.
  if ((verdict === UNREACHED || verdict === EXHAUSTED) && TRANSFERS.has(syscall)) return BROKEN;
  // axios's word for its own time limit.
  return code === 'ECONNABORTED' && read(thrown, 'isAxiosError') === true ? SLOW : verdict;
}

/** Judges what says no more than that the network failed; its cause, where there is one, says more. */
export function ofVagueNetwork(thrown: object): Verdict | undefined {
  return readText(thrown, 'code') === 'ERR_NETWORK' ? BROKEN : undefined;
}

/** Judges something thrown by its code, or else by its name. */
export function ofNetwork(thrown: object): Verdict | undefined {
  return ofCode(thrown) ?? BY_NAME.get(readText(thrown, 'name') ?? '');
}
