/**
 * The sample's `orders.lookup`: its four answers, from the toolkit and as LangChain messages.
 * Invariant: a caller hears the same from every door.
 */
import { toWire } from 'toolcrib';
import { toLangChainTools } from 'toolcrib/langgraph';
import type { App } from '../../samples/app';
import { LookupOrderTool } from '../../samples/tools/lookup-order';
import { answersOf, bareToolNode, envelopeOf, plainAgent, stateGraph } from '../fixtures/langgraph-runtimes';
import { errorOf, everything, holding, openSampleApp, outputOf } from '../fixtures/sample-app';

let app: App;
beforeAll(async () => {
  app = await openSampleApp();
});
afterAll(() => app.close());

const reader = holding('orders:read');

it('answers an order that exists', async () => {
  const order = outputOf(await app.toolkit.invoke(LookupOrderTool, { order_id: 'ORD-1234' }, reader));
  expect(order).toEqual({
    order_id: 'ORD-1234',
    customer_id: 'CUS-1038',
    status: 'shipped',
    placed_at: '2026-07-05T14:00:00.000Z',
    total_minor: 8_546,
    refunded_minor: 0,
    currency: 'EUR',
    shipping: { carrier: 'Northpost', tracking_number: 'RR100000234DE' },
  });
});

it('names the field of a bad reference and does not repeat it', async () => {
  const error = errorOf(await app.toolkit.invoke('orders.lookup', { order_id: 'bad-id' }, reader));
  expect(error).toMatchObject({
    code: 'invalid_input',
    retryable: false,
    detail: { violations: [{ path: '/order_id', rule: 'matches' }] },
  });
  expect(JSON.stringify(error)).not.toContain('bad-id');
});

it.each([
  ['too short a reference', 'ORD-1', '/order_id'],
  ['too long a reference', `ORD-${'1'.repeat(17)}`, '/order_id'],
  ['a number', 1234, '/order_id'],
  ['null', null, '/order_id'],
])('refuses %s', async (_, order_id, path) => {
  const error = errorOf(await app.toolkit.invoke('orders.lookup', { order_id }, reader));
  expect(error).toMatchObject({
    code: 'invalid_input',
    detail: { violations: expect.arrayContaining([expect.objectContaining({ path })]) },
  });
});

it('says that an order is missing, for good', async () => {
  const error = errorOf(await app.toolkit.invoke('orders.lookup', { order_id: 'ORD-9999' }, reader));
  expect(error).toMatchObject({ code: 'order_not_found', retryable: false });
});

it.each([
  ['nobody', {}],
  ['somebody with other scopes', holding('orders:write', 'customers:read')],
])('refuses %s before looking at the arguments', async (_, options) => {
  const error = errorOf(await app.toolkit.invoke('orders.lookup', { order_id: 'bad-id' }, options));
  expect(error).toMatchObject({ code: 'insufficient_scope', detail: { missing: ['orders:read'] } });
});

describe.each([bareToolNode, stateGraph, plainAgent])('through $name', (runtime) => {
  it.each([
    ['the order', { order_id: 'ORD-1234' }, reader, 'success'],
    ['invalid_input', { order_id: 'bad-id' }, reader, 'error'],
    ['order_not_found', { order_id: 'ORD-9999' }, reader, 'error'],
    ['insufficient_scope', { order_id: 'ORD-1234' }, holding(), 'error'],
  ] as const)('gives %s as a message', async (_, args, context, status) => {
    const calls = [{ id: 'call-1', name: 'orders_lookup', args }];
    // In conversations of their own, since repetitions would be refused.
    const config = { context, configurable: { thread_id: `in ${runtime.name}` } };
    const [message] = await answersOf(runtime, toLangChainTools(app.toolkit), calls, config);
    const apart = { ...context, conversationId: `beside ${runtime.name}` };
    const expected = toWire(await app.toolkit.invoke('orders.lookup', args, apart));
    expect(message?.status).toBe(status);
    expect(message?.tool_call_id).toBe('call-1');
    expect(envelopeOf(message)).toEqual(expected);
    expect(message?.artifact).toEqual(expected);
  });
});

it('describes itself with its owner, its scope and no side effect', () => {
  const definition = app.toolkit.describe(LookupOrderTool);
  expect(definition).toMatchObject({
    name: 'orders_lookup',
    annotations: { readOnlyHint: true, destructiveHint: false },
    _meta: { key: 'orders.lookup@1.0.0', owner: 'OrderPlatformTeam', scopes: ['orders:read'] },
  });
  expect(definition.inputSchema).toMatchObject({
    properties: {
      order_id: { type: 'string', minLength: 6, maxLength: 20, pattern: '^ORD-[0-9]{4,8}$' },
    },
    required: ['order_id'],
    additionalProperties: false,
  });
});

it('is found by its key, with its handler', async () => {
  const spec = app.toolkit.registry.get('orders.lookup@1.0.0');
  expect(typeof spec?.handler).toBe('function');
  expect(app.toolkit.registry.resolve('orders.lookup', '^1')).toBe(spec);
  expect(
    outputOf(await app.toolkit.invoke('orders.lookup@^1', { order_id: 'ORD-1000' }, everything)),
  ).toMatchObject({
    order_id: 'ORD-1000',
  });
});
