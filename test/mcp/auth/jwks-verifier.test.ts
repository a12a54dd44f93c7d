/**
 * Holds the JWT verifier against a real authorization server, against forgeries and against broken key servers.
 * Invariant: of every token it is asserted whether it is accepted, and by which OAuth code it is refused.
 */
import { createHmac } from 'node:crypto';
import type { AuthInfo, OAuthTokenVerifier } from '@modelcontextprotocol/server';
import { jwksVerifier } from '../../../src/mcp/auth/jwks-verifier';
import { reasonFor } from '../../../src/mcp/auth/refusal';
import {
  AuthorizationServer,
  type HandMade,
  publicJwk,
  RESOURCE,
  seconds,
  signingKey,
  signToken,
} from './authorization-server';
import { endless, json, LocalServer, silence, text } from './local-server';

let server: AuthorizationServer;
let verifier: OAuthTokenVerifier;
beforeAll(async () => {
  server = await AuthorizationServer.start();
  verifier = jwksVerifier({ issuer: server.issuer, audience: RESOURCE });
}, 30_000);
afterAll(() => server.close());

/** Why a token is refused: our reason, or else the OAuth code. */
async function refusal(token: string, by: OAuthTokenVerifier = verifier): Promise<string> {
  try {
    await by.verifyAccessToken(token);
    return 'accepted';
  } catch (error) {
    if (typeof error !== 'object' || error === null || !('code' in error)) throw error;
    return reasonFor(error) ?? String(error.code);
  }
}

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

describe('a token of a real authorization server', () => {
  it('is accepted, and says who, what for and until when', async () => {
    const token = await server.token('jwt', 'orders:read orders:write');
    const info: AuthInfo = await verifier.verifyAccessToken(token);
    expect(info).toMatchObject({
      token,
      clientId: 'agent',
      scopes: ['orders:read', 'orders:write'],
      extra: { iss: server.issuer, sub: 'agent' },
    });
    expect(info.resource?.href).toBe(RESOURCE);
    expect(info.expiresAt).toBeGreaterThan(seconds(500));
  });

  it('is accepted by keys at a given address, too', async () => {
    const by = jwksVerifier({ issuer: server.issuer, audience: RESOURCE, jwksUri: server.jwksUri });
    expect(await refusal(await server.token('jwt'), by)).toBe('accepted');
  });

  it('is refused where it is for another resource', async () => {
    expect(await refusal(await server.token('jwt', 'orders:read', 'https://other.example/mcp'))).toBe(
      'audience',
    );
  });

  it('is refused where it is opaque', async () => {
    expect(await refusal(await server.token('opaque'))).toBe('malformed');
  });
});

describe('a token that is made by hand', () => {
  const rows: readonly [string, HandMade, string][] = [
    ['the usual one', {}, 'accepted'],
    ['an audience in a list', { claims: { aud: ['https://other.example', RESOURCE] } }, 'accepted'],
    ['the type JWT', { header: { typ: 'JWT' } }, 'accepted'],
    ['the type with its prefix', { header: { typ: 'application/at+JWT' } }, 'accepted'],
    ['no type', { header: { typ: undefined } }, 'accepted'],
    ['an expiry within the tolerance', { claims: { exp: seconds(-2) } }, 'accepted'],
    ['a start within the tolerance', { claims: { nbf: seconds(2) } }, 'accepted'],
    ['an expiry that is over', { claims: { exp: seconds(-60) } }, 'expired'],
    ['a start to come', { claims: { nbf: seconds(60) } }, 'not_yet_valid'],
    ['no expiry', { claims: { exp: undefined } }, 'no_expiry'],
    ['another audience', { claims: { aud: 'https://other.example/mcp' } }, 'audience'],
    ['other audiences', { claims: { aud: ['https://other.example', `${RESOURCE}/more`] } }, 'audience'],
    ['no audience', { claims: { aud: undefined } }, 'audience'],
    ['another issuer', { claims: { iss: 'https://evil.example' } }, 'issuer'],
    ['an issuer that is nearly ours', { claims: { iss: 'http://127.0.0.1' } }, 'issuer'],
    ['no issuer', { claims: { iss: undefined } }, 'issuer'],
    ['an unknown key', { header: { kid: 'nobody' } }, 'unknown_key'],
    ["another key under the server's id", { key: signingKey('as-1') }, 'signature'],
    ['the type of a logout token', { header: { typ: 'logout+jwt' } }, 'type'],
    ['a key that it is bound to', { claims: { cnf: { jkt: 'x' } } }, 'key_bound'],
  ];

  it.each(rows)('with %s', async (_, made, expected) => {
    expect(await refusal(await server.sign(made))).toBe(expected);
  });

  it('without a signature, by the algorithm none', async () => {
    const [, claims = ''] = (await server.sign()).split('.');
    expect(await refusal(`${base64url({ alg: 'none', typ: 'at+jwt' })}.${claims}.`)).toBe('algorithm');
  });

  it('with the public key as a shared secret', async () => {
    const [, claims = ''] = (await server.sign()).split('.');
    const pem = server.key.publicKey.export({ type: 'spki', format: 'pem' });
    const signed = `${base64url({ alg: 'HS256', typ: 'at+jwt', kid: 'as-1' })}.${claims}`;
    const mac = createHmac('sha256', pem).update(signed).digest('base64url');
    expect(await refusal(`${signed}.${mac}`)).toBe('algorithm');
  });

  it('that is cut short, changed or empty', async () => {
    const token = await server.sign();
    const [header = '', , signature = ''] = token.split('.');
    const changed = base64url({ iss: server.issuer, aud: RESOURCE, sub: 'root', exp: seconds(600) });
    expect(await refusal(token.slice(0, -10))).toBe('signature');
    expect(await refusal(`${header}.${changed}.${signature}`)).toBe('signature');
    expect(await refusal(token.slice(0, 40))).toBe('malformed');
    expect(await refusal('')).toBe('malformed');
  });
});

