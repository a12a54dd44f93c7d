/**
 * Holds the resource server against requests and verifiers of every kind.
 * Invariant: neither an answer nor an entry of the log holds a token, a claim, or a text of the verifier's.
 */
import {
  type AuthInfo,
  OAuthError,
  OAuthErrorCode,
  type OAuthTokenVerifier,
} from '@modelcontextprotocol/server';
import type { Authenticated, ResourceServer } from '../../../src/mcp/auth/resource-server';
import { RESOURCE, seconds } from './authorization-server';
import { accepting, entries, ISSUER, METADATA, SECRET, serverWith, usual } from './made-up-resource';

beforeEach(() => {
  entries.length = 0;
});

function refusing(error: unknown): OAuthTokenVerifier {
  return { verifyAccessToken: () => Promise.reject(error) };
}

function request(authorization?: string, url = RESOURCE): Request {
  return new Request(url, { method: 'POST', headers: authorization === undefined ? {} : { authorization } });
}

async function admitted(server: ResourceServer): Promise<Authenticated> {
  const outcome = await server.authenticate(request(`Bearer ${SECRET}`));
  if (outcome instanceof Response) throw new Error(`answered ${outcome.status}`);
  return outcome;
}

async function answered(server: ResourceServer, asked = request(`Bearer ${SECRET}`)) {
  const outcome = await server.authenticate(asked);
  if (!(outcome instanceof Response)) throw new Error('let in');
  const body = await outcome.text();
  const said = [body, ...entries, ...[...outcome.headers].flat()].join('\n');
  expect(said).not.toMatch(/secret|ann\b/i);
  const { error }: { error?: unknown } = JSON.parse(body);
  return { status: outcome.status, error, challenge: outcome.headers.get('www-authenticate') };
}

describe('a request with a token', () => {
  it('comes in as its bearer', async () => {
    const { authInfo, principal } = await admitted(serverWith());
    expect(principal).toEqual({ id: `${ISSUER}#ann`, scopes: ['orders:read'] });
    expect(authInfo.resourceMetadataUrl).toBe(METADATA);
  });

  it.each(['bearer', 'BEARER', 'Bearer '])('comes in by the scheme "%s"', async (scheme) => {
    expect(await serverWith().authenticate(request(`${scheme} ${SECRET}`))).not.toBeInstanceOf(Response);
  });

  it.each([
    'Bearer',
    'Bearer ',
    'Bearer one two',
    'Bearer one, Bearer two',
    'Bearer one,two',
    'bearer =',
    'Bearer "one"',
    'Bearer tök',
  ])('is malformed by "%s"', async (authorization) => {
    const { status, error, challenge } = await answered(serverWith(), request(authorization));
    expect({ status, error, challenge }).toEqual({ status: 400, error: 'invalid_request', challenge: null });
  });
});

describe('a request without a token', () => {
  const expected = `Bearer scope="orders:read orders:write", resource_metadata="${METADATA}"`;

  it.each([
    ['no header', request()],
    ['another scheme', request('Basic YW5uOnNlY3JldA==')],
    ['a scheme that begins alike', request('BearerX abc')],
    ['a token in the query', request(undefined, `${RESOURCE}?access_token=${SECRET}`)],
    ['an empty header', request('')],
  ])('by %s is told where tokens come from', async (_, asked) => {
    expect(await answered(serverWith(), asked)).toEqual({
      status: 401,
      error: 'invalid_token',
      challenge: expected,
    });
  });

  it('is told of no scopes where there are none', async () => {
    const { challenge } = await answered(serverWith({}, []), request());
    expect(challenge).toBe(`Bearer resource_metadata="${METADATA}"`);
  });
});

