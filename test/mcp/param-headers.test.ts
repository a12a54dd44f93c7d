/**
 * Arguments in headers, and tools that MCP's clients could not take.
 * Invariant: such a tool stops the start by name, and later is left out alone.
 */
import { createToolkit, type JsonObject, schemaInputContract } from 'toolcrib';
import { createMcpHandler } from 'toolcrib/mcp';
import { makeSpec } from '../fixtures/hand-made-spec';
import { rpc } from '../fixtures/mcp-rpc';
import { recordingLogger } from '../fixtures/recorded-toolkit';

function specWith(properties: JsonObject, rest: JsonObject = {}) {
  return makeSpec('headed', '1.0.0', { input: schemaInputContract({ type: 'object', properties, ...rest }) });
}

const header = (name: unknown, type = 'string') => ({ type, 'x-mcp-header': name }) as JsonObject;

async function serveAll(...specs: readonly ReturnType<typeof makeSpec>[]) {
  const toolkit = await createToolkit({ discover: {}, logger: recordingLogger([]) });
  toolkit.registry.update((draft) => specs.forEach(draft.register));
  return createMcpHandler(toolkit);
}

it.each([
  ['an empty name', { a: header('') }],
  ['a name with a space', { a: header('Order Id') }],
  ['a name with a line break', { a: header('Order\nId') }],
  ['a name that is no text', { a: header(7) }],
  ['a number', { a: header('A', 'number') }],
  ['an object', { a: header('A', 'object') }],
  ['a name that is told twice, letter case aside', { a: header('Id'), b: header('iD') }],
  ['items of a list', { a: { type: 'array', items: header('A') } }],
  ['a variant', { a: { anyOf: [header('A'), { type: 'integer' }] } }],
])('a tool with %s for a header stops the start, and is named', async (_, properties) => {
  await expect(serveAll(makeSpec('sound'), specWith(properties))).rejects.toMatchObject({
    problems: expect.arrayContaining([
      expect.objectContaining({
        code: 'illegal_schema',
        place: expect.objectContaining({ tool: 'headed@1.0.0' }),
      }),
    ]),
  });
});

it('is left out alone when it comes later', async () => {
  const toolkit = await createToolkit({ discover: {}, logger: recordingLogger([]) });
  const handler = createMcpHandler(toolkit);
  toolkit.registry.update((draft) => {
    draft.register(makeSpec('sound'));
    draft.register(specWith({ a: header('') }));
  });
  const { body } = await rpc(handler, 'tools/list');
  expect(Object(body).result.tools.map(({ name }: { name: string }) => name)).toEqual(['sound']);
  const call = await rpc(handler, 'tools/call', { name: 'headed', arguments: {} });
  expect(call.body).toMatchObject({ error: { code: -32602 } });
});

describe('a call of a tool with a header', () => {
  const spec = specWith({
    id: header('Order-Id'),
    at: { type: 'object', properties: { n: header('N', 'integer') } },
  });
  const params = { name: 'headed', arguments: { id: 'o-1', at: { n: 7 } } };
  const good = { 'mcp-param-order-id': 'o-1', 'mcp-param-n': '7' };

  it('runs when headers and arguments agree', async () => {
    const { body } = await rpc(await serveAll(spec), 'tools/call', params, { headers: good });
    expect(body).toMatchObject({ result: { content: [{ text: '"1.0.0"' }] } });
  });

  it.each([
    ['differ', { ...good, 'mcp-param-order-id': 'o-2' }],
    ['are missing', { 'mcp-param-n': '7' }],
    ['differ below', { ...good, 'mcp-param-n': '8' }],
  ])('is refused when headers %s', async (_, headers) => {
    const { status, body } = await rpc(await serveAll(spec), 'tools/call', params, { headers });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { code: -32020 } });
  });
});
