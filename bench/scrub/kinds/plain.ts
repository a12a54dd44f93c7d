/**
 * Secrets of no vendor: passwords, connection strings, sessions, standard tokens, keys, cards and addresses.
 * Invariant: each follows its standard, or how people write it.
 */
import { generateKeyPairSync } from 'node:crypto';
import { type Kind, named } from '../kind';
import type { Random } from '../random';

/** A password as people and generators make them. */
function password(r: Random): string {
  const word = r.pick(['Hunter', 'summer', 'Tr0ub4dor', 'correct', 'Winter', 'zebra', 'Passw0rd']);
  return r.pick([
    `${word}${r.whole(10, 9_999)}`,
    `${word}-${r.text('alphanumeric', 6)}`,
    `${r.text('alphanumeric', 9)}!${r.text('alphanumeric', 4)}`,
    `${r.text('alphanumeric', 12)}7`,
  ]);
}

/** A password of short words, which may begin as a sentence does. */
function shortWords(r: Random): string {
  const letter = () => r.pick(['b', 'c', 'f', 'j', 'q', 'w', 'x', 'z']);
  const between = () => r.pick([' ', ';', ' ', '-']);
  const first = r.pick(['a', 'an', 'the', 'is', 'to', 'no', 'any', letter()]);
  return `${first} ${letter()}${between()}${letter()}${between()}${letter()}${r.whole(2, 99)}`;
}

/** A password with what URLs and shells treat as theirs. */
function awkward(r: Random): string {
  return `${r.text('alphanumeric', 4)}${r.pick(['@', ':', '/', '#', '?', '%40'])}${r.text('alphanumeric', 6)}`;
}

function luhn(payload: string): string {
  const sum = [...payload].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return payload + String((10 - (sum % 10)) % 10);
}

function card(r: Random): string {
  const [head, length] = r.pick([
    ['4', 16],
    ['51', 16],
    ['2221', 16],
    ['34', 15],
    ['37', 15],
    ['6011', 16],
    ['3530', 16],
    ['36', 14],
    ['62', 16],
  ] as const);
  const digits = luhn(head + r.text('digits', length - 1 - head.length));
  if (length !== 16) return digits;
  const separator = r.pick(['', ' ', '-']);
  return (digits.match(/\d{4}/g) ?? []).join(separator);
}

const jsonPart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function pem(kind: 'ec' | 'ed25519' | 'rsa'): string {
  const key =
    kind === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey
      : kind === 'ec'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
        : generateKeyPairSync('ed25519').privateKey;
  return String(
    key.export({ format: 'pem', type: kind === 'ed25519' ? 'pkcs8' : kind === 'rsa' ? 'pkcs1' : 'sec1' }),
  ).trim();
}

function pemKind(name: string, kind: 'ec' | 'ed25519' | 'rsa'): Kind {
  return {
    name,
    make: (r) => {
      const text = pem(kind);
      const core = text.split('\n').slice(1, -1).join('\n');
      const isOneLine = r.next() < 0.3;
      return isOneLine
        ? { text: text.replaceAll('\n', '\\n'), core: core.replaceAll('\n', '\\n') }
        : { text, core };
    },
  };
}

const url = (scheme: string, rest: string): readonly string[] => [
  `connect ECONNREFUSED ${scheme}://app:{}@${rest}`,
  `cannot parse "${scheme}://app:{}@${rest}"`,
  `{"dsn":"${scheme}://app:{}@${rest}"}`,
];

