/**
 * Which names say that they hold a secret, and which values are words.
 * Invariant: a name counts by its last words.
 */
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
