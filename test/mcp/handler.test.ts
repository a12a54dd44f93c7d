/**
 * The HTTP handler around the protocol: hosts, origins, bodies, rates, routes, health, shutdown.
 * Invariant: every request is answered, and what is refused never reaches a tool.
 */
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { IsInt } from 'class-validator';
import { BaseTool, createToolkit, Scopes, SideEffect, Tool, type ToolContext, type Toolkit } from 'toolcrib';
import { createMcpHandler, type McpHandler, type McpHandlerOptions } from 'toolcrib/mcp';
import { lastMessage, rpc, rpcRequest } from '../fixtures/mcp-rpc';
import { recordingLogger } from '../fixtures/recorded-toolkit';

class Pair {
  @IsInt() a!: number;
  @IsInt() b!: number;
}
class Sum {
  @IsInt() total!: number;
}

let calls = 0;
let onCall: (context: ToolContext) => void | Promise<void> = () => {};

@Tool({ name: 'math.add', version: '1.0.0', owner: 'T', description: 'Adds', input: Pair, output: Sum })
@Scopes()
@SideEffect('none')
class Add extends BaseTool<Pair, Sum> {
  async execute({ a, b }: Pair, context: ToolContext) {
    calls += 1;
    await onCall(context);
    return { total: a + b };
  }
}

@Tool({
  name: 'math.secret',
  version: '1.0.0',
  owner: 'T',
  description: 'Adds in secret',
  input: Pair,
  output: Sum,
})
@Scopes('math:read')
@SideEffect('none')
class Secret extends BaseTool<Pair, Sum> {
  execute({ a, b }: Pair) {
    calls += 1;
    return { total: a + b };
  }
}

function toAny(): McpHandlerOptions {
  return {};
}

const add = { name: 'math_add', arguments: { a: 1, b: 2 } };
const open: (McpHandler | Toolkit)[] = [];

async function serve(options: McpHandlerOptions = {}): Promise<McpHandler> {
  const toolkit = await createToolkit({ discover: { classes: [Add, Secret] }, logger: recordingLogger([]) });
  const handler = createMcpHandler(toolkit, options);
  open.push(handler, toolkit);
  return handler;
}

beforeEach(() => {
  calls = 0;
  onCall = () => {};
});

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

describe('a call', () => {
  it.each([false, true])('answers data and its text mirror (legacy: %s)', async (legacy) => {
    const { status, body } = await rpc(await serve(), 'tools/call', add, { legacy });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      result: { structuredContent: { total: 3 }, content: [{ type: 'text', text: '{"total":3}' }] },
    });
  });

  it('has no principal but the one that the application finds', async () => {
    const anybody = await serve();
    const secret = { ...add, name: 'math_secret' };
    const denied = await rpc(anybody, 'tools/call', secret);
    expect(denied.body).toMatchObject({ result: { isError: true } });
    expect(calls).toBe(0);
    const known = await serve({ principal: () => ({ id: 'ann', scopes: ['math:read'] }) });
    expect((await rpc(known, 'tools/call', secret)).body).toMatchObject({
      result: { structuredContent: { total: 3 } },
    });
  });

  it('does not take what is no principal for one', async () => {
    const handler = await serve({ principal: () => JSON.parse('{ "id": 7, "scopes": "math:read" }') });
    const { body } = await rpc(handler, 'tools/call', { ...add, name: 'math_secret' });
    expect(body).toMatchObject({ result: { isError: true } });
  });

  it('answers 500 and no word of it when the application fails to find the caller', async () => {
    const handler = await serve({
      principal: () => {
        throw new Error('db password hunter2');
      },
    });
    const response = await handler.fetch(rpcRequest('tools/call', add));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('hunter2');
    expect(calls).toBe(0);
  });

  it('hides what a caller may not call, where the policy says so', async () => {
    const handler = await serve({ concealTools: true });
    const secret = await rpc(handler, 'tools/call', { ...add, name: 'math_secret' });
    const missing = await rpc(handler, 'tools/call', { ...add, name: 'math_missin' });
    expect(secret.body).toMatchObject({ error: { code: -32602 } });
    expect(JSON.stringify(secret.body).replace('secret', 'missin')).toBe(JSON.stringify(missing.body));
  });
});

