/**
 * The options of the HTTP handler.
 * Invariant: what would be ignored, or fail at the first request, is refused at the start and named.
 */
import { createToolkit } from 'toolcrib';
import { createMcpHandler, type McpHandlerOptions } from 'toolcrib/mcp';
import { Add, add, serveMath } from '../fixtures/mcp-math';
import { rpc } from '../fixtures/mcp-rpc';

function toAny(): McpHandlerOptions {
  return {};
}

const auth = {
  resource: 'https://tools.example/mcp',
  authorizationServers: ['https://as.example'],
  verifier: { verifyAccessToken: () => Promise.reject(new Error('nobody')) },
};

it.each([
  ['MCP.Example', 'mcp.example', 'https://MCP.example'],
  ['[0:0::1]', '[::1]:80', 'http://[::1]'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
])('take the host and origin %s', async (name, host, origin) => {
  const handler = await serveMath({ allowedHosts: [name], allowedOrigins: [name], path: '/a%20b/~c' });
  const url = 'http://localhost/a%20b/~c';
  const { status } = await rpc(handler, 'tools/call', add, { headers: { host, origin }, url });
  expect(status).toBe(200);
});

describe('the options', () => {
  it.each([
    [{ pth: '/x' }, 'pth'],
    [{ path: 'mcp' }, 'path'],
    [{ path: '/a?b' }, 'path'],
    [{ path: '/health' }, '/health'],
    [{ path: '/mcp/../x' }, 'path'],
    [{ path: '/a\\b' }, 'path'],
    [{ path: '/wärme' }, 'path'],
    [{ path: '/a b' }, 'path'],
    [{ path: '/.well-known/oauth-protected-resource/mcp', auth }, '/.well-known'],
    [{ routes: { '/.well-known/oauth-protected-resource/mcp': () => new Response() }, auth }, '/.well-known'],
    [{ routes: { '/ü': () => new Response() } }, '/ü'],
    [{ routes: new Map([['/m', () => new Response()]]) }, 'routes'],
    [{ routes: new Headers() }, 'routes'],
    [{ allowedHosts: ['a@b.example'] }, 'allowedHosts'],
    [{ allowedHosts: ['::1'] }, 'allowedHosts'],
    [{ allowedHosts: ['bücher.example'] }, 'punycode'],
    [{ allowedHosts: [''] }, 'allowedHosts'],
    [{ allowedOrigins: ['a.example/'] }, 'allowedOrigins'],
    [{ allowedOrigins: [7] }, 'allowedOrigins'],
    [{ serverInfo: { name: 'x', version: '1', token: 's' } }, 'serverInfo'],
    [{ serverInfo: { name: 'x', version: '1', title: 7 } }, 'serverInfo'],
    [{ serverInfo: ['x', '1'] }, 'serverInfo'],
    [{ pageSize: 0 }, 'pageSize'],
    [{ listTtlMs: -1 }, 'listTtlMs'],
    [{ concealTools: 'yes' }, 'concealTools'],
    [{ allowedHosts: 'a' }, 'allowedHosts'],
    [{ allowedHosts: ['https://a.example'] }, 'allowedHosts'],
    [{ allowedOrigins: ['a.example:80'] }, 'allowedOrigins'],
    [{ allowedHosts: ['*'] }, 'allowedHosts'],
    [{ allowedHosts: ['*.example.com'] }, 'allowedHosts'],
    [{ allowedHosts: ['chrome-extension://*'] }, 'allowedHosts'],
    [{ allowedOrigins: ['*'] }, 'allowedOrigins'],
    [{ allowedOrigins: ['https://*'] }, 'allowedOrigins'],
    [{ bodyTimeoutMs: 2 ** 31 }, 'bodyTimeoutMs'],
    [{ closeTimeoutMs: 2 ** 31 }, 'closeTimeoutMs'],
    [{ routes: { metrics: () => new Response() } }, 'metrics'],
    [{ routes: { '/mcp': () => new Response() } }, '/mcp'],
    [{ routes: { '/m': 'text' } }, '/m'],
    [{ principal: { id: 'a', scopes: [] } }, 'principal'],
    [{ serverInfo: { name: 'x' } }, 'serverInfo'],
    [{ instructions: 7 }, 'instructions'],
    [{ maxRequestBytes: 1.5 }, 'maxRequestBytes'],
    [{ rateLimit: { limit: 0, windowMs: 1 } }, 'rateLimit'],
    [{ rateLimit: 'none' }, 'rateLimit'],
    [{ versions: ['x'] }, 'versions'],
  ])('refuse %j', async (options, named) => {
    const toolkit = await createToolkit({ discover: { classes: [Add] } });
    const make = () => createMcpHandler(toolkit, Object.assign(toAny(), options));
    expect(make).toThrow(TypeError);
    expect(make).toThrow(named);
  });
});
