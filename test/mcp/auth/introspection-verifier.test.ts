/**
 * Holds the introspection verifier against a real authorization server, and against answers that no token may pass by.
 * Invariant: of every answer it is asserted whether the token is accepted, and by which OAuth code it is refused.
 */
import {
  type IntrospectionVerifierOptions,
  introspectionVerifier,
} from '../../../src/mcp/auth/introspection-verifier';
import { AuthorizationServer, RESOURCE, seconds } from './authorization-server';
import { type Answer, endless, json, LocalServer, redirectTo, silence, text } from './local-server';
import { refusalOf as refusal } from './refusal-of';

describe('a real authorization server', () => {
  let server: AuthorizationServer;
  beforeAll(async () => {
    server = await AuthorizationServer.start();
  }, 30_000);
  afterAll(() => server.close());
  const by = (options: Partial<IntrospectionVerifierOptions> = {}) =>
    introspectionVerifier({
      ...server.introspection,
      audience: RESOURCE,
      issuer: server.issuer,
      ...options,
    });

  it('tells of an opaque token who, what for and until when', async () => {
    const token = await server.token('opaque', 'orders:read orders:write');
    const info = await by().verifyAccessToken(token);
    expect(info).toMatchObject({
      token,
      clientId: 'opaque-agent',
      scopes: ['orders:read', 'orders:write'],
      extra: { iss: server.issuer },
    });
    expect(info.resource?.href).toBe(RESOURCE);
    expect(info.expiresAt).toBeGreaterThan(seconds(500));
  });

  it('refuses a revoked token at once', async () => {
    const token = await server.token('opaque');
    const one = by();
    expect(await refusal(token, one)).toBe('accepted');
    await server.revoke(token);
    expect(await refusal(token, one)).toBe('inactive');
  });

  it('is asked again after the time that an answer holds', async () => {
    const token = await server.token('opaque');
    const one = by({ cacheMs: 10_000 });
    expect(await refusal(token, one)).toBe('accepted');
    await server.revoke(token);
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now');
    try {
      clock.mockImplementation(() => now + 9_000);
      expect(await refusal(token, one)).toBe('accepted');
      clock.mockImplementation(() => now + 18_000);
      expect(await refusal(token, one)).toBe('inactive');
    } finally {
      clock.mockRestore();
    }
  });

  it('refuses tokens that it does not know, and those for another resource', async () => {
    expect(await refusal('made-up', by())).toBe('inactive');
    expect(
      await refusal(await server.token('opaque', 'orders:read', 'https://other.example/mcp'), by()),
    ).toBe('audience');
    expect(await refusal(await server.token('opaque'), by({ issuer: 'https://evil.example' }))).toBe(
      'issuer',
    );
  });

  it('refuses our own credentials where they are wrong, which says nothing of the token', async () => {
    expect(await refusal(await server.token('opaque'), by({ clientSecret: 'wrong' }))).toBe(
      'temporarily_unavailable',
    );
  });
});