describe('what stands before the protocol', () => {
  it.each([
    ['a foreign host', { host: 'evil.example' }],
    ['a host that is none', { host: '::' }],
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['the origin null', { origin: 'null' }],
  ])('refuses %s with 403', async (_, headers) => {
    const { status } = await rpc(await serve(), 'tools/call', add, { headers });
    expect([status, calls]).toEqual([403, 0]);
  });

  it('takes the hosts and origins that it was given', async () => {
    const handler = await serve({ allowedHosts: ['mcp.example.com'], allowedOrigins: ['app.example.com'] });
    const headers = { host: 'mcp.example.com:8080', origin: 'https://app.example.com' };
    expect((await rpc(handler, 'tools/call', add, { headers })).status).toBe(200);
  });

  it.each(['/', '/mcp/', '/other', '/mcp/../x'])('answers 404 at %s', async (path) => {
    const handler = await serve();
    expect(
      (await handler.fetch(rpcRequest('tools/list', {}, { url: `http://localhost${path}` }))).status,
    ).toBe(404);
  });

  it('answers routes of the application', async () => {
    const handler = await serve({ routes: { '/metrics': () => new Response('up 1') } });
    expect(await (await handler.fetch(new Request('http://localhost/metrics'))).text()).toBe('up 1');
  });

  it('refuses a body beyond the bound, told or not', async () => {
    const handler = await serve({ maxRequestBytes: 1_000 });
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
    expect(calls).toBe(0);
  });

  it('does not wait for a body that never ends', async () => {
    const handler = await serve({ bodyTimeoutMs: 20 });
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
      const handler = await serve();
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const response = await handler.fetch(
        new Request('http://localhost/mcp', { method: 'POST', headers, body }),
      );
      expect(response.status).toBeGreaterThanOrEqual(200);
      expect(response.status).toBeLessThan(500);
    },
  );

  it('refuses what is no JSON by its type', async () => {
    const { status } = await rpc(await serve(), 'tools/call', add, {
      headers: { 'content-type': 'text/plain' },
    });
    expect([status, calls]).toEqual([415, 0]);
  });

  it('answers 429 beyond the rate of a principal, each for itself', async () => {
    const handler = await serve({
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
    const handler = await serve({ rateLimit: { consume: () => Promise.reject(new Error('store is down')) } });
    expect([(await rpc(handler, 'tools/call', add)).status, calls]).toEqual([429, 0]);
  });
});

describe('the end', () => {
  it('lets calls in flight finish, takes no more, and says so to load balancers', async () => {
    const handler = await serve();
    const health = () => handler.fetch(new Request('http://10.0.0.1/health'));
    expect((await health()).status).toBe(200);
    let go = () => {};
    const began = new Promise<void>((resolve) => {
      onCall = () => {
        resolve();
        return new Promise<void>((done) => {
          go = done;
        });
      };
    });
    const running = handler.fetch(rpcRequest('tools/call', add));
    await began;
    const closing = handler.close();
    expect((await health()).status).toBe(503);
    expect((await handler.fetch(rpcRequest('tools/call', add))).status).toBe(503);
    go();
    expect(await lastMessage(await running)).toMatchObject({ result: { structuredContent: { total: 3 } } });
    await closing;
    expect(calls).toBe(1);
  });

  it('ends what does not end', async () => {
    const handler = await serve({ closeTimeoutMs: 10 });
    let signal: AbortSignal | undefined;
    const began = new Promise<void>((resolve) => {
      onCall = (context) => {
        signal = context.signal;
        resolve();
        return new Promise<void>((done) => context.signal.addEventListener('abort', () => done()));
      };
    });
    const running = handler.fetch(rpcRequest('tools/call', add));
    await began;
    await handler.close();
    expect((await running).ok).toBe(false);
    expect(signal?.aborted).toBe(true);
  });

  it('hands cancellation on when the client goes', async () => {
    const handler = await serve();
    const leaving = new AbortController();
    const aborted = new Promise<void>((resolve) => {
      onCall = ({ signal }) => {
        signal.addEventListener('abort', () => resolve());
        leaving.abort();
      };
    });
    const answering = handler.fetch(rpcRequest('tools/call', add, { signal: leaving.signal }));
    await aborted;
    await answering;
  });
});

describe('over node:http', () => {
  it('answers, and leaves paths that are not its own to the next', async () => {
    const handler = await serve();
    const server = createServer((request, response) => {
      void handler.node(request, response, () => response.writeHead(418).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const statusOf = (path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        httpRequest({ port, host: '127.0.0.1', path }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
    const request = rpcRequest('tools/call', add);
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: request.headers,
      body: await request.text(),
    });
    expect(await lastMessage(response)).toMatchObject({ result: { structuredContent: { total: 3 } } });
    expect([await statusOf('/health?x=1'), await statusOf('/elsewhere'), await statusOf('/mcp')]).toEqual([
      200, 418, 405,
    ]);
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('the options', () => {
  it.each([
    [{ pth: '/x' }, 'pth'],
    [{ path: 'mcp' }, 'path'],
    [{ path: '/a?b' }, 'path'],
    [{ pageSize: 0 }, 'pageSize'],
    [{ listTtlMs: -1 }, 'listTtlMs'],
    [{ concealTools: 'yes' }, 'concealTools'],
    [{ allowedHosts: 'a' }, 'allowedHosts'],
    [{ allowedHosts: ['https://a.example'] }, 'allowedHosts'],
    [{ allowedOrigins: ['a.example:80'] }, 'allowedOrigins'],
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
