/**
 * The sample's server, on an ephemeral port.
 * Invariant: what a caller gets follows from their token alone.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type App, openApp, SCOPES } from '../../samples/app';
import type { ToolCallingModel } from '../../samples/models';
import { type Principals, principalsFromEnvironment, REVIEWER_SCOPE } from '../../samples/principals';
import { ScriptedModel } from '../../samples/scripted-model';
import { createServer } from '../../samples/server';
import type { TranscriptLine } from '../../samples/transcript';
import { openSampleApp } from '../fixtures/sample-app';

const READER = { authorization: 'Bearer reader-token' };
const MANAGER = { authorization: 'Bearer manager-token' };
const REVIEWER = { authorization: 'Bearer reviewer-token' };

let app: App;
const servers: Server[] = [];
beforeEach(async () => {
  app = await openSampleApp(openApp, null);
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
  await app.close();
});

async function serve(
  model: ToolCallingModel = new ScriptedModel(),
  principals: Principals = principalsFromEnvironment({}),
): Promise<string> {
  const server = createServer({ toolkit: app.toolkit, model, principals });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}

async function post(url: string, path: string, sent: unknown, headers: Record<string, string>) {
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(sent) });
  const body: unknown = await response.json();
  return { status: response.status, body };
}

function ask(url: string, message: unknown, headers: Record<string, string> = READER) {
  return post(url, '/agent', { message }, headers);
}

async function toolNames(url: string, headers: Record<string, string>): Promise<string[]> {
  const response = await fetch(`${url}/tools`, { headers });
  const { tools }: { tools: { name: string }[] } = JSON.parse(await response.text());
  return tools.map(({ name }) => name);
}

describe('without a known token', () => {
  it.each([
    ['no header', {}],
    ['an unknown token', { authorization: 'Bearer other-token' }],
    ['another scheme', { authorization: 'Basic reader-token' }],
    ['a name that Object.prototype has', { authorization: 'Bearer constructor' }],
  ])('%s gets 401 on every path', async (_, headers) => {
    const url = await serve();
    for (const path of ['/tools', '/agent', '/nothing']) {
      const response = await fetch(url + path, { headers: { ...headers } });
      expect([path, response.status]).toEqual([path, 401]);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(await response.json()).toMatchObject({ error: { code: 'unauthenticated' } });
    }
  });
});

describe('GET /tools', () => {
  it('gives each caller the tools that they may call', async () => {
    const url = await serve();
    const read = ['customers_find', 'customers_orders', 'orders_lookup', 'orders_search', 'shipments_status'];
    const names = await toolNames(url, READER);
    expect(names).toEqual(expect.arrayContaining(read));
    expect(names).not.toContain('orders_refund');
    expect(await toolNames(url, MANAGER)).toEqual(app.toolkit.registry.list().map((tool) => tool.modelName));
  });
});

describe('POST /agent', () => {
  it('answers, with the transcript', async () => {
    const { status, body } = await ask(await serve(), 'Where is ORD-1234?');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      answer: expect.stringContaining('shipped'),
      transcript: [
        { from: 'user', text: 'Where is ORD-1234?' },
        { from: 'agent', tool: 'orders_lookup', args: { order_id: 'ORD-1234' } },
        { from: 'tool', answer: { isError: false, result: { order_id: 'ORD-1234', status: 'shipped' } } },
        { from: 'agent' },
      ],
    });
  });

  it('acts as the caller, whatever the model tries', async () => {
    const url = await serve();
    const message = 'Refund 12.50 EUR of ORD-1234';
    const isRefused = { isError: true, error: { code: 'insufficient_scope' } };
    const isAsked = { isError: true, error: { code: 'approval_required' } };
    for (const [headers, answer] of [
      [READER, isRefused],
      [MANAGER, isAsked],
    ] as const) {
      const { body } = await ask(url, message, headers);
      expect(body).toMatchObject({ transcript: [{}, { tool: 'orders_refund' }, { answer }, {}] });
    }
  });

  it('offers the model what the caller may call', async () => {
    const offered: string[][] = [];
    const model: ToolCallingModel = {
      bindTools(tools) {
        offered.push(tools.map(({ name }) => name));
        return new ScriptedModel().bindTools(tools);
      },
    };
    const url = await serve(model);
    await ask(url, 'hello', READER);
    await ask(url, 'hello', MANAGER);
    expect(offered).toEqual([await toolNames(url, READER), await toolNames(url, MANAGER)]);
  });

  it.each([
    ['a body that is no JSON', '{', 400, 'invalid_json'],
    ['no body', '', 400, 'invalid_json'],
    ['a list', '[]', 400, 'invalid_body'],
    ['no message', '{}', 400, 'invalid_body'],
    ['an empty message', '{"message":""}', 400, 'invalid_body'],
    ['a message too long', JSON.stringify({ message: 'x'.repeat(2_001) }), 400, 'invalid_body'],
    ['a principal of its own', '{"message":"hello","principal":{"id":"x","scopes":[]}}', 400, 'invalid_body'],
    ['a body too large', JSON.stringify({ message: 'x'.repeat(100_000) }), 413, 'body_too_large'],
  ])('refuses %s', async (_, body, status, code) => {
    const response = await fetch(`${await serve()}/agent`, { method: 'POST', headers: READER, body });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code } });
  });

  it('says nothing of a failure of its own', async () => {
    const print = jest.spyOn(console, 'error').mockImplementation(() => {});
    const failing = { invoke: () => Promise.reject(new Error('the secret of the provider')) };
    const { status, body } = await ask(await serve({ bindTools: () => failing }), 'hello');
    const printed = print.mock.calls.length;
    print.mockRestore();
    expect(status).toBe(500);
    expect(body).toMatchObject({ error: { code: 'internal_error' } });
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(printed).toBe(1);
  });

  it('stops the run of a client that has gone away', async () => {
    const client = new AbortController();
    const stopped = new AbortController();
    const isStopped = once(stopped.signal, 'abort');
    const waiting: ReturnType<ToolCallingModel['bindTools']> = {
      async invoke(_, config) {
        const signal = config !== undefined && 'signal' in config ? config.signal : undefined;
        if (!(signal instanceof AbortSignal)) throw new TypeError('the run has no signal');
        client.abort();
        await once(signal, 'abort');
        stopped.abort();
        throw signal.reason;
      },
    };
    const url = await serve({ bindTools: () => waiting });
    const request = { method: 'POST', headers: READER, body: '{"message":"hello"}', signal: client.signal };
    await expect(fetch(`${url}/agent`, request)).rejects.toThrow();
    await isStopped;
    expect(stopped.signal.aborted).toBe(true);
  });
});

describe('/approvals', () => {
  const REFUND = { message: 'Refund 12.50 EUR of ORD-1234', conversation: 'thread-1' };

  /** Asks for the refund, and gives the code of the answer, or what is refunded. */
  async function refund(url: string, headers = MANAGER): Promise<unknown> {
    const { body } = await post(url, '/agent', REFUND, headers);
    const { transcript }: { transcript: TranscriptLine[] } = JSON.parse(JSON.stringify(body));
    const answer = transcript.flatMap((line) => ('answer' in line ? [line.answer] : []))[0];
    return answer?.isError === true ? answer.error.code : Object(answer?.result).refunded_minor;
  }

  async function waitingId(url: string): Promise<string> {
    const response = await fetch(`${url}/approvals`, { headers: REVIEWER });
    const { approvals }: { approvals: { request: { id: string } }[] } = JSON.parse(await response.text());
    expect(approvals).toMatchObject([
      { request: { tool: 'orders.refund@1.0.0', principalId: 'manager', preview: { pays: '12.50 EUR' } } },
    ]);
    return approvals[0]?.request.id ?? '';
  }

  it('let a call through once it is approved, and once only', async () => {
    const url = await serve();
    expect(await refund(url)).toBe('approval_required');
    const path = `/approvals/${await waitingId(url)}`;
    expect((await post(url, path, { decision: 'approve' }, REVIEWER)).status).toBe(200);
    expect(await post(url, path, { decision: 'reject' }, REVIEWER)).toMatchObject({
      status: 409,
      body: { error: { code: 'not_pending' } },
    });
    expect(await refund(url)).toBe(1_250);
    expect(await refund(url)).toBe('approval_required');
  });

  it('tell the agent why one was rejected', async () => {
    const url = await serve();
    await refund(url);
    const path = `/approvals/${await waitingId(url)}`;
    await post(url, path, { decision: 'reject', reason: 'The parcel is on its way.' }, REVIEWER);
    const { body } = await post(url, '/agent', REFUND, MANAGER);
    expect(body).toMatchObject({ answer: expect.stringContaining('The parcel is on its way.') });
  });

  it('are for reviewers, and for nobody who asked', async () => {
    const both: Principals = new Map([
      ['manager-token', { id: 'manager', scopes: [...SCOPES, REVIEWER_SCOPE] }],
      ['reader-token', { id: 'reader', scopes: SCOPES }],
      ['reviewer-token', { id: 'reviewer', scopes: [REVIEWER_SCOPE] }],
    ]);
    const url = await serve(new ScriptedModel(), both);
    await refund(url);
    const path = `/approvals/${await waitingId(url)}`;
    const decided = { decision: 'approve' };
    expect((await fetch(`${url}/approvals`, { headers: READER })).status).toBe(403);
    expect(await post(url, path, decided, READER)).toMatchObject({
      status: 403,
      body: { error: { code: 'insufficient_scope' } },
    });
    expect(await post(url, path, decided, MANAGER)).toMatchObject({
      status: 403,
      body: { error: { code: 'own_request' } },
    });
    expect((await post(url, path, { decision: 'later' }, REVIEWER)).status).toBe(400);
    expect((await post(url, `/approvals/${'0'.repeat(36)}`, decided, REVIEWER)).status).toBe(404);
    expect(await refund(url)).toBe('approval_required');
  });
});