describe('a token that is refused', () => {
  const invalid = (text: string) => new OAuthError(OAuthErrorCode.InvalidToken, text);

  it.each<[string, OAuthTokenVerifier, string]>([
    ['by its verifier', refusing(invalid(`secret: ${SECRET} of "ann"`)), 'verifier'],
    [
      'for another resource',
      accepting({ resource: new URL('https://mcp.example.com/other') }),
      'other_resource',
    ],
    [
      'since no resource was checked',
      { verifyAccessToken: async () => ({ ...usual, resource: undefined }) as never },
      'no_resource',
    ],
    ['since it is over', accepting({ expiresAt: seconds(-1) }), 'expired'],
    ['for an expiry that is no number', accepting({ expiresAt: Number.NaN }), 'no_expiry'],
    [
      'since it has no expiry',
      { verifyAccessToken: async () => ({ ...usual, expiresAt: undefined }) as never },
      'no_expiry',
    ],
    ['of another issuer', accepting({ extra: { iss: 'https://evil.example', sub: 'ann' } }), 'issuer'],
    ['of an issuer that is no text', accepting({ extra: { iss: [ISSUER], sub: 'ann' } }), 'issuer'],
  ])('%s', async (_, verifier, reason) => {
    const { status, error, challenge } = await answered(serverWith({ verifier }));
    expect({ status, error }).toEqual({ status: 401, error: 'invalid_token' });
    expect(challenge).toMatch(/^Bearer error="invalid_token", /);
    expect(challenge).toContain(`scope="orders:read orders:write", resource_metadata="${METADATA}"`);
    expect(entries.map((entry) => JSON.parse(entry)[0])).toEqual([{ reason }]);
  });
});

describe('a verifier that cannot tell', () => {
  it.each<[string, unknown, number, string]>([
    [
      'says so',
      new OAuthError(OAuthErrorCode.TemporarilyUnavailable, 'secret keys of ann'),
      503,
      'temporarily_unavailable',
    ],
    ['says another code', new OAuthError(OAuthErrorCode.ServerError, 'secret'), 500, 'server_error'],
    ['says it by a scope', new OAuthError(OAuthErrorCode.InsufficientScope, 'secret'), 500, 'server_error'],
    ['throws', new Error(`cannot parse ${SECRET}`), 500, 'server_error'],
    ['throws a text', `secret ${SECRET}`, 500, 'server_error'],
    ['throws nothing', undefined, 500, 'server_error'],
    [
      'throws what cannot be looked at',
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('secret');
          },
        },
      ),
      500,
      'server_error',
    ],
  ])('and %s lets nobody in', async (_, error, status, code) => {
    expect(await answered(serverWith({ verifier: refusing(error) }))).toEqual({
      status,
      error: code,
      challenge: null,
    });
    expect(entries).toHaveLength(1);
  });

  it('says when to come again where it may be able to tell by then', async () => {
    const retryAfter = async (code: OAuthErrorCode) => {
      const server = serverWith({ verifier: refusing(new OAuthError(code, 'secret')) });
      const outcome = await server.authenticate(request(`Bearer ${SECRET}`));
      return outcome instanceof Response ? outcome.headers.get('retry-after') : 'let in';
    };
    expect(await retryAfter(OAuthErrorCode.TemporarilyUnavailable)).toMatch(/^[1-9]\d*$/);
    expect(await retryAfter(OAuthErrorCode.ServerError)).toBeNull();
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'ann'],
    ['no scopes', { ...usual, scopes: undefined }],
  ])('and answers with %s lets nobody in', async (_, info) => {
    const verifier = { verifyAccessToken: async () => info as AuthInfo };
    const outcome = await serverWith({ verifier }).authenticate(request(`Bearer ${SECRET}`));
    expect(outcome instanceof Response && outcome.status).toBeGreaterThanOrEqual(401);
  });

  it('is named in the log by type and code', async () => {
    const error = Object.assign(new TypeError('secret'), { code: 'ECONNREFUSED' });
    await answered(serverWith({ verifier: refusing(error) }));
    expect(entries[0]).toContain('"error":{"type":"TypeError","code":"ECONNREFUSED"}');
    const talkative = Object.assign(new Error('secret'), { name: 'Error of ann', code: 'secret of ann' });
    await answered(serverWith({ verifier: refusing(talkative) }));
    expect(entries[1]).toContain('"error":{}');
  });
});

