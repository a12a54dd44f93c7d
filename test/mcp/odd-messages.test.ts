/**
 * Messages that the SDK would refuse in its own way, or not at all.
 * Invariant: what is odd about one message touches no other, and the caller's own objects are never changed.
 */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { createToolkit, type JsonObject, schemaInputContract } from 'toolcrib';
import { createMcpHandler, serveStdio } from 'toolcrib/mcp';
import { makeSpec } from '../fixtures/hand-made-spec';
import { Add, add, ran, serveMath } from '../fixtures/mcp-math';
import { lastMessage, rpc, rpcRequest } from '../fixtures/mcp-rpc';
import { recordingLogger } from '../fixtures/recorded-toolkit';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('arguments that are no object', () => {
  it.each([
    ['of an unknown tool', { name: 'nope', arguments: [1, 2], _meta: META }],
    ['of a message without an envelope', { ...add, arguments: 'x', _meta: {} }],
    ['of a call that was answered', { ...add, arguments: 7, _meta: META }],
  ])('%s are not those of a later call with the same id', async (_, params) => {
    const toolkit = await createToolkit({ discover: { classes: [Add] }, logger: recordingLogger([]) });
    const [input, output] = [new PassThrough(), new PassThrough()];
    const server = serveStdio(toolkit, { input, output });
    const answer = async (given: object): Promise<unknown> => {
      input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: given })}\n`);
      const [chunk] = await once(output, 'data');
      return JSON.parse(String(chunk));
    };
    // The first message settles the revision.
    await answer({ ...add, _meta: META });
    const odd = await answer(params);
    expect(JSON.stringify(odd)).toMatch(/error/);
    expect(await answer({ ...add, _meta: META })).toMatchObject({
      result: { structuredContent: { total: 3 } },
    });
    input.end();
    await server.closed;
    await toolkit.close();
  });

  it('each meet the gate, and the parsed body stays as it was', async () => {
    const handler = await serveMath();
    const messages = [[1], 'x', 7, true, { a: 1, b: 2 }].map((args) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { ...add, arguments: args },
    }));
    for (const message of messages) {
      const parsedBody = structuredClone(message);
      const response = await handler.fetch(rpcRequest('tools/call', add, { legacy: true }), { parsedBody });
      const isSound =
        typeof message.params.arguments === 'object' && !Array.isArray(message.params.arguments);
      const text = JSON.stringify(await lastMessage(response));
      expect(text).toContain(isSound ? 'total' : 'invalid_input');
      expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/);
      expect(parsedBody).toEqual(message);
    }
    expect(ran.calls).toBe(1);
  });
});

it.each([[1], [null], [{}], [[]], [false]])(
  'the cursor %j is refused as no cursor of ours',
  async (cursor) => {
    const handler = await serveMath();
    for (const legacy of [false, true]) {
      const { body } = await rpc(handler, 'tools/list', { cursor }, { legacy });
      expect(body).toMatchObject({
        error: { code: -32602, message: expect.stringMatching(/^Invalid cursor/) },
      });
    }
  },
);

it.each([
  ['arguments that are null', 'tools/call', { ...add, arguments: null }],
  ['arguments that are a list', 'tools/call', { ...add, arguments: [1] }],
  ['an odd cursor', 'tools/list', { cursor: 1 }],
])('a parsed body that is frozen is answered, with %s', async (_, method, params) => {
  const handler = await serveMath();
  const parsedBody = Object.freeze({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: Object.freeze({ ...params, _meta: META }),
  });
  const { status } = await handler.fetch(rpcRequest(method, params), { parsedBody });
  expect(status).toBe(200);
});

describe('a hidden tool', () => {
  const headed = (name: string, scopes: readonly string[]) => {
    const properties: JsonObject = { region: { type: 'string', 'x-mcp-header': 'Region' } };
    return makeSpec(name, '1.0.0', { scopes, input: schemaInputContract({ type: 'object', properties }) });
  };

  it('is answered as one that is not there, whatever headers it would take, and recorded once', async () => {
    const records: unknown[] = [];
    const toolkit = await createToolkit({
      discover: {},
      logger: recordingLogger([]),
      interceptors: [
        {
          stage: 'resolve',
          run: async (call, next) => {
            const result = await next();
            records.push([call.spec?.key, result.success ? 'ok' : result.error.code]);
            return result;
          },
        },
      ],
    });
    toolkit.registry.update((draft) => {
      draft.register(headed('secret', ['s']));
      draft.register(headed('open', []));
    });
    const handler = createMcpHandler(toolkit, { concealTools: true });
    const call = (name: string) => rpc(handler, 'tools/call', { name, arguments: { region: 'eu' } });
    const [secret, missin, open] = [await call('secret'), await call('missin'), await call('open')];
    expect(JSON.stringify(secret.body).replace('secret', 'missin')).toBe(JSON.stringify(missin.body));
    expect([secret.status, missin.status, open.status]).toEqual([missin.status, missin.status, 400]);
    expect(open.body).toMatchObject({ error: { code: -32020 } });
    expect(records).toEqual([
      ['secret@1.0.0', 'insufficient_scope'],
      [undefined, 'unknown_tool'],
    ]);
    await handler.close();
    await toolkit.close();
  });
});

it('a result that cannot keep its members has no structured form, for clients of any year', async () => {
  const toolkit = await createToolkit({ discover: {}, logger: recordingLogger([]) });
  const text = '{"a":1,"__proto__":{"b":2}}';
  toolkit.registry.update((draft) => {
    draft.register(makeSpec('odd', '1.0.0', { handler: () => JSON.parse(text) }));
    draft.register(makeSpec('deep', '1.0.0', { handler: () => ({ in: JSON.parse(text) }) }));
  });
  const handler = createMcpHandler(toolkit);
  for (const legacy of [false, true]) {
    const call = async (name: string) =>
      Object((await rpc(handler, 'tools/call', { name, arguments: {} }, { legacy })).body).result;
    const odd = await call('odd');
    expect(odd.content).toEqual([{ type: 'text', text }]);
    expect(odd).not.toHaveProperty('structuredContent');
    const deep = await call('deep');
    expect(JSON.stringify(deep.structuredContent)).toBe(deep.content[0].text);
  }
  await handler.close();
  await toolkit.close();
});

it('whatever the parameters of a message are, it is answered, and never by an internal error', async () => {
  const handler = await serveMath();
  const params = fc.dictionary(
    fc.constantFrom('name', 'arguments', 'cursor', 'requestState', 'inputResponses', '__proto__'),
    fc.oneof(fc.jsonValue(), fc.constantFrom('math_add', { a: 1, b: 2 })),
    { maxKeys: 4 },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('tools/call', 'tools/list'),
      params,
      fc.boolean(),
      async (method, given, legacy) => {
        const parsedBody = {
          jsonrpc: '2.0',
          id: 1,
          method,
          params: { ...given, ...(legacy ? {} : { _meta: META }) },
        };
        const before = structuredClone(parsedBody);
        const response = await handler.fetch(rpcRequest(method, given, { legacy }), { parsedBody });
        const { error } = Object(await lastMessage(response));
        expect(response.status).toBeLessThan(500);
        expect(error?.code).not.toBe(-32603);
        expect(parsedBody).toEqual(before);
      },
    ),
    { seed: 12, numRuns: 300 },
  );
});
