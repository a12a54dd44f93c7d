/**
 * Arguments in headers, and tools that MCP's clients could not take.
 * Invariant: such a tool stops the start by name, and later is left out alone.
 */
import { IsString, MaxLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import {
  BaseTool,
  createToolkit,
  type JsonObject,
  Scopes,
  SideEffect,
  schemaInputContract,
  Tool,
} from 'toolcrib';
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

class Mirrored {
  @IsString()
  @MaxLength(20)
  @JSONSchema({ 'x-mcp-header': 'Order-Id', description: 'Which order' })
  id!: string;
}

@Tool({ name: 'orders.find', version: '1.0.0', owner: 'T', description: 'Finds', input: Mirrored })
@Scopes()
@SideEffect('none')
class Find extends BaseTool<Mirrored, string> {
  execute({ id }: Mirrored) {
    return id;
  }
}

it('stands on a property of a DTO, and in no dialect of a provider', async () => {
  const toolkit = await createToolkit({ discover: { classes: [Find] }, logger: recordingLogger([]) });
  const handler = createMcpHandler(toolkit);
  const listed = await rpc(handler, 'tools/list');
  expect(Object(listed.body).result.tools[0].inputSchema.properties.id['x-mcp-header']).toBe('Order-Id');
  const params = { name: 'orders_find', arguments: { id: 'o-1' } };
  const call = (headers: Record<string, string>) => rpc(handler, 'tools/call', params, { headers });
  expect((await call({ 'mcp-param-order-id': 'o-1' })).body).toMatchObject({
    result: { structuredContent: 'o-1' },
  });
  expect((await call({})).body).toMatchObject({ error: { code: -32020 } });
  for (const dialect of ['openai-strict', 'anthropic', 'gemini'] as const) {
    expect(JSON.stringify(toolkit.describe(Find, { dialect }).definition)).not.toContain('x-mcp-header');
  }
});
