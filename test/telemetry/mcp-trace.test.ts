/**
 * The trace that a request over MCP carries in `_meta` (SEP-414).
 * Invariant: it is the parent of the call's span, and metrics count the call once.
 */
import { PassThrough } from 'node:stream';
import { createToolkit } from 'toolcrib';
import { createMcpHandler, serveStdio } from 'toolcrib/mcp';
import { METRICS, telemetry } from 'toolcrib/telemetry';
import { inMemorySdk, sum } from '../fixtures/in-memory-sdk';
import { silent } from '../fixtures/langgraph-tools';
import { Add, add, Secret } from '../fixtures/mcp-math';
import { rpc, rpcRequest } from '../fixtures/mcp-rpc';

it.each([false, true])('TEL-02: is the parent of the span (legacy: %s)', async (legacy) => {
  const sdk = inMemorySdk();
  const discover = { instances: [new Add()] };
  const toolkit = await createToolkit({ discover, logger: silent, observers: [telemetry(sdk.providers)] });
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const meta = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  const handler = createMcpHandler(toolkit, { principal: () => undefined });
  await rpc(handler, 'tools/call', add, { legacy, meta });
  expect(sdk.spans()).toMatchObject([
    { name: 'execute_tool math.add', parentSpanContext: { traceId, spanId: '00f067aa0ba902b7' } },
  ]);
  expect(sum((await sdk.points()).get(METRICS.calls.name))).toBe(1);
  await handler.close();
});

it.each([
  ['no tool has the name', 'no_such_tool', 'execute_tool _other', 'unknown_tool'],
  ['the tool is concealed', 'math_secret', 'execute_tool math.secret', 'insufficient_scope'],
])('TEL-02: is the parent where %s', async (_where, name, span, code) => {
  const sdk = inMemorySdk();
  const toolkit = await createToolkit({
    discover: { instances: [new Add(), new Secret()] },
    logger: silent,
    observers: [telemetry(sdk.providers)],
  });
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const meta = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  const handler = createMcpHandler(toolkit, { principal: () => undefined, concealTools: true });
  await rpc(handler, 'tools/call', { ...add, name }, { meta });
  await handler.close();
  expect(sdk.spans()).toMatchObject([
    { name: span, attributes: { 'error.type': code }, parentSpanContext: { traceId } },
  ]);
});

it.each([false, true])('TEL-02: is the parent over stdio (legacy: %s)', async (legacy) => {
  const sdk = inMemorySdk();
  const discover = { instances: [new Add()] };
  const toolkit = await createToolkit({ discover, logger: silent, observers: [telemetry(sdk.providers)] });
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const meta = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  const [input, output] = [new PassThrough(), new PassThrough()];
  const server = serveStdio(toolkit, { input, output });
  input.end(`${await rpcRequest('tools/call', add, { legacy, meta }).text()}\n`);
  await server.closed;
  expect(sdk.spans()).toMatchObject([
    { name: 'execute_tool math.add', parentSpanContext: { traceId, spanId: '00f067aa0ba902b7' } },
  ]);
  expect(sum((await sdk.points()).get(METRICS.calls.name))).toBe(1);
});
