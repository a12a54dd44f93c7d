/**
 * The handler behind a resource server: who gets to the tools, and what the others are told.
 * Invariant: without a token that the verifier accepts no tool runs, whatever else a request says.
 */
import { type AuthInfo, OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server';
import { createToolkit, type Interceptor, Scopes, SideEffect, Tool, type Toolkit } from 'toolcrib';
import { createMcpHandler, type McpHandler, type McpHandlerOptions } from 'toolcrib/mcp';
import { type RpcOptions, rpc, rpcRequest } from '../../fixtures/mcp-rpc';
import { RESOURCE, seconds } from './authorization-server';

const ISSUER = 'https://as.example';
const METADATA = new URL('/.well-known/oauth-protected-resource/mcp', RESOURCE).href;
const HOST = new URL(RESOURCE).hostname;

const ran: string[] = [];

class Desk {
  @Tool({ name: 'orders.count', version: '1.0.0', description: 'Counts orders', output: Number })
  @Scopes('orders:read')
  @SideEffect('none')
  count(): number {
    ran.push('count');
    return 7;
  }

  @Tool({ name: 'orders.purge', version: '1.0.0', description: 'Forgets orders', output: Number })
  @Scopes('orders:read', 'orders:write')
  @SideEffect('none')
  purge(): number {
    ran.push('purge');
    return 0;
  }
}

const verifier = {
  verifyAccessToken: async (token: string): Promise<AuthInfo> => {
    if (token !== 'reader') throw new OAuthError(OAuthErrorCode.InvalidToken, 'unknown');
    return {
      token,
      clientId: 'agent',
      scopes: ['orders:read'],
      expiresAt: seconds(600),
      resource: new URL(RESOURCE),
      extra: { iss: ISSUER, sub: 'ann' },
    };
  },
};
const auth = { resource: RESOURCE, authorizationServers: [ISSUER], verifier };

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const denials: unknown[] = [];
/** Sees what comes of every call, as a record of them would. */
const recorder: Interceptor = {
  stage: 'authorise',
  async run({ spec }, next) {
    const result = await next();
    if (!result.success) denials.push([spec?.key, result.error.code]);
    return result;
  },
};

let toolkit: Toolkit;
let handler: McpHandler;
beforeAll(async () => {
  toolkit = await createToolkit({
    discover: { instances: [new Desk()] },
    logger: silent,
    interceptors: [recorder],
  });
  handler = createMcpHandler(toolkit, { auth });
});
afterAll(async () => {
  await handler.close();
  await toolkit.close();
});
beforeEach(() => {
  ran.length = 0;
  denials.length = 0;
});

const bearing = (token: string, options: RpcOptions = {}): RpcOptions => ({
  url: RESOURCE,
  headers: { authorization: `Bearer ${token}` },
  ...options,
});

describe('a call', () => {
  it('runs with a token that holds what the tool requires, under the host of the resource', async () => {
    const { status, body } = await rpc(handler, 'tools/call', { name: 'orders_count' }, bearing('reader'));
    expect(status).toBe(200);
    expect(body).toMatchObject({ result: { structuredContent: 7 } });
    expect(ran).toEqual(['count']);
  });

  it.each([
    ['no token', {}],
    ['an unknown token', bearing('nobody')],
  ])('with %s is answered 401 with the place of the metadata', async (_, options) => {
    const answer = await rpc(handler, 'tools/call', { name: 'orders_count' }, { url: RESOURCE, ...options });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain(`resource_metadata="${METADATA}"`);
    expect(ran).toEqual([]);
  });

  it('that lacks a scope is answered 403 with all that the tool needs, and the denial is on record', async () => {
    const answer = await rpc(handler, 'tools/call', { name: 'orders_purge' }, bearing('reader'));
    const challenge = answer.headers.get('www-authenticate');
    expect(answer.status).toBe(403);
    expect(challenge).toContain('error="insufficient_scope"');
    expect(challenge).toContain('scope="orders:read orders:write"');
    expect(ran).toEqual([]);
    expect(denials).toEqual([['orders.purge@1.0.0', 'insufficient_scope']]);
  });

  it('of a concealed tool is one of an unknown tool', async () => {
    const concealing = createMcpHandler(toolkit, { auth, concealTools: true });
    const { body } = await rpc(concealing, 'tools/call', { name: 'orders_purge' }, bearing('reader'));
    expect(body).toMatchObject({ error: { code: -32602 } });
    await concealing.close();
  });
});

describe('the metadata of the resource', () => {
  const ask = (headers: Record<string, string> = {}) => handler.fetch(new Request(METADATA, { headers }));

  it('is served without a token, to pages of any origin, with the scopes of the tools', async () => {
    const response = await ask({ origin: 'https://elsewhere.example' });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      resource: RESOURCE,
      authorization_servers: [ISSUER],
      scopes_supported: ['orders:read', 'orders:write'],
    });
    expect(handler.serves(new URL(METADATA).pathname)).toBe(true);
  });

  it('is not served under a foreign host', async () => {
    expect((await ask({ host: 'elsewhere.example' })).status).toBe(403);
    expect((await ask({ host: HOST })).status).toBe(200);
  });
});

describe('the options', () => {
  it.each<[string, McpHandlerOptions]>([
    ['auth and principal together', { auth, principal: () => undefined }],
    ['auth without issuers', { auth: { ...auth, authorizationServers: [] } }],
  ])('refuse %s', (_, options) => {
    expect(() => createMcpHandler(toolkit, options)).toThrow(TypeError);
  });
});

it('answers pages of other origins 403, before it looks at the token', async () => {
  const request = rpcRequest('tools/list', {}, bearing('reader'));
  request.headers.set('origin', 'https://elsewhere.example');
  expect((await handler.fetch(request)).status).toBe(403);
});
