/**
 * The options of the HTTP handler.
 * Invariant: what would be ignored, or fail at the first request, is refused at the start and named.
 */
import { createToolkit } from 'toolcrib';
import { createMcpHandler, type McpHandlerOptions } from 'toolcrib/mcp';
import { Add } from '../fixtures/mcp-math';

function toAny(): McpHandlerOptions {
  return {};
}

describe('the options', () => {
  it.each([
    [{ pth: '/x' }, 'pth'],
    [{ path: 'mcp' }, 'path'],
    [{ path: '/a?b' }, 'path'],
    [{ path: '/health' }, '/health'],
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
