/**
 * What a token holds besides calls: lists, headers against bodies, batches, sessions, other methods, the metadata.
 * Invariant: whatever a request says of itself, only its token decides what it may reach.
 */
import { jwksVerifier } from 'toolcrib/mcp';
import { lastMessage, type RpcOptions, rpc, rpcRequest } from '../../fixtures/mcp-rpc';
import { AuthorizationServer, RESOURCE } from './authorization-server';
import { GuardedOrders, ran, refusals } from './guarded-orders';

let authority: AuthorizationServer;
let orders: GuardedOrders;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  authority = await AuthorizationServer.start();
  const { issuer } = authority;
  const verifier = jwksVerifier({ issuer, audience: RESOURCE });
  orders = await GuardedOrders.start(() => ({
    resource: RESOURCE,
    authorizationServers: [issuer],
    verifier,
  }));
  for (const scope of ['orders:read', 'orders:admin']) tokens[scope] = await authority.token('jwt', scope);
}, 30_000);

afterAll(async () => {
  await orders.close();
  await authority.close();
});

beforeEach(() => {
  ran.length = 0;
  refusals.length = 0;
});

function bearer(scope: string): Record<string, string> {
  return { authorization: `Bearer ${tokens[scope]}` };
}

function call(name: string, headers: Record<string, string>, options: RpcOptions = {}) {
  return rpc(orders.handler, 'tools/call', { name, arguments: {} }, { ...options, headers });
}

describe('the list of tools', () => {
  it.each([
    ['orders:read', ['orders_read', 'orders_region', 'ping']],
    ['orders:admin', ['orders_admin', 'orders_read', 'orders_region', 'orders_write', 'ping', 'unaskable']],
  ])('with %s holds what may be called, in either era', async (scope, names) => {
    for (const legacy of [false, true]) {
      const { body } = await rpc(orders.handler, 'tools/list', {}, { legacy, headers: bearer(scope) });
      expect(Object(body).result.tools.map(({ name }: { name: string }) => name)).toEqual(names);
    }
  });

  it('is for nobody else, and never kept in shared caches', async () => {
    const { body } = await rpc(orders.handler, 'tools/list', {}, { headers: bearer('orders:read') });
    expect(body).toMatchObject({ result: { cacheScope: 'private' } });
    expect((await rpc(orders.handler, 'tools/list')).status).toBe(401);
    expect((await rpc(orders.handler, 'server/discover')).status).toBe(401);
    expect((await rpc(orders.handler, 'initialize', {}, { legacy: true })).status).toBe(401);
  });
});

describe('headers that say other than the body', () => {
  const region = (value?: string) =>
    rpc(
      orders.handler,
      'tools/call',
      { name: 'orders_region', arguments: { region: 'eu' } },
      {
        headers: { ...bearer('orders:read'), ...(value === undefined ? {} : { 'mcp-param-region': value }) },
      },
    );

  it.each([
    ['name of a tool that is allowed', 'orders_admin', { 'mcp-name': 'ping' }],
    ['name of a tool that is not', 'orders_read', { 'mcp-name': 'orders_admin' }],
    ['name in other letters', 'orders_read', { 'mcp-name': 'Orders_Read' }],
    ['empty name', 'orders_read', { 'mcp-name': '' }],
    ['method', 'orders_read', { 'mcp-method': 'tools/list' }],
    ['version', 'orders_read', { 'mcp-protocol-version': '2025-11-25' }],
  ])('of %s are refused, whatever the token', async (_, name, headers) => {
    const { status, body } = await call(name, { ...bearer('orders:admin'), ...headers });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { code: -32020 } });
    expect(ran).toEqual([]);
  });

  it('of an argument are refused', async () => {
    for (const value of ['us', 'EU', undefined]) {
      const { status, body } = await region(value);
      expect([status, Object(body).error?.code]).toEqual([400, -32020]);
    }
    expect(ran).toEqual([]);
    expect((await region('eu')).status).toBe(200);
    expect(ran).toHaveLength(1);
  });

  it('mean nothing to a client of 2025: the body decides', async () => {
    const headers = { ...bearer('orders:read'), 'mcp-name': 'ping' };
    expect((await call('orders_admin', headers, { legacy: true })).status).toBe(403);
    expect(ran).toEqual([]);
  });
});

