/**
 * Takes credentials out of text before it leaves in an error or a log.
 * Invariant: a text that holds none comes out unchanged.
 */
import type { JsonValue } from '../errors/body';

const MASK = '[redacted]';

const SECRET_NAME =
  '[a-z0-9_-]{0,40}(?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|signature)';
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\\+"(?:(?!\\+").)*\\+"`;

/** Each pattern keeps its first group and masks the rest, in a time that grows with the text's length alone. */
const SECRETS: readonly RegExp[] = [
  /()-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
  // Credentials in URLs and connection strings, up to the last @ of the word (RFC 3986, section 3.2.1).
  /(\b[a-z][a-z0-9+.-]{1,30}:\/\/)[^\s"'<>]{0,2000}(?=@)/gi,
  // Header fields that hold nothing but credentials (RFC 9110, section 11.6; RFC 6265).
  /(\b(?:(?:proxy-)?authorization|(?:set-)?cookie)\\*["']?\s*[=:]\s*\\*["']?)[^\r\n"'\\]+/gi,
  // name=value, name: value and "name":"value", also as JSON within JSON.
  new RegExp(String.raw`(\b${SECRET_NAME}\\*["']?\s*[=:]\s*)(?:${QUOTED}|[^\s"'\\&;,<>(){}\[\]]+)`, 'gi'),
  // A scheme of RFC 7235 with what is no word: `Bearer t0k`, and not "basic information".
  /(\b(?:[Bb]earer|BEARER|[Bb]asic|BASIC)\s+)(?=[a-z]*[^a-z\s])[A-Za-z0-9._~+/=-]{6,}/g,
  // JSON Web Tokens (RFC 7519): two base64url parts that start like a JSON object, and a third.
  /((?<![A-Za-z0-9_-]))eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g,
  // Keys whose vendors mark them with a prefix.
  /(\b)(?:sk|pk|rk)[_-](?=[a-z_-]*[A-Z0-9])[A-Za-z0-9_-]{12,}/g,
  /(\b)(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|xox[abprs]-[A-Za-z0-9-]{10,})/g,
  /(\b)(?:A(?:KIA|SIA)[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,})/g,
];

/** Masks the credentials in a text. */
export function scrubText(text: string): string {
  return SECRETS.reduce((scrubbed, pattern) => scrubbed.replace(pattern, `$1${MASK}`), text);
}

/** Masks the credentials in every text of a JSON value. */
export function scrubJson(value: JsonValue): JsonValue {
  if (typeof value === 'string') return scrubText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(scrubJson);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [scrubText(key), scrubJson(part)]));
}
