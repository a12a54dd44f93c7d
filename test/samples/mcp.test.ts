/**
 * The sample's tools over MCP, in each framework, called by the official client.
 * Invariant: whatever stands in front, the same caller gets the same answers, and other paths stay the application's.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createToolkit, Scopes, SideEffect, Tool } from 'toolcrib';
import { createMcpHandler, type McpHandler } from 'toolcrib/mcp';
import type { App } from '../../samples/app';
import { listenWith } from '../../samples/mcp/express';
import { listen as fastify } from '../../samples/mcp/fastify';
import { openHandler } from '../../samples/mcp/handler';
import { listen as hono } from '../../samples/mcp/hono';
import { listen as http } from '../../samples/mcp/http';
import type { Listen, Listening } from '../../samples/mcp/serve';
import { principalsFromEnvironment } from '../../samples/principals';
import { openSampleApp } from '../fixtures/sample-app';

let app: App;
beforeAll(async () => {
  app = await openSampleApp();
});
afterAll(() => app.close());

const FRAMEWORKS: readonly [string, Listen, string?][] = [
  ['node:http', http],
  ['Express', listenWith()],
  ['Express behind express.json()', listenWith({ parsesBodies: true })],
  ['Express, mounted under a path', listenWith({ under: '/tools' })],
  [
    'Express, mounted under a path behind express.json()',
    listenWith({ under: '/tools', parsesBodies: true }),
  ],
  ['Fastify', fastify],
  ['Hono', hono],
];

async function connect(url: string, token?: string): Promise<Client> {
  const requestInit = { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } };
  const versionNegotiation = { mode: 'auto' as const };
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return client;
}

describe.each(FRAMEWORKS)('%s', (_, listen) => {
  let handler: McpHandler;
  let server: Listening;
  beforeAll(async () => {
    handler = openHandler(app.toolkit, principalsFromEnvironment({}));
    server = await listen(handler, 0);
  });
  afterAll(async () => {
    await handler.close();
    await server.close();
  });

  it('lets the bearer of a token call what they may', async () => {
    const client = await connect(server.url, 'reader-token');
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('orders_lookup');
    expect(names).not.toContain('orders_refund');
    const found = await client.callTool({ name: 'orders_lookup', arguments: { order_id: 'ORD-1234' } });
    expect(found.structuredContent).toMatchObject({ order_id: 'ORD-1234' });
    const refused = await client.callTool({ name: 'orders_lookup', arguments: { order_id: 'bad' } });
    expect(refused.isError).toBe(true);
    await client.close();
  });

  it('knows nobody without a token', async () => {
    const client = await connect(server.url);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('orders_lookup');
    await client.close();
  });

  it('answers its health and the route beside it, and leaves other paths alone', async () => {
    const health = await fetch(`${server.url}/health`);
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
    const headers = { authorization: 'Bearer reader-token' };
    const catalog = await fetch(`${server.url}/catalog`, { headers });
    expect(await catalog.json()).toEqual({ tools: expect.arrayContaining(['orders_lookup']) });
    expect((await fetch(`${server.url}/nothing`)).status).toBe(404);
  });

  it('answers a body that is not JSON 400', async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const answer = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body: '{' });
    expect(answer.status).toBe(400);
    await answer.text();
  });
});

class Held {
  private go: () => void = () => {};
  private readonly gone = new Promise<void>((resolve) => {
    this.go = resolve;
  });
  private begin: () => void = () => {};
  readonly begun = new Promise<void>((resolve) => {
    this.begin = resolve;
  });

  letGo(): void {
    this.go();
  }

  @Tool({ name: 'held.call', version: '1.0.0', description: 'Waits', output: Number })
  @Scopes()
  @SideEffect('none')
  async call(): Promise<number> {
    this.begin();
    await this.gone;
    return 7;
  }
}

it.each(FRAMEWORKS)('%s ends with the calls that run', async (_, listen) => {
  const held = new Held();
  const toolkit = await createToolkit({ discover: { instances: [held] } });
  const handler = createMcpHandler(toolkit);
  const server = await listen(handler, 0);
  const client = await connect(server.url);
  const answer = client.callTool({ name: 'held_call' });
  await held.begun;
  const closing = handler.close();
  expect((await fetch(`${server.url}/health`)).status).toBe(503);
  held.letGo();
  expect(await answer).toMatchObject({ content: [{ type: 'text', text: '7' }] });
  await closing;
  await toolkit.close();
  await client.close();
  await server.close();
  await expect(fetch(`${server.url}/health`)).rejects.toThrow();
});