describe('a principal', () => {
  it.each<[string, Partial<AuthInfo>, string]>([
    ['a subject', {}, `${ISSUER}#ann`],
    [
      'a subject that looks like a client',
      { extra: { iss: ISSUER, sub: '?client_id=agent' } },
      `${ISSUER}#?client_id=agent`,
    ],
    ['a client without a subject', { extra: { iss: ISSUER } }, `${ISSUER}?client_id=agent`],
    [
      'a client that looks like a subject',
      { clientId: '#ann', extra: { iss: ISSUER } },
      `${ISSUER}?client_id=%23ann`,
    ],
    ['no issuer, of which there is one', { extra: { sub: 'ann' } }, `${ISSUER}#ann`],
  ])('of a token with %s', async (_, info, id) => {
    expect((await admitted(serverWith({ verifier: accepting(info) }))).principal.id).toBe(id);
  });

  it('is another with every issuer', async () => {
    const authorizationServers = [ISSUER, 'https://as2.example'];
    const ids = authorizationServers.map(async (iss) => {
      const verifier = accepting({ extra: { iss, sub: 'ann' } });
      return (await admitted(serverWith({ authorizationServers, verifier }))).principal.id;
    });
    expect(new Set(await Promise.all(ids)).size).toBe(2);
  });

  it('cannot be told where the issuer could be any of several', async () => {
    const authorizationServers = [ISSUER, 'https://as2.example'];
    const verifier = accepting({ extra: { sub: 'ann' } });
    expect((await answered(serverWith({ authorizationServers, verifier }))).status).toBe(401);
  });

  it('is none without a subject and a client', async () => {
    const verifier = accepting({ clientId: '', extra: { iss: ISSUER } });
    expect(await answered(serverWith({ verifier }))).toEqual({
      status: 403,
      error: 'access_denied',
      challenge: null,
    });
    expect(entries.map((entry) => JSON.parse(entry)[0])).toEqual([{ reason: 'no_subject_and_no_client' }]);
  });

  it('is whom the application says', async () => {
    const principal = ({ extra }: AuthInfo) => ({
      id: `user-${String(extra?.sub)}`,
      scopes: ['x'],
      tenant: 7,
    });
    const found = await admitted(serverWith({ principal }));
    expect(found.principal).toEqual({ id: 'user-ann', scopes: ['x'], tenant: 7 });
  });

  it.each<[string, () => unknown, string]>([
    ['gives nothing', () => undefined, 'principal_undefined'],
    ['gives no principal', () => ({ id: 7, scopes: [] }), 'no_principal'],
    ['gives scopes that are no texts', () => ({ id: 'ann', scopes: [7] }), 'no_principal'],
    ['gives a promise', async () => ({ id: 'ann', scopes: [] }), 'principal_promise'],
    ['gives a promise that fails', () => Promise.reject(new Error('secret')), 'principal_promise'],
  ])('is nobody where the application %s', async (_, principal, reason) => {
    expect((await answered(serverWith({ principal: principal as () => undefined }))).status).toBe(403);
    expect(entries.map((entry) => JSON.parse(entry)[0])).toEqual([{ reason }]);
  });

  it('cannot be told where the application throws: the log says why, without the token', async () => {
    const principal = () => {
      throw Object.assign(new Error(`db down, asked for ${SECRET} at postgres://app:pw1234@db/x`), {
        code: 'EDB',
      });
    };
    expect(await answered(serverWith({ principal }))).toEqual({
      status: 500,
      error: 'server_error',
      challenge: null,
    });
    const [[{ error }, message]] = entries.map((entry) => JSON.parse(entry));
    expect(error).toMatchObject({ type: 'Error', code: 'EDB', message: expect.stringMatching(/^db down/) });
    expect(error.message).not.toContain('pw1234');
    expect(message).toContain('auth.principal');
  });

  it.each([
    [OAuthErrorCode.InvalidToken, 401],
    [OAuthErrorCode.TemporarilyUnavailable, 503],
  ])('cannot be told where the application says so by an OAuth error %s', async (code, status) => {
    const principal = () => {
      throw new OAuthError(code, 'secret');
    };
    expect((await answered(serverWith({ principal }))).status).toBe(status);
  });
});
