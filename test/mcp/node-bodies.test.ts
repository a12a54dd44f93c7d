/**
 * Bodies of requests of Node, byte by byte over a socket.
 * Invariant: nobody's body is waited for before it is known that they may send one, and no connection hangs.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { McpHandler, McpHandlerOptions } from 'toolcrib/mcp';
import { add, ran, serveMath } from '../fixtures/mcp-math';

const open: { server: Server; sockets: Socket[] }[] = [];

afterEach(async () => {
  for (const { server, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  }
});

/** Serves over a port, and gives connections to it. */
async function listen(options: McpHandlerOptions = {}): Promise<{ handler: McpHandler; dial(): Socket }> {
  const handler = await serveMath(options);
  const server = createServer((request, response) => void handler.node(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const sockets: Socket[] = [];
  open.push({ server, sockets });
  const dial = () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    return socket;
  };
  return { handler, dial };
}

const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: add });

function head(extra: string, { host = 'localhost', path = '/mcp' } = {}): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: ${host}`,
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    extra,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** The statuses of answers that have come, once there are so many. */
async function statuses(socket: Socket, count: number): Promise<number[]> {
  let text = '';
  for (;;) {
    const found = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
    if (found.length >= count) return found;
    const [chunk] = await once(socket, 'data');
    text += String(chunk);
  }
}

const half = (options?: { host?: string; path?: string }) => `${head('content-length: 1000', options)}{"a":`;

it('does not wait for a body beyond the bound', async () => {
  const { dial } = await listen({ bodyTimeoutMs: 20 });
  const socket = dial();
  socket.write(half());
  expect(await statuses(socket, 1)).toEqual([408]);
  await once(socket, 'close');
});

it('answers who is refused before their body is there, and lets go of the connection', async () => {
  const { dial } = await listen({ rateLimit: { limit: 1, windowMs: 60_000 } });
  const first = dial();
  first.write(head('content-length: 0'));
  await statuses(first, 1);
  const refused = [
    [{ host: 'evil.example' }, 403],
    [{ host: 'evil.example', path: '/x/../mcp' }, 403],
    [{ path: '/other' }, 404],
    [{}, 429],
  ] as const;
  const answers = refused.map(async ([to]) => {
    const socket = dial();
    const closed = once(socket, 'close');
    socket.write(half(to));
    const [status] = await statuses(socket, 1);
    await closed;
    return status;
  });
  expect(await Promise.all(answers)).toEqual(refused.map(([, status]) => status));
});

it('refuses a body beyond the bound, told or not, and its client reads so', async () => {
  const { dial } = await listen({ maxRequestBytes: 100_000 });
  const told = dial();
  told.write(head('content-length: 150000'));
  told.write('x'.repeat(150_000));
  expect(await statuses(told, 1)).toEqual([413]);
  const chunked = dial();
  chunked.write(head('transfer-encoding: chunked'));
  for (let sent = 0; sent < 3; sent += 1) chunked.write(`c350\r\n${'x'.repeat(50_000)}\r\n`);
  expect(await statuses(chunked, 1)).toEqual([413]);
  expect(ran.calls).toBe(0);
});

it('answers requests that come one behind the other, refused ones among them', async () => {
  const { dial } = await listen();
  const socket = dial();
  const whole = (host?: string) => head(`content-length: ${call.length}`, { host }) + call;
  socket.write(whole() + whole('evil.example') + whole());
  expect(await statuses(socket, 3)).toEqual([200, 403, 200]);
  expect(ran.calls).toBe(2);
});

it('takes a body in chunks', async () => {
  const { dial } = await listen();
  const socket = dial();
  socket.write(head('transfer-encoding: chunked'));
  for (const part of [call.slice(0, 20), call.slice(20)]) {
    socket.write(`${part.length.toString(16)}\r\n${part}\r\n`);
  }
  socket.write('0\r\n\r\n');
  expect(await statuses(socket, 1)).toEqual([200]);
  expect(ran.calls).toBe(1);
});

it('runs nothing for a client that goes away amid its body', async () => {
  let seen: () => void = () => {};
  const known = new Promise<void>((resolve) => {
    seen = resolve;
  });
  const { dial, handler } = await listen({
    principal: () => {
      seen();
      return undefined;
    },
  });
  const socket = dial();
  socket.write(head(`content-length: ${call.length + 1}`) + call);
  await known;
  socket.destroy();
  await once(socket, 'close');
  await handler.close();
  expect(ran.calls).toBe(0);
});

it('gives routes their bodies, within the bounds', async () => {
  const bodies: string[] = [];
  const { dial } = await listen({
    maxRequestBytes: 10,
    routes: {
      '/hook': async (request) => {
        bodies.push(`${request.headers.get('content-length')} ${await request.text()}`);
        return new Response(null, { status: 204 });
      },
    },
  });
  const socket = dial();
  socket.write(`${head('content-length: 4', { path: '/hook' })}ping`);
  expect(await statuses(socket, 1)).toEqual([204]);
  expect(bodies).toEqual(['4 ping']);
  const big = dial();
  big.write(`${head('content-length: 11', { path: '/hook' })}ping`);
  expect(await statuses(big, 1)).toEqual([413]);
});

it('tells principal that the body is still to come', async () => {
  const found: unknown[] = [];
  const { dial } = await listen({
    principal: async (request) => {
      found.push(await request.text().catch((error: unknown) => error instanceof Error));
      return undefined;
    },
  });
  const socket = dial();
  socket.write(head(`content-length: ${call.length}`) + call);
  expect(await statuses(socket, 1)).toEqual([200]);
  expect(found).toEqual([true]);
});
