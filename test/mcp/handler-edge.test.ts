/**
 * What stands before the protocol: hosts, origins, bodies, rates, routes.
 * Invariant: every request is answered, and what is refused never reaches a tool.
 */
import { add, ran, serveMath } from '../fixtures/mcp-math';
import { rpc, rpcRequest } from '../fixtures/mcp-rpc';
import type { LogEntry } from '../fixtures/recorded-toolkit';

describe('what stands before the protocol', () => {
  it.each([
    ['a foreign host', { host: 'evil.example' }],
    ['a host that is none', { host: '::' }],
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['the origin null', { origin: 'null' }],
  ])('refuses %s with 403', async (_, headers) => {
    const { status } = await rpc(await serveMath(), 'tools/call', add, { headers });
    expect([status, ran.calls]).toEqual([403, 0]);
  });

  it('takes the hosts and origins that it was given', async () => {
    const handler = await serveMath({
      allowedHosts: ['mcp.example.com'],
      allowedOrigins: ['app.example.com'],
    });
    const headers = { host: 'mcp.example.com:8080', origin: 'https://app.example.com' };
    expect((await rpc(handler, 'tools/call', add, { headers })).status).toBe(200);
  });

  it.each(['/', '/mcp/', '/other', '/mcp/../x'])('answers 404 at %s', async (path) => {
    const handler = await serveMath();
    expect(
      (await handler.fetch(rpcRequest('tools/list', {}, { url: `http://localhost${path}` }))).status,
    ).toBe(404);
  });

  it('answers routes of the application', async () => {
    const handler = await serveMath({ routes: { '/metrics': () => new Response('up 1') } });
    expect(await (await handler.fetch(new Request('http://localhost/metrics'))).text()).toBe('up 1');
  });

  it('refuses a body beyond the bound, told or not', async () => {
    const handler = await serveMath({ maxRequestBytes: 1_000 });
    const big = { name: 'math_add', arguments: { a: 1, b: 2, c: 'x'.repeat(2_000) } };
    expect((await handler.fetch(rpcRequest('tools/call', big))).status).toBe(413);
    const chunks = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(400)),
    });
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: chunks,
      duplex: 'half' as const,
    };
    expect((await handler.fetch(new Request('http://localhost/mcp', init))).status).toBe(413);
    expect(ran.calls).toBe(0);
  });

  it('does not wait for a body that never ends', async () => {
    const handler = await serveMath({ bodyTimeoutMs: 20 });
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array([123])),
    });
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      duplex: 'half' as const,
    };
    expect((await handler.fetch(new Request('http://localhost/mcp', init))).status).toBe(408);
  });

  it.each(['', '{', '[]', '7', 'null', '"x"', '{"jsonrpc":"2.0"}', '[{"a":1}]', '{"__proto__":{}}'])(
    'answers the body %j cleanly',
    async (body) => {
      const handler = await serveMath();
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const response = await handler.fetch(
        new Request('http://localhost/mcp', { method: 'POST', headers, body }),
      );
      expect(response.status).toBeGreaterThanOrEqual(200);
      expect(response.status).toBeLessThan(500);
    },
  );

  it('refuses what is no JSON by its type', async () => {
    const { status } = await rpc(await serveMath(), 'tools/call', add, {
      headers: { 'content-type': 'text/plain' },
    });
    expect([status, ran.calls]).toEqual([415, 0]);
  });

  it('answers 429 beyond the rate of a principal, each for itself', async () => {
    const handler = await serveMath({
      rateLimit: { limit: 2, windowMs: 60_000 },
      principal: (request) => ({ id: request.headers.get('x-user') ?? '', scopes: [] }),
    });
    const of = (user: string) => rpc(handler, 'tools/call', add, { headers: { 'x-user': user } });
    expect([(await of('ann')).status, (await of('ann')).status]).toEqual([200, 200]);
    const { status, headers } = await of('ann');
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await of('bob')).status).toBe(200);
  });

  it('lets nobody through when the requests cannot be counted', async () => {
    const handler = await serveMath({
      rateLimit: { consume: () => Promise.reject(new Error('store is down')) },
    });
    expect([(await rpc(handler, 'tools/call', add)).status, ran.calls]).toEqual([429, 0]);
  });

  it('counts every request of a batch', async () => {
    const handler = await serveMath({ rateLimit: { limit: 2, windowMs: 60_000 } });
    const batch = [1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: add }));
    const { method, url, headers } = rpcRequest('tools/call', add, { legacy: true });
    const request = new Request(url, { method, headers, body: JSON.stringify(batch) });
    expect([(await handler.fetch(request)).status, ran.calls]).toEqual([429, 0]);
  });

  it('answers a POST without a body as no JSON', async () => {
    const { method, url, headers } = rpcRequest('tools/call', add);
    const response = await (await serveMath()).fetch(new Request(url, { method, headers }));
    expect([response.status, await response.json()]).toEqual([
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32_700, message: expect.any(String) } },
    ]);
  });

  it.each([
    ['gives none', () => JSON.parse('{}')],
    ['throws', () => JSON.parse('{')],
    ['rejects', () => Promise.reject(new Error('hunter2'))],
  ])('answers 500 for a route that %s, and logs it', async (_, route) => {
    const log: LogEntry[] = [];
    const handler = await serveMath({ routes: { '/metrics': route } }, log);
    const response = await handler.fetch(new Request('http://localhost/metrics'));
    expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining('hunter2')]);
    expect(log.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it('says so where principal has read the body', async () => {
    const log: LogEntry[] = [];
    const handler = await serveMath(
      {
        principal: async (request) => {
          await request.text();
          return undefined;
        },
      },
      log,
    );
    expect([(await rpc(handler, 'tools/call', add)).status, ran.calls]).toEqual([500, 0]);
    expect(JSON.stringify(log)).toContain('parsedBody');
  });

  it('lets principal read a clone of the body', async () => {
    const handler = await serveMath({
      principal: async (request) => ({ id: (await request.clone().text()).slice(0, 1), scopes: [] }),
    });
    expect((await rpc(handler, 'tools/call', add)).status).toBe(200);
  });
});
