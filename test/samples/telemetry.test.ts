/**
 * The sample under an SDK that keeps what it is given, called through its graph and over MCP (TEL-02).
 * Invariant: whatever the mix of calls and doors, there is one span a call with the parent that its caller gave it and
 * the code that its caller was answered, and the counters add up to the calls.
 */

import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { isInterrupted, MemorySaver } from '@langchain/langgraph';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { context, metrics, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import fc from 'fast-check';
import { serveStdio } from 'toolcrib/mcp';
import { ATTRIBUTES, METRICS } from 'toolcrib/telemetry';
import { createOrderAgent } from '../../samples/agent';
import type { App } from '../../samples/app';
import { openHandler } from '../../samples/mcp/handler';
import { listen } from '../../samples/mcp/http';
import { principalsFromEnvironment } from '../../samples/principals';
import { answerOf } from '../../samples/transcript';
import { inMemorySdk, sum, tally } from '../fixtures/in-memory-sdk';
import { rpcRequest } from '../fixtures/mcp-rpc';
import { openSampleApp } from '../fixtures/sample-app';

beforeAll(() => context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
afterEach(() => {
  trace.disable();
  metrics.disable();
});
afterAll(() => context.disable());

/** What may be asked of the sample. */
const ASKED = {
  found: { name: 'orders_lookup', arguments: { order_id: 'ORD-1234' } },
  missing: { name: 'orders_lookup', arguments: { order_id: 'ORD-9999' } },
  malformed: { name: 'orders_lookup', arguments: { order_id: '1042' } },
  // The carrier is away at the first call of these, and not at the next.
  parcel: { name: 'shipments_status', arguments: { tracking_number: 'RR100000234DE' } },
  sum: { name: 'math_calculator', arguments: { operation: 'add', a: 1, b: 2 } },
  quotient: { name: 'math_calculator', arguments: { operation: 'divide', a: 1, b: 0 } },
  cancel: { name: 'orders_cancel', arguments: { order_id: 'ORD-1000' } },
  unheard: { name: 'my_password_is_hunter2', arguments: {} },
};

const PRINCIPALS = principalsFromEnvironment({});
const TOKENS = ['reader-token', 'manager-token', 'no-such-token'];
const LABELS = new Map([
  ['orders_lookup', 'orders.lookup'],
  ['shipments_status', 'shipments.status'],
  ['math_calculator', 'math.calculator'],
  ['orders_cancel', 'orders.cancel'],
]);

interface Asked {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}
/** Makes a call below a span of this trace and id, and gives the code that it is answered, `success` or `paused`. */
type Door = (asked: Asked, token: string, traceparent: string) => Promise<string>;

/** What a tool's answer in JSON says. */
function codeIn(text: string): string {
  const answer: unknown = JSON.parse(text);
  const error = typeof answer === 'object' && answer !== null && 'error' in answer ? answer.error : undefined;
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'success';
}

/** The sample's agent, whose model makes that call and then says no more. */
function openGraph({ toolkit }: App): Door {
  return async (asked, token, traceparent) => {
    const call = new AIMessage({
      content: '',
      tool_calls: [{ name: asked.name, args: asked.arguments, id: traceparent }],
    });
    const model = {
      bindTools: () => ({
        invoke: async (messages: readonly unknown[]) =>
          ToolMessage.isInstance(messages.at(-1)) ? new AIMessage('Done.') : call,
      }),
    };
    const agent = createOrderAgent(toolkit, model, { checkpointer: new MemorySaver() });
    const principal = PRINCIPALS.get(token);
    const config = {
      configurable: { thread_id: traceparent },
      ...(principal === undefined ? {} : { context: { principal } }),
    };
    const [, traceId = '', spanId = ''] = traceparent.split('-');
    const parent = trace.wrapSpanContext({ traceId, spanId, traceFlags: 1 });
    const answer = await context.with(trace.setSpan(context.active(), parent), () =>
      agent.invoke({ messages: [new HumanMessage('Go on.')] }, config),
    );
    if (isInterrupted(answer)) return 'paused';
    const said = answer.messages.find((message) => ToolMessage.isInstance(message));
    const result = said === undefined ? undefined : answerOf(said);
    return result?.isError === true ? result.error.code : 'success';
  };
}

/** What an answer over MCP says; a client is told of an unknown tool by an error of the protocol. */
function codeOf(answer: unknown): string {
  const said = Object(answer);
  if (said.code === -32602 || said.error?.code === -32602) return 'unknown_tool';
  const [block] = (said.result ?? said).content;
  return codeIn(block.text);
}

/** The sample's server of HTTP, called by the official client. */
async function openHttp({ toolkit }: App) {
  const handler = openHandler(toolkit, PRINCIPALS);
  const server = await listen(handler, 0);
  const clients = new Map<string, Client>();
  for (const token of TOKENS) {
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }));
    clients.set(token, client);
  }
  const door: Door = async (asked, token, traceparent) =>
    codeOf(
      await clients
        .get(token)
        ?.callTool({ ...asked, _meta: { traceparent } })
        .catch((error: unknown) => error),
    );
  const close = async () => {
    for (const client of clients.values()) await client.close();
    await handler.close();
    await server.close();
  };
  return { door, close };
}

