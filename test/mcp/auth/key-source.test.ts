/**
 * Where the keys of an issuer come from, and what happens when they change or cannot be had.
 * Invariant: a failure to get keys says nothing of a token, and lets none pass.
 */
import { OAuthError } from '@modelcontextprotocol/server';
import { jwksVerifier } from '../../../src/mcp/auth/jwks-verifier';
import { type FailureFacts, factsOf } from '../../../src/mcp/auth/refusal';
import { publicJwk, RESOURCE, signingKey, signToken } from './authorization-server';
import { endless, json, LocalServer, redirectTo, silence, text } from './local-server';
import { refusalOf as refusal } from './refusal-of';

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
    ['a redirect', redirectTo({ keys: [publicJwk(first)] })],
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
    const asked = jest.spyOn(globalThis, 'fetch');
    try {
      expect(await check()).toBe('server_error');
      const urls = asked.mock.calls.map(([url]) => String(url));
      expect(urls.filter((url) => !url.startsWith(`${issuer.url}/.well-known/`))).toEqual([]);
    } finally {
      asked.mockRestore();
    }
  });

  const facts = async (issuer: string, jwksUri?: string): Promise<FailureFacts> => {
    const by = jwksVerifier({ issuer, audience: RESOURCE, ...(jwksUri === undefined ? {} : { jwksUri }) });
    const failure: unknown = await by.verifyAccessToken(await signToken(issuer, key)).catch((error) => error);
    expect(failure).toBeInstanceOf(OAuthError);
    return factsOf(failure);
  };

  it('of another issuer is logged with both names: a slash is enough', async () => {
    at('/.well-known/oauth-authorization-server', (url) => ({ issuer: `${url}/`, jwks_uri: `${url}/jwks` }));
    const { source, code, message, tried } = await facts(issuer.url);
    expect({ source, code, statuses: tried?.map(({ status }) => status) }).toEqual({
      source: 'metadata',
      code: 'other_issuer',
      statuses: [undefined, 404],
    });
    expect(message).toContain(`issuer ${issuer.url}/, configured ${issuer.url};`);
  });

  it.each([['https://a:b@as.example'], ['https://as.example?token=x'], ['x y'], [7], [undefined]])(
    'that names %p does not get it into the log',
    async (named) => {
      at('/.well-known/oauth-authorization-server', () => ({ issuer: named }));
      expect((await facts(issuer.url)).message).toContain('issuer none that can be shown,');
    },
  );

  it('is looked for at several places, and the log has each with its status', async () => {
    issuer.answer = json({}, 502);
    const { source, tried } = await facts(`${issuer.url}/tenant`);
    expect(source).toBe('metadata');
    expect(tried).toEqual([
      { url: `${issuer.url}/.well-known/oauth-authorization-server/tenant`, ...statusFacts(502) },
      { url: `${issuer.url}/.well-known/openid-configuration/tenant`, ...statusFacts(502) },
      { url: `${issuer.url}/tenant/.well-known/openid-configuration`, ...statusFacts(502) },
    ]);
  });

  it('is not needed where keys are configured: the log has their URL without its query, and why', async () => {
    issuer.answer = json({}, 500);
    const url = `${issuer.url}/jwks`;
    expect(await facts(issuer.url, `${url}?key=secret`)).toEqual({
      source: 'keys',
      url,
      ...statusFacts(500),
    });
    await issuer.close();
    expect(await facts(issuer.url, url)).toMatchObject({ source: 'keys', url, code: 'ECONNREFUSED' });
  });
});

function statusFacts(status: number): FailureFacts {
  return { type: 'FetchFailure', code: 'unexpected_status', status };
}
