/**
 * Holds the JWT verifier against a real authorization server, against forgeries and against broken key servers.
 * Invariant: of every token it is asserted whether it is accepted, and by which OAuth code it is refused.
 */
import { createHmac } from 'node:crypto';
import type { AuthInfo, OAuthTokenVerifier } from '@modelcontextprotocol/server';
import { jwksVerifier } from '../../../src/mcp/auth/jwks-verifier';
import { AuthorizationServer, type HandMade, RESOURCE, seconds, signingKey } from './authorization-server';
import { refusalOf } from './refusal-of';

let server: AuthorizationServer;
let verifier: OAuthTokenVerifier;
beforeAll(async () => {
  server = await AuthorizationServer.start();
  verifier = jwksVerifier({ issuer: server.issuer, audience: RESOURCE });
}, 30_000);
afterAll(() => server.close());

function refusal(token: string, by: OAuthTokenVerifier = verifier): Promise<string> {
  return refusalOf(token, by);
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
    expect(await refusalOf(await server.token('jwt'), by)).toBe('accepted');
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
    ['an expiry that is over', { claims: { exp: seconds(-60) } }, 'expired'],
    ['a start to come', { claims: { nbf: seconds(3_600) } }, 'not_yet_valid'],
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

  it('with times that are off by no more than the clocks may be', async () => {
    const by = jwksVerifier({ issuer: server.issuer, audience: RESOURCE, clockToleranceMs: 600_000 });
    const rows = [
      { exp: seconds(-300) },
      { nbf: seconds(300) },
      { exp: seconds(-900) },
      { nbf: seconds(900) },
    ];
    const refusals = rows.map(async (claims) => refusal(await server.sign({ claims }), by));
    expect(await Promise.all(refusals)).toEqual(['accepted', 'accepted', 'expired', 'not_yet_valid']);
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
