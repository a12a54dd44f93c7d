/**
 * The programs of the sample, and what a collector receives of them over OTLP/HTTP (TEL-02).
 * Invariant: each runs in a process of its own, set up by the variable alone that names the collector; what it sends is
 * one span a call below the span of its caller, with the code that was answered, and counters that add up.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { METRICS } from 'toolcrib/telemetry';
import { SCOPES } from '../../samples/app';
import { compileSamples, sampleEnvironment } from '../fixtures/compiled-samples';
import type { Application } from '../fixtures/installed-package';
import { type OtlpReceiver, otlpReceiver } from '../fixtures/otlp-receiver';

jest.setTimeout(60_000);

let application: Application;
beforeAll(() => {
  application = compileSamples();
}, 120_000);
afterAll(() => application.remove());

let receiver: OtlpReceiver;
beforeEach(async () => {
  receiver = await otlpReceiver();
});
afterEach(() => receiver.close());

const environment = () => ({ ...sampleEnvironment(), OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, PORT: '0' });

function start(program: string) {
  const options = { cwd: application.folder, env: environment() };
  const child = spawn(process.execPath, [`samples/${program}.js`], options);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, complaints }));
  return { child, ended, printed: () => printed };
}

/** The spans of calls, in order: what was called, and how it ended. */
const calls = () => receiver.spans().filter(({ name }) => name.startsWith('execute_tool '));
const endOf = (attributes: ReadonlyMap<string, unknown>) =>
  attributes.get('error.type') ?? attributes.get('toolcrib.outcome');

function counted(metric: string): number {
  const points = receiver.points().filter((point) => point.metric === metric);
  return points.reduce((sum, { value }) => sum + value, 0);
}

it('TEL-02: the agent sends one span a call, below the turn of the run that made it', async () => {
  const { ended, printed } = start('agent');
  expect(await ended).toEqual({ code: 0, complaints: '' });
  const said = printed().split('\n');
  // A call that waits for a reviewer ends there, and is made again with what they decided.
  const answers = said.flatMap((line) => {
    const [, tool = '', code = 'success'] = /^tool {3}(\w+) (?:fails with (\w+)|answers)/.exec(line) ?? [];
    if (line.startsWith('review')) return [/orders\.\w+/.exec(line)?.[0].concat(' paused') ?? ''];
    return tool === '' ? [] : [`${tool.replace('_', '.')} ${code}`];
  });
  expect(answers).toHaveLength(15);
  expect(
    calls().map(({ attributes }) => `${attributes.get('gen_ai.tool.name')} ${endOf(attributes)}`),
  ).toEqual(answers);
  const turns = receiver.spans().filter(({ name }) => name === 'invoke_agent service-desk');
  for (const { traceId, parentSpanId } of calls()) {
    expect(turns.filter((turn) => turn.traceId === traceId && turn.spanId === parentSpanId)).toHaveLength(1);
  }
  expect(counted(METRICS.calls.name)).toBe(answers.length);
});

const CALLS = [
  { name: 'orders_lookup', arguments: { order_id: 'ORD-1234' }, end: 'success' },
  { name: 'orders_lookup', arguments: { order_id: 'ORD-9999' }, end: 'order_not_found' },
  { name: 'orders_lookup', arguments: { order_id: '1042' }, end: 'invalid_input' },
  { name: 'orders_refund', arguments: {}, end: 'insufficient_scope' },
  { name: 'shipments_status', arguments: { tracking_number: 'RR100000234DE' }, end: 'carrier_unavailable' },
  { name: 'shipments_status', arguments: { tracking_number: 'RR100000234DE' }, end: 'success' },
];
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanIdOf = (nth: number) => `00f067aa0ba902b${nth}`;

async function callAll(client: Client): Promise<void> {
  for (const [nth, { end, ...call }] of CALLS.entries()) {
    const answer = await client.callTool({
      ...call,
      _meta: { traceparent: `00-${traceId}-${spanIdOf(nth)}-01` },
    });
    expect(answer.isError === true).toBe(end !== 'success');
  }
}

function expectCallsReceived(): void {
  const received = calls().map((span) => [span.traceId, span.parentSpanId, endOf(span.attributes)]);
  expect(received).toEqual(CALLS.map(({ end }, nth) => [traceId, spanIdOf(nth), end]));
  expect(counted(METRICS.calls.name)).toBe(CALLS.length);
}

const ERAS: readonly [string, ClientOptions][] = [
  ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
  ['2025-11-25', {}],
];

it.each(ERAS)(
  'TEL-02: the server of MCP over HTTP sends them below the spans of a client of %s',
  async (_, options) => {
    const { child, ended, printed } = start('mcp/http');
    while (!printed().includes('\n')) await once(child.stdout, 'data');
    const [url = ''] = /http:\S+\/mcp/.exec(printed()) ?? [];
    const client = new Client({ name: 'test', version: '1.0.0' }, options);
    const requestInit = { headers: { authorization: 'Bearer reader-token' } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    await callAll(client);
    await client.close();
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 0, complaints: '' });
    expectCallsReceived();
  },
);

it.each(ERAS)(
  'TEL-02: the server of MCP over stdio sends them below the spans of a client of %s',
  async (_, options) => {
    const client = new Client({ name: 'test', version: '1.0.0' }, options);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ['samples/mcp/stdio.js'],
      cwd: application.folder,
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        SCOPES: SCOPES.filter((scope) => scope !== 'orders:refund').join(','),
      },
    });
    await client.connect(transport);
    await callAll(client);
    await client.close();
    expectCallsReceived();
  },
);

it('loads no SDK, and sends nothing, where no collector is named', async () => {
  const loaded = `
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
    const { run } = require('./samples/run');
    void run(async () => {}).then(() => {
      console.log(Object.keys(require.cache).filter((file) => /opentelemetry.(sdk|exporter)/.test(file)).length);
    });
  `;
  application.write('idle.js', loaded);
  expect(application.run('idle.js')).toBe('0\n');
});