describe('a batch of a client of 2025', () => {
  const message = (id: number, name: string) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: {} },
  });
  const send = (headers: Record<string, string>, ...names: readonly string[]) => {
    const { url, headers: usual } = rpcRequest('tools/call', {}, { legacy: true, headers });
    const body = JSON.stringify(names.map((name, index) => message(index, name)));
    return orders.handler.fetch(new Request(url, { method: 'POST', headers: usual, body }));
  };

  it('runs nothing where one of its calls lacks a scope', async () => {
    const response = await send(bearer('orders:read'), 'ping', 'orders_admin', 'orders_read');
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toContain('scope="orders:admin"');
    expect(ran).toEqual([]);
  });

  it('runs nothing without a token', async () => {
    expect((await send({}, 'ping', 'ping')).status).toBe(401);
    expect(ran).toEqual([]);
  });

  it('runs what the token is good for', async () => {
    const response = await send(bearer('orders:read'), 'ping', 'orders_read');
    expect(response.status).toBe(200);
    await lastMessage(response);
    expect(ran.toSorted()).toEqual([
      `${authority.issuer}#agent orders.read`,
      `${authority.issuer}#agent ping`,
    ]);
  });
});

describe('a request', () => {
  it('of a session is none of its bearer', async () => {
    const legacy = true;
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const opened = await rpc(orders.handler, 'initialize', params, {
      legacy,
      headers: bearer('orders:admin'),
    });
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    expect(session['mcp-session-id']).not.toBe('');
    expect((await call('orders_admin', session, { legacy })).status).toBe(401);
    expect((await call('orders_admin', { ...session, ...bearer('orders:read') }, { legacy })).status).toBe(
      403,
    );
    expect(ran).toEqual([]);
  });

  it.each(['GET', 'DELETE', 'PUT'])('by %s is answered to bearers alone', async (method) => {
    const send = (headers: Record<string, string>) =>
      orders.handler.fetch(new Request('http://localhost/mcp', { method, headers }));
    expect((await send({})).status).toBe(401);
    expect((await send(bearer('orders:read'))).status).toBe(405);
  });

  it('that is refused before it is read costs nothing: the body may be anything', async () => {
    const send = (headers: Record<string, string>) =>
      orders.handler.fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body: '{' }));
    expect((await send({})).status).toBe(401);
    expect((await send(bearer('orders:read'))).status).toBeGreaterThanOrEqual(400);
  });

  it('SEC-10: whose scope is missing is told which, and nothing else of the configuration', async () => {
    const { status, headers, body } = await call('orders_write', bearer('orders:read'));
    expect(status).toBe(403);
    const description = 'Missing scopes: orders:write';
    expect(body).toEqual({ error: 'insufficient_scope', error_description: description });
    expect(headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", error_description="${description}", scope="orders:read orders:write", ` +
        'resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"',
    );
  });

  it('whose scope is missing is recorded as a denial, once, and its token nowhere', async () => {
    for (const legacy of [false, true]) await call('orders_admin', bearer('orders:read'), { legacy });
    expect(refusals).toEqual(['insufficient_scope', 'insufficient_scope']);
    expect(JSON.stringify(orders.log)).not.toContain(tokens['orders:read']);
  });
});

describe('the metadata', () => {
  it('is where the refusal says, on either face, without a token', async () => {
    const { headers } = await call('ping', {});
    const [, at = ''] = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
    const { pathname } = new URL(at);
    const faces = [
      await orders.handler.fetch(new Request(`http://localhost${pathname}`)),
      await fetch(new URL(pathname, orders.url)),
    ];
    for (const response of faces) {
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({
        resource: RESOURCE,
        authorization_servers: [authority.issuer],
        scopes_supported: ['orders:admin', 'orders:read', 'orders:write'],
      });
    }
  });
});
