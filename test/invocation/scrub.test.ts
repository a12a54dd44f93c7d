/**
 * Which credentials are taken out of texts, and which texts come out as they went in.
 * Invariant: no secret of the lists below survives anywhere in a text, and ordinary text is not touched.
 */
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import type { JsonValue } from 'toolcrib';
import { Scrubber, scrubText } from '../../src/invocation/scrub';
import { tokens } from '../../src/invocation/scrub/tokens';

const scrubJson = (value: JsonValue) => new Scrubber().json(value);

const KEY_BODY = 'MIIEowIBAAKCAQEA-EXAMPLE';

/** A text, and the secrets in it. */
const leaks: readonly (readonly [text: string, ...secrets: string[]])[] = [
  // URLs and connection strings.
  ['https://user:pass-EXAMPLE@host.example/path', 'pass-EXAMPLE', 'user:'],
  ['fetch failed for HTTPS://token-EXAMPLE@host.example', 'token-EXAMPLE'],
  ['postgres://app:p@ss:w/rd-EXAMPLE@db.internal:5432/x', 'p@ss', 'rd-EXAMPLE'],
  ['mongodb+srv://u:p%40ss-EXAMPLE@', 'p%40ss-EXAMPLE'],
  ['redis://:pw-EXAMPLE@h:6379', 'pw-EXAMPLE'],
  ['postgres://u@h/db?sslmode=on&password=hunter2-EXAMPLE', 'hunter2-EXAMPLE'],
  ["host=db user=app password='hunter2 EXAMPLE'", 'hunter2', 'EXAMPLE'],
  ['Server=db;User Id=sa;Password=Hunter2-EXAMPLE;', 'Hunter2-EXAMPLE'],
  ['GET https://api.example.com/v1?api_key=K-EXAMPLE-123&x=1 failed: 401', 'K-EXAMPLE-123'],
  ['https://h/cb?access_token=at-EXAMPLE#refresh_token=rt-EXAMPLE', 'at-EXAMPLE', 'rt-EXAMPLE'],
  ['https://h/blob?sig=1&Signature=c2ln-EXAMPLE', 'c2ln-EXAMPLE'],
  // Headers.
  ['Authorization: Bearer t0k-EXAMPLE', 'Bearer t0k-EXAMPLE', 't0k-EXAMPLE'],
  ['authorization: basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
  ['{"Authorization":"Bearer t0k-EXAMPLE"}', 't0k-EXAMPLE'],
  ['Authorization: Token t0k-EXAMPLE', 't0k-EXAMPLE'],
  ['Authorization: ApiKey t0k-EXAMPLE', 't0k-EXAMPLE'],
  ['the header was bearer t0k-EXAMPLE.', 't0k-EXAMPLE'],
  ['bad header: Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
  ["{ 'x-api-key': 'K-EXAMPLE-123' }", 'K-EXAMPLE-123'],
  ['X-API-Key: K-EXAMPLE-123', 'K-EXAMPLE-123'],
  // JSON Web Tokens.
  ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl was refused', 'eyJ', 'c2lnbmF0dXJl'],
  ['eyJhbGciOi.EXAMPLE', 'EXAMPLE'],
  // key=value, key: value and JSON.
  ['api_key=K-EXAMPLE-123', 'K-EXAMPLE-123'],
  ['apiKey: K-EXAMPLE-123, region: eu', 'K-EXAMPLE-123'],
  ['client_secret="s EXAMPLE"', 's EXAMPLE'],
  ['{"password":"hunter2-EXAMPLE"}', 'hunter2-EXAMPLE'],
  ['{"password" : "hunter2, EXAMPLE"}', 'hunter2', 'EXAMPLE'],
  [JSON.stringify({ password: 'a"b-EXAMPLE' }), 'b-EXAMPLE'],
  [JSON.stringify({ body: JSON.stringify({ password: 'hunter2-EXAMPLE' }) }), 'hunter2-EXAMPLE'],
  ['AWS_SECRET_ACCESS_KEY=wJalr-EXAMPLE', 'wJalr-EXAMPLE'],
  ['PGPASSWORD=hunter2-EXAMPLE psql', 'hunter2-EXAMPLE'],
  ['{"dbPassword":"hunter2-EXAMPLE"}', 'hunter2-EXAMPLE'],
  ['{"authToken":"t0k-EXAMPLE"}', 't0k-EXAMPLE'],
  ['token=one-EXAMPLE token=two-EXAMPLE', 'one-EXAMPLE', 'two-EXAMPLE'],
  // Keys with the prefix of their vendor.
  ['AuthError: bad key sk_live_EXAMPLE', 'sk_live_EXAMPLE'],
  ['sk-proj-EXAMPLEexample', 'EXAMPLEexample'],
  ['sk-ant-api03-EXAMPLEexample', 'EXAMPLEexample'],
  [`incorrect key sk-${'EXAMPLE0'.repeat(6)}`, 'EXAMPLE0'],
  ['ghp_EXAMPLEexampleEXAMPLEexampleEXAMPLE1', 'EXAMPLE'],
  ['github_pat_11EXAMPLE0_exampleEXAMPLEexampleEXAMPLE', 'EXAMPLE'],
  ['xoxb-EXAMPLE-123456789', 'EXAMPLE'],
  ['AKIAEXAMPLEEXAMPLE12', 'EXAMPLE'],
  ['AIzaEXAMPLEexampleEXAMPLEexampleEXAMPLE', 'EXAMPLE'],
  // With marks of their own, and beside words that say what they are.
  ['password=Xk9)mQ2,vT8-EXAMPLE retries=3', 'Xk9', 'mQ2', 'EXAMPLE'],
  ['?password=hunter2)EXAMPLE&x=1', 'EXAMPLE'],
  ['Incorrect API key provided: Zq8vT3nLx9Rk2WpY', 'Zq8vT3nLx9Rk2WpY'],
  ['Token "Zq8vT3nLx9Rk2WpY" expired', 'Zq8vT3nLx9Rk2WpY'],
  // Without a scheme, and as forms and URLs write them.
  ['cannot connect to app:hunter2-EXAMPLE@db:5432', 'hunter2-EXAMPLE'],
  ['curl --user=ann:hunter2-EXAMPLE https://h', 'hunter2-EXAMPLE'],
  ['GET /users?email=ann%40example.org', 'ann%40', 'example'],
  ['key=-----BEGIN+PRIVATE+KEY-----%0AMII-EXAMPLE', 'MII-EXAMPLE'],
  ['-----BEGIN%20RSA%20PRIVATE%20KEY-----%0AMII-EXAMPLE', 'MII-EXAMPLE'],
  // Addresses and cards in other scripts and blanks.
  ['δοκιμή@παράδειγμα.ελ is unknown', 'δοκιμή', 'παράδειγμα'],
  ['ann@उदाहरण.भारत is unknown', 'ann', 'उदाहरण'],
  ['ann@example.한국', 'ann', 'example'],
  ['ann@example.みんな', 'ann', 'example'],
  ['card 4111\u00A01111\u00A01111\u00A01111', '1111'],
  ['card 3782\u202F822463\u202F10005', '822463'],
  // What carries a name apart from its value.
  ['Authorization: Digest username="ann", response="6629-EXAMPLE"', 'EXAMPLE'],
  ["rawHeaders: [ { name: 'x-api-key', value: 'K-EXAMPLE' } ]", 'EXAMPLE'],
  ['{"name":"api_key","value":"K-EXAMPLE"}', 'EXAMPLE'],
  ["'set-cookie': [ 'sid=a-EXAMPLE; Path=/', 'b=EXAMPLE' ]", 'EXAMPLE'],
  ['"password":["hunter2-EXAMPLE"]', 'EXAMPLE'],
  ["password='it''s-EXAMPLE'", 'EXAMPLE'],
  ['uid=sa;Pwd={hun;ter2-EXAMPLE};', 'EXAMPLE'],
  ['docker login -u ann -p hunter2-EXAMPLE registry.io', 'EXAMPLE'],
  ['the password is hunter2-EXAMPLE', 'EXAMPLE'],
  ['Invalid token: abc123-EXAMPLE', 'EXAMPLE'],
  ['{"auths":{"r.io":{"auth":"dXNlcjpwYXNz"}}}', 'dXNlcjpwYXNz'],
  ['SECRET_KEY_BASE=1f2e3d4c-EXAMPLE', 'EXAMPLE'],
  // Private keys.
  [`-----BEGIN RSA PRIVATE KEY-----\n${KEY_BODY}\n-----END RSA PRIVATE KEY-----`, KEY_BODY],
  [`key: -----BEGIN PRIVATE KEY-----\\n${KEY_BODY}\\n-----END PRIVATE KEY----- end`, KEY_BODY],
  [`-----BEGIN OPENSSH PRIVATE KEY-----\n${KEY_BODY}\n… cut here`, KEY_BODY],
];

const survivors: readonly string[] = [
  'order 4111-2024-0007 for commit 3f786850e387 not found; tokens used: 1532; keyboard=us',
  'commit 3f786850e387550fdab836ed7e6dc881de23001b is gone',
  'id 6f1c1d1e-0000-4000-8000-000000000001 is unknown',
  'iVBORw0KGgoAAAANSUhEUg== is not a picture',
  'connect ECONNREFUSED 127.0.0.1:5432',
  'GET https://api.example.com/v1/orders?page=2 failed: 503',
  'the password must have 8 characters',
  'your token has expired, ask for a new one',
  'Unexpected token < in JSON at position 0',
  'the basic information is missing',
  'there is no bearer authentication here',
  'task-live-update and risk_test_suite failed',
  'monkey=ape; turkey: bird; hockey=ice',
  'duplicate key value violates unique constraint "pk_customer_orders"',
  '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  'C:\\orders\\key.txt, line 12: expected "=" or ":"',
  'Missing credentials: AWS_ACCESS_KEY_ID; using password: NO',
  'PWD=/srv/app, pass: 12, fail: 3',
  '{"password":["is too short"],"secret":{"type":"string"}}',
  'git+ssh://git@github.com/acme/x.git and s3://bucket/a@b.txt',
  'credentials: include, csrf: disabled, Cookie: accepted',
  'the password is required and the token is expired',
  '東京 の 注文 ORD-1234 は ありません',
  '',
];

describe('scrubText', () => {
  it.each(leaks)('masks the secrets of %j', (text, ...secrets) => {
    const scrubbed = scrubText(text);
    for (const secret of secrets) expect(scrubbed).not.toContain(secret);
  });

  it.each(survivors)('SEC-11: leaves %j as it is', (text) => {
    expect(scrubText(text)).toBe(text);
  });

  it('keeps what stands around a secret: host and path, other parameters, what follows', () => {
    expect(scrubText('GET https://u:p@api.example.com/v1?x=1 failed')).toMatch(
      /api\.example\.com\/v1\?x=1 failed$/,
    );
    expect(scrubText('https://h.example/v1?api_key=K-EXAMPLE&x=1')).toMatch(
      /^https:\/\/h\.example\/v1.*&x=1$/,
    );
    expect(scrubText('refused: Bearer t0k-EXAMPLE, status 401')).toMatch(/^refused: Bearer .*, status 401$/);
  });

  it('says that something was taken out', () => {
    for (const [text] of leaks) expect(scrubText(text)).toContain('[redacted]');
  });

  it('masks wherever the secret stands, and more than one', () => {
    const around = fc.array(fc.constantFrom(' ', '\n', 'said', 'x=1', '(', ')', '"', "'", ',', '…', 'at '));
    const secrets = fc.constantFrom(
      'Bearer t0k-EXAMPLE',
      'https://u:pw-EXAMPLE@h',
      'password=hunter2-EXAMPLE',
      'sk_live_EXAMPLE',
      'eyJhbGciOiJI.eyJz-EXAMPLE.c2ln',
    );
    fc.assert(
      fc.property(around, secrets, around, secrets, around, (a, one, b, other, c) => {
        const text = `${a.join('')} ${one} ${b.join('')} ${other} ${c.join('')}`;
        expect(scrubText(text)).not.toContain('EXAMPLE');
      }),
      { seed: 11, numRuns: 300 },
    );
  });

  it('masks what is left of a secret where a long text may have been cut', () => {
    for (const length of [2 ** 12, 2 ** 13, 2 ** 14, 2 ** 15, 2 ** 16]) {
      for (let into = 1; into < 30; into += 1) {
        const filler = 'so it was. '.repeat(length).slice(0, length - into);
        expect(
          scrubText(`${filler.trimEnd().padEnd(length - into)}https://user:pw-EXAMPLE@host.example`),
        ).not.toMatch(/user:pw/);
      }
    }
  });

  // Only a context of its own can be stopped: a regular expression that backtracks without end holds up every
  // timer of this process, that of the test runner included.
  it.each([
    ['one long word', 'a'.repeat(200_000)],
    ['a long row of schemes', 'a://'.repeat(50_000)],
    ['a long row of what tokens begin with', '-eyJ'.repeat(50_000)],
  ])('comes to an end with %s', (_case, text) => {
    const scrub = () => scrubText(text);
    const scrubbed: unknown = runInNewContext('scrub()', { scrub }, { timeout: 3_000 });
    expect(String(scrubbed).slice(0, 100)).toBe(text.slice(0, 100));
  });
});

describe('scrubJson', () => {
  it('masks every text of a value, also in keys, and leaves the rest', () => {
    const value: JsonValue = {
      list: ['Bearer t0k-EXAMPLE', 1, null],
      'Bearer t0k-EXAMPLE': true,
      deep: { deeper: [{ text: 'password=hunter2-EXAMPLE' }] },
      order: '4111-2024-0007',
    };
    const before = JSON.stringify(value);
    const scrubbed = scrubJson(value);
    expect(JSON.stringify(scrubbed)).not.toContain('EXAMPLE');
    expect(scrubbed).toMatchObject({ list: [expect.any(String), 1, null], order: '4111-2024-0007' });
    expect(JSON.stringify(value)).toBe(before);
  });

  it('masks what is named beside it, and leaves lists of names', () => {
    const kept: JsonValue = {
      missing: ['password', 'token'],
      pairs: [['page', 'next']],
      field: 'name',
      value: 'Ann',
    };
    expect(scrubJson(kept)).toEqual(kept);
    for (const value of [
      [
        ['x-api-key', 'Zq-EXAMPLE'],
        ['accept', 'text/html'],
      ],
      { field: 'password', value: 'Zq-EXAMPLE' },
      { path: '/password', rejectedValue: 'Zq-EXAMPLE' },
      { header: 'Authorization', value: 'Zq-EXAMPLE' },
    ]) {
      expect(JSON.stringify(scrubJson(value))).not.toContain('EXAMPLE');
    }
    expect(scrubText('fail(password=abc12,user=ann)')).toBe('fail(password=[redacted],user=ann)');
    expect(scrubText('use a token or the password OrderLine2Items3')).toBe(
      'use a token or the password OrderLine2Items3',
    );
  });

  it('gives any JSON that holds no credential back as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(scrubText(JSON.stringify(value)) === JSON.stringify(value));
        const copy: JsonValue = JSON.parse(JSON.stringify(value));
        expect(scrubJson(copy)).toEqual(copy);
      }),
      { seed: 11, numRuns: 300 },
    );
  });
});

describe('an id', () => {
  it('of fewer than fifteen characters holds no token, since none tells itself by so few', () => {
    const word = /^[\w-]+$/;
    const texts = leaks.flatMap(([text]) => [...text].map((_, at) => text.slice(at, at + 14)));
    const words = texts.filter((text) => word.test(text));
    expect(words.length).toBeGreaterThan(500);
    expect(words.filter((text) => tokens.some(({ scrub }) => scrub(text) !== text))).toEqual([]);
  });

  it('is cut where it is too long to be looked through', () => {
    expect(new Scrubber().id('sk-'.repeat(3_300_000)).length).toBeLessThanOrEqual(65_536);
  });

  it('loses a token, and a secret that the application has named, however short', () => {
    const scrubber = new Scrubber({ values: ['hunter2-x'] });
    expect(scrubber.id('sk_live_EXAMPLE1234')).not.toContain('EXAMPLE');
    expect(scrubber.id('call-hunter2-x')).not.toContain('hunter2');
    expect(scrubber.id('call-1')).toBe('call-1');
  });
});
