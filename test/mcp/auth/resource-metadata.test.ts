/**
 * Holds what a resource server says of itself: its metadata, its challenges, and its options.
 * Invariant: no name of a scope, whatever is in it, breaks out of a header.
 */
import type { OAuthTokenVerifier } from '@modelcontextprotocol/server';
import * as fc from 'fast-check';
import { introspectionVerifier } from '../../../src/mcp/auth/introspection-verifier';
import { jwksVerifier } from '../../../src/mcp/auth/jwks-verifier';
import type { ResourceServer } from '../../../src/mcp/auth/resource-server';
import { toScopeChallenge } from '../../../src/mcp/auth/scope-tokens';
import { forAllAwaited } from '../../fixtures/for-all';
import { RESOURCE } from './authorization-server';
import { entries, ISSUER, METADATA, serverWith } from './made-up-resource';

beforeEach(() => {
  entries.length = 0;
});

describe('the metadata', () => {
  const ask = (server: ResourceServer, method = 'GET', url = METADATA) =>
    server.metadata(
      new Request(url, { method, headers: { 'access-control-request-headers': 'mcp-protocol-version' } }),
    );

  it('names the resource, the issuers and the scopes, for any origin', async () => {
    const options = {
      authorizationServers: [ISSUER, 'https://as2.example/tenant/'],
      resourceName: 'Orders',
      documentation: 'https://example.com/docs',
    };
    const response = ask(serverWith(options));
    expect(response?.status).toBe(200);
    expect(response?.headers.get('content-type')).toBe('application/json');
    expect(response?.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response?.json()).toEqual({
      resource: RESOURCE,
      authorization_servers: [ISSUER, 'https://as2.example/tenant/'],
      scopes_supported: ['orders:read', 'orders:write'],
      bearer_methods_supported: ['header'],
      resource_name: 'Orders',
      resource_documentation: 'https://example.com/docs',
    });
  });

  it('answers HEAD, OPTIONS, and no other method', async () => {
    const server = serverWith();
    expect(ask(server, 'HEAD')).toMatchObject({ status: 200, body: null });
    expect(ask(server, 'OPTIONS')?.status).toBe(204);
    expect(ask(server, 'OPTIONS')?.headers.get('access-control-allow-headers')).toBe('mcp-protocol-version');
    expect(ask(server, 'POST')?.status).toBe(405);
    expect(ask(server, 'POST')?.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it.each([
    RESOURCE,
    'https://mcp.example.com/.well-known/oauth-protected-resource',
    'https://mcp.example.com/.well-known/oauth-protected-resource/mcp/more',
    'https://mcp.example.com/mcp/.well-known/oauth-protected-resource',
  ])('is not at %s', (url) => {
    expect(ask(serverWith(), 'GET', url)).toBeUndefined();
  });

  it.each([
    ['https://mcp.example.com', '/.well-known/oauth-protected-resource'],
    ['https://mcp.example.com/', '/.well-known/oauth-protected-resource'],
    ['https://mcp.example.com/a/b', '/.well-known/oauth-protected-resource/a/b'],
  ])('of %s is at %s, and repeats the resource as it is written', async (resource, path) => {
    const response = ask(serverWith({ resource }), 'GET', `https://mcp.example.com${path}`);
    expect(await response?.json()).toMatchObject({ resource });
  });

  it('follows the scopes of the toolkit, unless the application names some', async () => {
    const scopes = ['a'];
    const server = serverWith({}, scopes);
    scopes.push('b', 'offline_access', 'two words', 'a');
    expect(await ask(server)?.json()).toMatchObject({ scopes_supported: ['a', 'b'] });
    const narrow = serverWith({ scopesSupported: ['base'] }, scopes);
    expect(await ask(narrow)?.json()).toMatchObject({ scopes_supported: ['base'] });
  });
});

describe('a challenge', () => {
  it('asks for all that the operation needs, and says what is missing', () => {
    expect(toScopeChallenge(['orders:write'], ['orders:read', 'orders:write'])).toEqual({
      scopes: ['orders:read', 'orders:write'],
      errorDescription: 'Missing scopes: orders:write',
    });
  });

  it.each([
    ['nothing', []],
    ['a scope of two words', ['orders read']],
    ['a scope with a quote', ['a"b']],
    ['a scope with a backslash', ['a\\b']],
    ['a scope with a line break', ['a\r\nX-Evil: 1']],
    ['a scope that is not ASCII', ['bücher:read']],
    ['one of these beside another', ['orders:write', 'a"b']],
    ['offline access', ['offline_access']],
  ])('is none where %s is missing', (_, missing) => {
    expect(toScopeChallenge(missing, ['orders:read', ...missing])).toBeUndefined();
  });

  it('leaves out what cannot be asked for, but is held', () => {
    expect(toScopeChallenge(['b'], ['a"b', 'b'])?.scopes).toEqual(['b']);
  });

  it('names whole scopes alone, whatever is in their names', async () => {
    await forAllAwaited(fc.array(fc.string({ unit: 'binary' })), async (scopes) => {
      const answer = await serverWith({}, ['ok', ...scopes]).authenticate(new Request(RESOURCE));
      const challenge = answer instanceof Response ? answer.headers.get('www-authenticate') : 'let in';
      const [, named = ''] =
        /^Bearer scope="([^"\\]+)", resource_metadata="[^"]+"$/.exec(challenge ?? '') ?? [];
      const known = new Set(['ok', ...scopes]);
      expect(named.split(' ').filter((scope) => !known.has(scope))).toEqual([]);
      expect(named.split(' ')).toContain('ok');
      const asked = toScopeChallenge(scopes, ['ok', ...scopes])?.scopes ?? [];
      expect(asked.filter((scope) => !known.has(scope) || /[^\x21\x23-\x5b\x5d-\x7e]/.test(scope))).toEqual(
        [],
      );
    });
  });

  it('is announced to the operator for scopes that nobody can ask for', async () => {
    const answer = await serverWith({}, ['ok', 'a"b', 'x\r\ny']).authenticate(new Request(RESOURCE));
    const challenge = answer instanceof Response ? answer.headers.get('www-authenticate') : 'let in';
    expect(challenge).toBe(`Bearer scope="ok", resource_metadata="${METADATA}"`);
    expect(entries[0]).toContain(JSON.stringify({ scopes: ['a"b', 'x\r\ny'] }));
  });
});

describe('the options', () => {
  it.each<[string, object]>([
    ['resource', { resource: 'http://mcp.example.com/mcp' }],
    ['resource', { resource: `${RESOURCE}#x` }],
    ['resource', { resource: '/mcp' }],
    ['resource', { resource: undefined }],
    ['authorizationServers', { authorizationServers: [] }],
    ['authorizationServers', { authorizationServers: undefined }],
    ['authorizationServers', { authorizationServers: ISSUER }],
    ['authorizationServers', { authorizationServers: ['http://as.example'] }],
    ['verifier', { verifier: undefined }],
    ['verifier', { verifier: () => undefined }],
    ['scopesSupported', { scopesSupported: ['a b'] }],
    ['scopesSupported', { scopesSupported: ['offline_access'] }],
    ['resourceName', { resourceName: 7 }],
    ['documentation', { documentation: 'docs' }],
    ['principal', { principal: 'ann' }],
    ['scopes', { scopes: ['a'] }],
  ])('refuse an unsound %s', (name, options) => {
    expect(() => serverWith(options)).toThrow(TypeError);
    expect(() => serverWith(options)).toThrow(name);
  });

  const endpoint = 'https://as.example/introspect';
  const credentials = { clientId: 'tools', clientSecret: 'x' };

  it.each<[string, string, OAuthTokenVerifier]>([
    [
      'https://other.example/mcp',
      RESOURCE,
      jwksVerifier({ issuer: ISSUER, audience: 'https://other.example/mcp' }),
    ],
    ['api://tools', RESOURCE, jwksVerifier({ issuer: ISSUER, audience: 'api://tools' })],
    ['tools', RESOURCE, introspectionVerifier({ endpoint, ...credentials, audience: 'tools' })],
    [`${ISSUER}/`, ISSUER, jwksVerifier({ issuer: `${ISSUER}/`, audience: RESOURCE })],
    [
      'https://as2.example',
      ISSUER,
      introspectionVerifier({ endpoint, ...credentials, issuer: 'https://as2.example', audience: RESOURCE }),
    ],
  ])('refuse a verifier for %s, where %s is served', (made, served, verifier) => {
    const open = () => serverWith({ verifier });
    expect(open).toThrow(TypeError);
    expect(open).toThrow(made);
    expect(open).toThrow(served);
  });

  it('take a verifier for the resource, with a slash at its end or without, and one that is wrapped', () => {
    const inner = jwksVerifier({ issuer: ISSUER, audience: 'api://tools' });
    const verifiers = [
      jwksVerifier({ issuer: ISSUER, audience: RESOURCE }),
      jwksVerifier({ issuer: ISSUER, audience: `${RESOURCE}/` }),
      introspectionVerifier({ endpoint, ...credentials, audience: RESOURCE }),
      { verifyAccessToken: (token: string) => inner.verifyAccessToken(token) },
    ];
    for (const verifier of verifiers) expect(() => serverWith({ verifier })).not.toThrow();
  });

  it('take http on this machine', () => {
    expect(() => serverWith({ resource: 'http://localhost:3000/mcp' })).not.toThrow();
    expect(() => serverWith({ resource: 'http://[::1]:3000/mcp' })).not.toThrow();
    expect(() => serverWith({ resource: 'http://localhost.evil.example/mcp' })).toThrow(TypeError);
  });
});
