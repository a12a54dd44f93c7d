/**
 * The HTTP handler around the protocol: calls, cancellation, shutdown, and node:http.
 * Invariant: a call is answered or ends with its request, and a server that closes loses none.
 */
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { add, ran, serveMath } from '../fixtures/mcp-math';
import { lastMessage, rpc, rpcRequest } from '../fixtures/mcp-rpc';

describe('a call', () => {
  it.each([false, true])('answers data and its text mirror (legacy: %s)', async (legacy) => {
    const { status, body } = await rpc(await serveMath(), 'tools/call', add, { legacy });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      result: { structuredContent: { total: 3 }, content: [{ type: 'text', text: '{"total":3}' }] },
    });
  });

  it('has no principal but the one that the application finds', async () => {
    const anybody = await serveMath();
    const secret = { ...add, name: 'math_secret' };
    const denied = await rpc(anybody, 'tools/call', secret);
    expect(denied.body).toMatchObject({ result: { isError: true } });
    expect(ran.calls).toBe(0);
    const known = await serveMath({ principal: () => ({ id: 'ann', scopes: ['math:read'] }) });
    expect((await rpc(known, 'tools/call', secret)).body).toMatchObject({
      result: { structuredContent: { total: 3 } },
    });
  });

  it('does not take what is no principal for one', async () => {
    const handler = await serveMath({ principal: () => JSON.parse('{ "id": 7, "scopes": "math:read" }') });
    const { body } = await rpc(handler, 'tools/call', { ...add, name: 'math_secret' });
    expect(body).toMatchObject({ result: { isError: true } });
  });

  it('answers 500 and no word of it when the application fails to find the caller', async () => {
    const handler = await serveMath({
      principal: () => {
        throw new Error('db password hunter2');
      },
    });
    const response = await handler.fetch(rpcRequest('tools/call', add));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('hunter2');
    expect(ran.calls).toBe(0);
  });

  it('tells the name to call to who gives the dotted one of a tool that they may call', async () => {
    const handler = await serveMath();
    const messageOf = async (name: string) =>
      JSON.stringify((await rpc(handler, 'tools/call', { ...add, name })).body);
    expect(await messageOf('math.add')).toContain('math_add');
    expect(await messageOf('math.add')).toContain('-32602');
    expect(await messageOf('math.secret')).not.toContain('math_secret');
    expect(ran.calls).toBe(0);
  });

  it('hides what a caller may not call, where the policy says so', async () => {
    const handler = await serveMath({ concealTools: true });
    const secret = await rpc(handler, 'tools/call', { ...add, name: 'math_secret' });
    const missing = await rpc(handler, 'tools/call', { ...add, name: 'math_missin' });
    expect(secret.body).toMatchObject({ error: { code: -32602 } });
    expect(JSON.stringify(secret.body).replace('secret', 'missin')).toBe(JSON.stringify(missing.body));
  });
});

describe('the end', () => {
  it('lets ran.calls in flight finish, takes no more, and says so to load balancers', async () => {
    const handler = await serveMath();
    const health = () => handler.fetch(new Request('http://10.0.0.1/health'));
    expect((await health()).status).toBe(200);
    let go = () => {};
    const began = new Promise<void>((resolve) => {
      ran.within = () => {
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
    expect(ran.calls).toBe(1);
  });

  it('ends what does not end', async () => {
    const handler = await serveMath({ closeTimeoutMs: 10 });
    let signal: AbortSignal | undefined;
    const began = new Promise<void>((resolve) => {
      ran.within = (context) => {
        signal = context.signal;
        resolve();
        return new Promise<void>((done) => context.signal.addEventListener('abort', () => done()));
      };
    });
    const running = handler.fetch(rpcRequest('tools/call', add));
    await began;
    await handler.close();
    const response = await running;
    expect([response.status, await lastMessage(response)]).toMatchObject([503, { error: { code: 503 } }]);
    expect(signal?.aborted).toBe(true);
  });

  it('hands cancellation on when the client goes', async () => {
    const handler = await serveMath();
    const leaving = new AbortController();
    const aborted = new Promise<void>((resolve) => {
      ran.within = ({ signal }) => {
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
    const handler = await serveMath();
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