/** A connection over stdio for each caller, and a request in a line. */
function openStdio({ toolkit }: App) {
  const waiting = new Map<unknown, (answer: unknown) => void>();
  const pipes = TOKENS.map((token) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const principal = PRINCIPALS.get(token);
    const server = serveStdio(toolkit, { input, output, ...(principal === undefined ? {} : { principal }) });
    createInterface(output).on('line', (line) => {
      const answer = Object(JSON.parse(line));
      waiting.get(answer.id)?.(answer);
    });
    return { token, input, server };
  });
  let last = 0;
  const door: Door = async (asked, token, traceparent) => {
    last += 1;
    const request = rpcRequest('tools/call', asked, { id: last, meta: { traceparent } });
    const answer = new Promise((resolve) => waiting.set(last, resolve));
    pipes.find((pipe) => pipe.token === token)?.input.write(`${await request.text()}\n`);
    return codeOf(await answer);
  };
  const close = async () => {
    for (const { input, server } of pipes) {
      input.end();
      await server.closed;
    }
  };
  return { door, close };
}

const traceIdOf = (nth: number) => (nth + 1).toString(16).padStart(32, '0');
const spanIdOf = (nth: number) => (nth + 1).toString(16).padStart(16, '0');
const isError = (code: string) => code !== 'success' && code !== 'paused';

it('TEL-02: has one span a call through every door, and counters that add up', async () => {
  const ends = new Set<string>();
  const call = fc
    .record({
      door: fc.constantFrom('graph', 'http', 'stdio'),
      asked: fc.constantFrom(...Object.values(ASKED)),
      token: fc.constantFrom(...TOKENS),
    })
    // LangGraph itself answers a name that no tool has.
    .filter(({ door, asked }) => door !== 'graph' || asked !== ASKED.unheard);
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 20, maxLength: 60 }), async (mix) => {
      const sdk = inMemorySdk();
      trace.disable();
      metrics.disable();
      trace.setGlobalTracerProvider(sdk.providers.tracerProvider);
      metrics.setGlobalMeterProvider(sdk.providers.meterProvider);
      const app = await openSampleApp(undefined, null);
      const [http, stdio] = [await openHttp(app), openStdio(app)];
      const doors = new Map([
        ['graph', openGraph(app)],
        ['http', http.door],
        ['stdio', stdio.door],
      ]);
      const seen = await Promise.all(
        mix.map(async ({ door, asked, token }, nth) => {
          const code = await doors.get(door)?.(asked, token, `00-${traceIdOf(nth)}-${spanIdOf(nth)}-01`);
          ends.add(`${door} ${code}`);
          return { nth, code: String(code), tool: LABELS.get(asked.name) ?? '_other' };
        }),
      );
      await http.close();
      await stdio.close();
      await app.close();

      expect(
        tally(
          sdk
            .spans()
            .map(({ name, parentSpanContext, attributes, status }) =>
              [
                name,
                parentSpanContext?.traceId,
                parentSpanContext?.spanId,
                attributes[ATTRIBUTES.errorType] ?? attributes[ATTRIBUTES.outcome],
                status.code === 2,
              ].join(' '),
            ),
        ),
      ).toEqual(
        tally(
          seen.map(({ nth, code, tool }) =>
            [`execute_tool ${tool}`, traceIdOf(nth), spanIdOf(nth), code, isError(code)].join(' '),
          ),
        ),
      );
      const points = await sdk.points();
      const counted = (points.get(METRICS.calls.name) ?? []).map(({ labels, value }) => [
        `${labels[ATTRIBUTES.tool]} ${labels[ATTRIBUTES.errorType] ?? labels[ATTRIBUTES.outcome]}`,
        value,
      ]);
      expect(Object.fromEntries(counted)).toEqual(tally(seen.map(({ tool, code }) => `${tool} ${code}`)));
      expect(sum(points.get(METRICS.duration.name))).toBe(
        seen.filter(({ code }) => code !== 'paused').length,
      );
    }),
    { seed: 8, numRuns: Number(process.env.TOOLCRIB_TELEMETRY_RUNS ?? 10) },
  );
  const anywhere = ['success', 'invalid_input', 'order_not_found', 'division_by_zero', 'insufficient_scope'];
  const overMcp = [...anywhere, 'approval_required', 'unknown_tool'];
  expect([...ends]).toEqual(
    expect.arrayContaining([
      ...[...anywhere, 'paused'].map((code) => `graph ${code}`),
      ...overMcp.flatMap((code) => [`http ${code}`, `stdio ${code}`]),
      expect.stringContaining('carrier_unavailable'),
    ]),
  );
}, 120_000);