/** Kinds of secrets of no vendor. */
export const PLAIN_KINDS: readonly Kind[] = [
  named('Postgres URL', url('postgres', 'db.internal:5432/orders'), awkward),
  named('MySQL URL', url('mysql', 'db.internal:3306/orders'), awkward),
  named('MongoDB URL', url('mongodb+srv', 'cluster0.abcde.mongodb.net/?retryWrites=true'), awkward),
  named(
    'Redis URL',
    ['redis://:{}@cache.internal:6379/0', 'rediss://default:{}@cache.internal:6380'],
    awkward,
  ),
  named('AMQP URL', url('amqps', 'mq.internal/vhost'), awkward),
  named(
    'web URL',
    [
      'https://ann:{}@api.example.com/v1',
      'Request cannot be constructed from a URL that includes credentials: http://user:{}@host/',
    ],
    password,
  ),
  named(
    'SQL Server string',
    ['Server=tcp:db,1433;Database=x;User Id=sa;Password={};Encrypt=true', 'Data Source=db;uid=sa;pwd={};'],
    (r) => r.text('alphanumeric', 14),
  ),
  named(
    'libpq string',
    ["host=db user=app password='{}' dbname=x", 'host=db user=app password={} dbname=x'],
    password,
  ),
  named(
    'quoted words',
    [
      "Data Source=db;Uid=sa;Password='{}'",
      'Server=db;Pwd="{}";Encrypt=true',
      'login failed: Password="{}"',
      '{"user":"app","password":"{}"}',
    ],
    shortWords,
  ),
  named(
    'JDBC URL',
    ['jdbc:postgresql://db:5432/x?user=app&password={}', 'jdbc:oracle:thin:app/x password={}'],
    (r) => r.text('alphanumeric', 14),
  ),
  named(
    'password of a variable',
    ['DB_PASSWORD={}', 'PGPASSWORD={} psql -h db', 'export SMTP_PASS="{}"', 'MYSQL_ROOT_PASSWORD: {}'],
    password,
  ),
  named(
    'password of a configuration',
    [
      'password: {}',
      '{"user":"app","password":"{}"}',
      "{ user: 'app', dbPassword: '{}' }",
      ':password=>"{}"',
      '<password>{}</password>',
      'passwort: {}',
      'contraseña={}',
    ],
    password,
  ),
  named(
    'password of a command',
    [
      'mysqldump --user app --password {} orders exited with 2',
      'Command failed: tool --password={} run',
      'Command failed: curl -u admin:{} https://api.example.com',
    ],
    password,
  ),
  named(
    'password of a statement',
    ["ALTER USER app WITH PASSWORD '{}'", "syntax error in CREATE USER app IDENTIFIED BY '{}'"],
    password,
  ),
  named(
    'password in JSON in JSON',
    [JSON.stringify({ body: JSON.stringify({ password: '{}', user: 'ann' }) })],
    password,
  ),
  named('password of a form', ['grant_type=password&username=ann&password={}&scope=all'], (r) =>
    r.text('alphanumeric', 14),
  ),
  named(
    'client secret',
    [
      'client_id=abc&client_secret={}&grant_type=client_credentials',
      '{"clientSecret":"{}"}',
      'OAUTH_CLIENT_SECRET={}',
    ],
    (r) => r.text('base64url', 40),
  ),
  named(
    'API key of no form',
    [
      'GET https://api.example.com/v1?api_key={}&page=2 failed: 401',
      'x-api-key: {}',
      "apiKey: '{}'",
      'API key: {}',
    ],
    (r) => r.text('alphanumeric', 32),
  ),
  named(
    'bearer token of no form',
    ['Authorization: Bearer {}', '"authorization":"Bearer {}"', 'rejected header bearer {}'],
    (r) => r.text('base64url', 40),
  ),
  named('basic credentials', ['Authorization: Basic {}', "headers: { authorization: 'Basic {}' }"], (r) =>
    Buffer.from(`ann:${password(r)}`).toString('base64'),
  ),
  named(
    'OAuth code',
    ['https://app.example.com/cb?code={}&state=af0ifjsldkj', 'GET /callback?state=xyz&code={} 400'],
    (r) => r.text('base64url', 43),
  ),
  named('refresh token', ['{"access_token":"x1","refresh_token":"{}"}', 'refreshToken={}'], (r) =>
    r.text('base64url', 50),
  ),
  named(
    'value apart from its name',
    [
      '{"name":"x-api-key","value":"{}"}',
      "headers: { 'x-api-key': [ '{}' ] }",
      'Authorization: Digest username="ann", realm="x", response="{}"',
      '<add key="ApiKey" value="{}" />',
    ],
    (r) => r.text('hex', 32),
  ),
  named('signing key', ['SECRET_KEY_BASE={}', 'jwt_signing_key: {}', '{"encryptionKey":"{}"}'], (r) =>
    r.text('hex', 64),
  ),
  named(
    'password that is told',
    ['docker login -u ann -p {} registry.example.com', 'sshpass -p {} ssh host', 'the password is {} now'],
    (r) => `${r.text('letters', 8)}${r.text('digits', 3)}x`,
  ),
  {
    name: 'JSON Web Token',
    make: (r) => {
      const claims = `${jsonPart({ sub: r.uuid(), exp: r.whole(1e9, 2e9) })}.${r.text('base64url', 43)}`;
      return { text: `${jsonPart({ alg: 'HS256', typ: 'JWT' })}.${claims}`, core: claims };
    },
  },
  {
    name: 'JSON Web Encryption',
    make: (r) => {
      const core = `.${r.text('base64url', 16)}.${r.text('base64url', 80)}.${r.text('base64url', 22)}`;
      return { text: `${jsonPart({ alg: 'dir', enc: 'A256GCM' })}.${core}`, core };
    },
  },
  named(
    'cookie',
    [
      'Cookie: theme=dark; session={}; lang=de',
      "{ headers: { cookie: 'sid={}' } }",
      'Set-Cookie: id={}; Path=/; HttpOnly',
    ],
    (r) => r.text('base64url', 43),
  ),
  named('session of a framework', ['connect.sid={}', 'PHPSESSID={}', 'JSESSIONID={}'], (r) =>
    r.text('alphanumeric', 32),
  ),
  named('CSRF token', ['X-CSRF-Token: {}', 'csrfToken={}'], (r) => r.text('base64url', 32)),
  named('one-time code', ['otp={}', '{"otp":"{}"}'], (r) => r.text('digits', 6)),
  pemKind('RSA private key', 'rsa'),
  pemKind('EC private key', 'ec'),
  pemKind('PKCS 8 private key', 'ed25519'),
  {
    name: 'OpenSSH private key',
    make: (r) => {
      const core = `b3BlbnNzaC1rZXktdjEA${
        r
          .base64(240)
          .match(/.{1,70}/g)
          ?.join('\n') ?? ''
      }`;
      const edge = (word: string) => ['-----', word, ' OPENSSH ', 'PRIVATE', ' KEY-----'].join('');
      return { text: `${edge('BEGIN')}\n${core}\n${edge('END')}`, core };
    },
  },
  {
    name: 'OpenPGP private key',
    make: (r) => {
      const core =
        r
          .base64(300)
          .match(/.{1,64}/g)
          ?.join('\n') ?? '';
      const edge = (word: string) => ['-----', word, ' PGP ', 'PRIVATE', ' KEY BLOCK-----'].join('');
      return { text: `${edge('BEGIN')}\n\n${core}\n=aB3d\n${edge('END')}`, core };
    },
  },
  { name: 'card number', make: (r) => ((text) => ({ text, core: text }))(card(r)) },
  {
    name: 'e-mail address',
    make: (r) => {
      const name = r.pick(['ann.lee', 'bob+orders', 'jürgen.groß', 'o_brien', 'x9']);
      const text = `${name}${r.whole(1, 99)}@${r.pick(['example.org', 'mail.example.co.uk', 'firma-beispiel.de', 'пример.рф'])}`;
      return { text, core: text };
    },
  },
  named(
    'secret that the application named',
    ['cannot start with {}', 'worker/{}/queue is gone', '{"x":"{}"}'],
    () => 'violet-Anchor:41/ridge',
  ),
];