describe('what a token says', () => {
  const rows: readonly [string, Record<string, unknown>, object][] = [
    ['scopes in a list', { scope: undefined, scp: ['a', 'b'] }, { scopes: ['a', 'b'] }],
    ['scopes in the text scp', { scope: undefined, scp: 'a b' }, { scopes: ['a', 'b'] }],
    ['scopes that are no text', { scope: { admin: true } }, { scopes: [] }],
    ['a list with what is no text', { scope: ['a', 7, null] }, { scopes: ['a'] }],
    ['no scopes', { scope: undefined }, { scopes: [] }],
    ['a client in azp', { client_id: undefined, azp: 'web' }, { clientId: 'web' }],
    ['a subject', {}, { extra: { sub: 'ann' } }],
  ];

  it.each(rows)('of %s', async (_, claims, expected) => {
    expect(await verifier.verifyAccessToken(await server.sign({ claims }))).toMatchObject(expected);
  });

  it('of a subject that is no text is none', async () => {
    const info = await verifier.verifyAccessToken(await server.sign({ claims: { sub: undefined } }));
    expect(info.extra).not.toHaveProperty('sub');
  });
});

describe('the keys', () => {
  const first = signingKey('one');
  const second = signingKey('two');
  const issuer = 'https://as.example';
  let keys: LocalServer;
  beforeEach(async () => {
    keys = await LocalServer.start(json({ keys: [publicJwk(first)] }));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await keys.close();
  });
  const by = (timeoutMs = 5_000) =>
    jwksVerifier({ issuer, audience: RESOURCE, jwksUri: `${keys.url}/jwks`, timeoutMs });

  it('are fetched once for many tokens', async () => {
    const one = by();
    const token = await signToken(issuer, first);
    const refusals = await Promise.all(Array.from({ length: 20 }, () => refusal(token, one)));
    expect(new Set(refusals)).toEqual(new Set(['accepted']));
    expect(keys.asked).toBe(1);
  });

  it('may change: the new one is looked for, the old one is no longer good', async () => {
    const one = by();
    const [old, young] = await Promise.all([signToken(issuer, first), signToken(issuer, second)]);
    expect(await refusal(old, one)).toBe('accepted');
    keys.answer = json({ keys: [publicJwk(second)] });
    expect(await refusal(young, one)).toBe('unknown_key');
    const now = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => now + 31_000);
    expect(await refusal(young, one)).toBe('accepted');
    expect(await refusal(old, one)).toBe('unknown_key');
  });

  it('are asked for at most once in a while, whatever ids tokens name', async () => {
    const one = by();
    const forged = Array.from({ length: 30 }, (_, index) => signToken(issuer, signingKey(`forged-${index}`)));
    for (const token of await Promise.all(forged)) expect(await refusal(token, one)).toBe('unknown_key');
    expect(keys.asked).toBeLessThanOrEqual(2);
  });

  it.each([
    ['an error', json({ keys: [] }, 500)],
    ['a redirect', json({}, 302)],
    ['something else', text('<html>')],
    ['no key set', json({ keys: 'none' })],
    ['bytes without an end', endless],
  ])(
    'cannot be had where their server answers with %s, which says nothing of the token',
    async (_, answer) => {
      keys.answer = answer;
      expect(await refusal(await signToken(issuer, first), by())).toBe('temporarily_unavailable');
    },
  );

  it('cannot be had where their server is silent', async () => {
    keys.answer = silence;
    expect(await refusal(await signToken(issuer, first), by(50))).toBe('temporarily_unavailable');
  });

  it('cannot be had where their server is down, and can when it is back', async () => {
    const gone = await LocalServer.start(silence);
    await gone.close();
    const one = jwksVerifier({ issuer, audience: RESOURCE, jwksUri: gone.url });
    expect(await refusal(await signToken(issuer, first), one)).toBe('temporarily_unavailable');
    keys.answer = json({}, 503);
    const other = by();
    expect(await refusal(await signToken(issuer, first), other)).toBe('temporarily_unavailable');
    keys.answer = json({ keys: [publicJwk(first)] });
    expect(await refusal(await signToken(issuer, first), other)).toBe('accepted');
  });
});

