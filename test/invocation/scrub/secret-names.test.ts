/**
 * Which names say that they hold a secret, and which values are words.
 * Invariant: a name counts by its last words.
 */
import { Scrubber } from '../../../src/invocation/scrub';
import { isProse, isSecretName } from '../../../src/invocation/scrub/secret-names';

it.each([
  ...[
    'password',
    'dbPassword',
    'DB_PASSWORD',
    'PASSWORD_PROD',
    'password2',
    'new_password_value',
    'SMTP_PASS',
  ],
  ...[
    'apiKey',
    'x-api-key',
    'X-API-KEY',
    'API key',
    'Ocp-Apim-Subscription-Key',
    'client_secret',
    'accessToken',
  ],
  ...[
    'Authorization',
    'set-cookie',
    'AccountKey',
    'AWS_SECRET_ACCESS_KEY',
    'connect.sid',
    'passwort',
    'пароль',
  ],
])('%s names a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

it.each([
  ...['tokens', 'max_tokens', 'tokenType', 'passwordLength', 'hasPasswordField', 'keyboard', 'monkey', 'key'],
  ...[
    'nextPageToken',
    'page_token',
    'primary_key',
    'compass',
    'bypass',
    'secretary',
    'author',
    'id',
    'total',
    '',
  ],
])('%s names none', (name) => {
  expect(isSecretName(name)).toBe(false);
});

it.each(['must not be empty', 'expired', 'is required.', 'true', 'missing, give one'])(
  '%s is words',
  (value) => {
    expect(isProse(value)).toBe(true);
  },
);

it.each(['hunter2', 'is-this-a-pass1', 'a"b', 'trueblue', 'Must7'])('%s may be a secret', (value) => {
  expect(isProse(value)).toBe(false);
});

it.each(['a b c9', 'a b;c9', 'is it 7q', 'to be 9x4 or no'])('%s is no sentence', (value) => {
  expect(isProse(value)).toBe(false);
});

it.each([
  'no 2FA',
  'is not v2',
  'at 10 ms',
  'is not 8 to 16',
  'must be a SHA256 hash',
  'no UTF8',
  'for a b c',
])('%s is words too', (value) => {
  expect(isProse(value)).toBe(true);
});

it.each([
  ["Password='a b c9'", 'Password=[redacted]'],
  ['Server=h;Pwd="a b;c9";Encrypt=true', 'Server=h;Pwd=[redacted];Encrypt=true'],
  ['Password="a b c d9" is wrong', 'Password=[redacted] is wrong'],
  ["Data Source=h;Uid=sa;Pwd='a b c9'", 'Data Source=h;Uid=sa;Pwd=[redacted]'],
  ['"token": "must be at least 8 to 16 long"', '"token": "must be at least 8 to 16 long"'],
])('%s comes out as %s', (given, expected) => {
  expect(new Scrubber().text(given)).toBe(expected);
});

it('a password of short words is masked by its key', () => {
  expect(new Scrubber().json({ password: 'a b c9' })).toEqual({ password: '[redacted]' });
});