describe('an answer', () => {
  const issuer = 'https://as.example';
  const usual = { active: true, aud: RESOURCE, iss: issuer, exp: seconds(600), scope: 'orders:read' };
  let endpoint: LocalServer;
  beforeEach(async () => {
    endpoint = await LocalServer.start(json(usual));
  });
  afterEach(() => endpoint.close());
  const by = (options: Partial<IntrospectionVerifierOptions> = {}) =>
    introspectionVerifier({
      endpoint: `${endpoint.url}/introspect`,
      clientId: 'us',
      clientSecret: 's',
      audience: RESOURCE,
      issuer,
      ...options,
    });

  const rows: readonly [string, unknown, string][] = [
    ['the usual one', usual, 'accepted'],
    ['an audience in a list', { ...usual, aud: ['https://other.example', RESOURCE] }, 'accepted'],
    ['active: false', { active: false }, 'inactive'],
    ['active: false beside all else', { ...usual, active: false }, 'inactive'],
    ['active: "true"', { ...usual, active: 'true' }, 'temporarily_unavailable'],
    ['active: 1', { ...usual, active: 1 }, 'temporarily_unavailable'],
    ['no word about active', { ...usual, active: undefined }, 'temporarily_unavailable'],
    ['no object', ['active'], 'temporarily_unavailable'],
    ['null', null, 'temporarily_unavailable'],
    ['no audience', { ...usual, aud: undefined }, 'audience'],
    ['another audience', { ...usual, aud: `${RESOURCE}2` }, 'audience'],
    ['an audience that is no text', { ...usual, aud: { [RESOURCE]: true } }, 'audience'],
    ['no issuer', { ...usual, iss: undefined }, 'issuer'],
    ['another issuer', { ...usual, iss: 'https://evil.example' }, 'issuer'],
    ['no expiry', { ...usual, exp: undefined }, 'no_expiry'],
    ['an expiry that is a text', { ...usual, exp: String(seconds(600)) }, 'no_expiry'],
    ['an expiry that is over', { ...usual, exp: seconds(-60) }, 'expired'],
    ['a start to come', { ...usual, nbf: seconds(3_600) }, 'not_yet_valid'],
    ['a start that is no number', { ...usual, nbf: 'now' }, 'not_yet_valid'],
    ['a key that the token is bound to', { ...usual, cnf: { jkt: 'x' } }, 'key_bound'],
  ];

  it.each(rows)('of %s', async (_, answer, expected) => {
    endpoint.answer = json(answer);
    expect(await refusal('token', by())).toBe(expected);
  });

  it('of times that are off by no more than the clocks may be', async () => {
    const one = by({ clockToleranceMs: 600_000 });
    endpoint.answer = json({ ...usual, exp: seconds(-300), nbf: seconds(300) });
    expect(await refusal('token', one)).toBe('accepted');
    endpoint.answer = json({ ...usual, exp: seconds(-900) });
    expect(await refusal('token', one)).toBe('expired');
    endpoint.answer = json({ ...usual, nbf: seconds(900) });
    expect(await refusal('token', one)).toBe('not_yet_valid');
  });

  const broken: readonly [string, Answer][] = [
    ['an error', json(usual, 500)],
    ['a redirect', redirectTo(usual)],
    ['another success', json(usual, 202)],
    ['what is not JSON', text('active: true')],
    ['nothing', text('')],
    ['bytes without an end', endless],
    ['a broken connection', (_, response) => response.destroy()],
  ];

  it.each(broken)('that is %s says nothing of the token', async (_, answer) => {
    endpoint.answer = answer;
    expect(await refusal('token', by())).toBe('temporarily_unavailable');
  });

  it('that does not come, or not to its end, says nothing of the token', async () => {
    endpoint.answer = silence;
    expect(await refusal('token', by({ timeoutMs: 50 }))).toBe('temporarily_unavailable');
    endpoint.answer = (_, response) => void response.write('{"active":true,');
    expect(await refusal('token', by({ timeoutMs: 50 }))).toBe('temporarily_unavailable');
  });

  it('is asked for in the body of a POST, with credentials as RFC 6749 writes them', async () => {
    const heard: unknown[] = [];
    endpoint.answer = (request, response) => {
      request.setEncoding('utf8').on('data', (body) => {
        heard.push(request.method, request.url, request.headers.authorization, body);
        json(usual)(request, response);
      });
    };
    await by({ clientId: 'us:1', clientSecret: 'ä +' }).verifyAccessToken('a token&active=1');
    const basic = Buffer.from('us%3A1:%C3%A4+%2B').toString('base64');
    expect(heard).toEqual([
      'POST',
      '/introspect',
      `Basic ${basic}`,
      'token=a+token%26active%3D1&token_type_hint=access_token',
    ]);
  });

  it('about one token is none about another, and holds only where it was good', async () => {
    const one = by({ cacheMs: 60_000 });
    expect(await refusal('first', one)).toBe('accepted');
    endpoint.answer = json({ active: false });
    expect(await refusal('second', one)).toBe('inactive');
    endpoint.answer = json(usual);
    expect(await refusal('second', one)).toBe('accepted');
    expect(await refusal('first', one)).toBe('accepted');
    expect(endpoint.asked).toBe(3);
  });

  it('that is kept does not outlive the token', async () => {
    const one = by({ cacheMs: 3_600_000 });
    expect(await refusal('token', one)).toBe('accepted');
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + 700_000);
    try {
      expect(await refusal('token', one)).toBe('expired');
    } finally {
      clock.mockRestore();
    }
  });

  it('may name any issuer, or none, where none is expected', async () => {
    const config = { endpoint: endpoint.url, clientId: 'us', clientSecret: 's', audience: RESOURCE };
    const one = introspectionVerifier(config);
    expect((await one.verifyAccessToken('token')).extra).toMatchObject({ iss: issuer });
    endpoint.answer = json({ ...usual, iss: undefined });
    expect((await one.verifyAccessToken('token')).extra).not.toHaveProperty('iss');
  });
});

describe('the options', () => {
  const sound = {
    endpoint: 'https://as.example/introspect',
    clientId: 'us',
    clientSecret: 's',
    audience: RESOURCE,
  };

  it.each([
    ['endpoint', { ...sound, endpoint: 'http://as.example/introspect' }],
    ['endpoint', { ...sound, endpoint: 'https://us:s@as.example/introspect' }],
    ['clientId', { ...sound, clientId: '' }],
    ['clientSecret', { ...sound, clientSecret: '' }],
    ['audience', { ...sound, audience: '' }],
    ['issuer', { ...sound, issuer: 'as' }],
    ['cacheMs', { ...sound, cacheMs: 0 }],
    ['cacheMs', { ...sound, cacheMs: Number.NaN }],
    ['clockToleranceMs', { ...sound, clockToleranceMs: 1.5 }],
    ['timeoutMs', { ...sound, timeoutMs: -1 }],
    ['cache', { ...sound, cache: 1 }],
  ])('refuse an unsound %s, and never repeat a secret', (name, options) => {
    expect(() => introspectionVerifier(options)).toThrow(TypeError);
    expect(() => introspectionVerifier(options)).toThrow(name);
  });
});
