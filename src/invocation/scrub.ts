/**
 * Takes credentials out of text before it leaves in an error or a log.
 * Invariant: a text that holds none comes out unchanged.
 */
import type { JsonValue } from '../errors/body';

const MASK = '[redacted]';

/** Each pattern keeps its first group and masks the rest. */
const SECRETS: readonly RegExp[] = [
  // Credentials in URLs and connection strings, up to the last @ of the word (RFC 3986, section 3.2.1).
  /([a-z][a-z0-9+.-]*:\/\/)[^\s"'<>]*(?=@)/gi,
  // key=value, key: value and "key":"value", for keys that name a credential.
  /((?:\b|_)(?:password|passwd|pwd|secret|client[_-]?secret|token|access[_-]?token|refresh[_-]?token|api[_-]?key|access[_-]?key|authorization|x-api-key|signature)["']?\s*[=:]\s*)(?:"[^"]*"|'[^']*'|(?:bearer|basic)\s+[^\s"',;]+|[^\s"'&;,)}\]]+)/gi,
  /(\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/-]{6,}=*/gi,
  // JSON Web Tokens (RFC 7519): two base64url parts that start like a JSON object, and a third.
  /(\b)eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g,
  // Keys whose vendors mark them with a prefix.
  /(\b)(?:sk|pk|rk)[_-](?:live|test|proj|ant)[_-][A-Za-z0-9_-]+/g,
  /(\b)(?:gh[pousr]_[A-Za-z0-9]{20,}|xox[abprs]-[A-Za-z0-9-]{10,}|A(?:KIA|SIA)[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,})/g,
  /()-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
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