describe('the metadata of an issuer', () => {
  const key = signingKey('one');
  let issuer: LocalServer;
  beforeEach(async () => {
    issuer = await LocalServer.start(silence);
  });
  afterEach(() => issuer.close());

  const at = (path: string, metadata: (url: string) => object) => {
    issuer.answer = (request, response) => {
      if (request.url === '/jwks') return json({ keys: [publicJwk(key)] })(request, response);
      return request.url === path
        ? json(metadata(issuer.url))(request, response)
        : json({}, 404)(request, response);
    };
  };
  const check = async (path = '') => {
    const by = jwksVerifier({ issuer: `${issuer.url}${path}`, audience: RESOURCE });
    return refusal(await signToken(`${issuer.url}${path}`, key), by);
  };

  it.each([
    ['', '/.well-known/oauth-authorization-server'],
    ['', '/.well-known/openid-configuration'],
    ['/tenant', '/.well-known/oauth-authorization-server/tenant'],
    ['/tenant', '/.well-known/openid-configuration/tenant'],
    ['/tenant', '/tenant/.well-known/openid-configuration'],
  ])('of path "%s" is found at %s', async (path, wellKnown) => {
    at(wellKnown, (url) => ({ issuer: `${url}${path}`, jwks_uri: `${url}/jwks` }));
    expect(await check(path)).toBe('accepted');
  });

  it.each([
    ['is of another issuer', (url: string) => ({ issuer: 'https://evil.example', jwks_uri: `${url}/jwks` })],
    ['names no keys', (url: string) => ({ issuer: url })],
    [
      'names keys without TLS elsewhere',
      (url: string) => ({ issuer: url, jwks_uri: 'http://keys.example/' }),
    ],
  ])('is not used where it %s', async (_, metadata) => {
    at('/.well-known/oauth-authorization-server', metadata);
    expect(await check()).toBe('temporarily_unavailable');
  });
});

describe('the options', () => {
  const sound = { issuer: 'https://as.example', audience: RESOURCE };

  it.each([
    ['issuer', { ...sound, issuer: 'http://as.example' }],
    ['issuer', { ...sound, issuer: 'https://as.example?tenant=1' }],
    ['issuer', { ...sound, issuer: 'https://as.example#x' }],
    ['issuer', { ...sound, issuer: 'as' }],
    ['audience', { ...sound, audience: '' }],
    ['jwksUri', { ...sound, jwksUri: 'http://as.example/jwks' }],
    ['algorithms', { ...sound, algorithms: [] }],
    ['algorithms', { ...sound, algorithms: ['HS256'] }],
    ['algorithms', { ...sound, algorithms: ['RS256', 'none'] }],
    ['clockToleranceMs', { ...sound, clockToleranceMs: -1 }],
    ['timeoutMs', { ...sound, timeoutMs: 0 }],
    ['jwksUrl', { ...sound, jwksUrl: 'https://as.example/jwks' }],
  ])('refuse an unsound %s', (name, options) => {
    expect(() => jwksVerifier(options)).toThrow(TypeError);
    expect(() => jwksVerifier(options)).toThrow(name);
  });

  it('may narrow the algorithms', async () => {
    const by = jwksVerifier({ issuer: server.issuer, audience: RESOURCE, algorithms: ['RS256'] });
    expect(await refusal(await server.sign(), by)).toBe('algorithm');
  });

  it('take the two ways to write the audience of a host as one', async () => {
    const by = jwksVerifier({ issuer: server.issuer, audience: 'https://mcp.example.com' });
    const rows = ['https://mcp.example.com', 'https://mcp.example.com/', 'https://mcp.example.com/x'];
    const refusals = rows.map(async (aud) => refusal(await server.sign({ claims: { aud } }), by));
    expect(await Promise.all(refusals)).toEqual(['accepted', 'accepted', 'audience']);
  });
});