it.each([
  ['/approvals', 'POST', 405, 'GET'],
  [`/approvals/${'0'.repeat(36)}`, 'GET', 405, 'POST'],
  ['/approvals/ID', 'GET', 404, null],
  ['/approvals/1', 'POST', 404, null],
  ['/nothing', 'GET', 404, null],
  ['/tools/x', 'GET', 404, null],
  ['/__proto__', 'GET', 404, null],
  ['/tools', 'POST', 405, 'GET'],
  ['/agent?message=hello', 'GET', 405, 'POST'],
])('answers %s by %s with %i', async (path, method, status, allow) => {
  const response = await fetch((await serve()) + path, { method, headers: READER });
  expect(response.status).toBe(status);
  expect(response.headers.get('allow')).toBe(allow);
});

describe('the table of tokens', () => {
  it('comes from the environment', () => {
    const table = principalsFromEnvironment({ PRINCIPALS: '{"t1":{"id":"one","scopes":["orders:read"]}}' });
    expect([...table]).toEqual([['t1', { id: 'one', scopes: ['orders:read'] }]]);
  });

  it.each([
    '{',
    'null',
    '[]',
    '"t1"',
    '{"t1":{"id":"one"}}',
    '{"t1":{"id":1,"scopes":[]}}',
    '{"t1":{"id":"a","scopes":[1]}}',
  ])('is not %s, which stops the start', (PRINCIPALS) => {
    expect(() => principalsFromEnvironment({ PRINCIPALS })).toThrow(TypeError);
  });
});
