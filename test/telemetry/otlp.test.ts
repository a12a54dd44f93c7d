/**
 * What a collector receives of calls, over OTLP/HTTP (TEL-02).
 * Invariant: it is what the caller saw: one span a call with its `error.type`, and counters that add up.
 */
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { toLangChainTools } from 'toolcrib/langgraph';
import { METRICS, telemetry } from 'toolcrib/telemetry';
import { stateGraph } from '../fixtures/langgraph-runtimes';
import { mixedToolkit, Pause, WAYS } from '../fixtures/mixed-calls';
import { type OtlpReceiver, otlpReceiver } from '../fixtures/otlp-receiver';

let receiver: OtlpReceiver;
beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  receiver = await otlpReceiver();
});
afterAll(async () => {
  context.disable();
  await receiver.close();
});

it('TEL-02: is one span a call under the run that made it, and counters that add up', async () => {
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${receiver.url}/v1/traces` }))],
  });
  const meterProvider = new MeterProvider({
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter({ url: `${receiver.url}/v1/metrics` }),
        exportIntervalMillis: 2 ** 31 - 1,
      }),
    ],
  });
  const toolkit = await mixedToolkit([telemetry({ tracerProvider, meterProvider })]);
  const root = tracerProvider.getTracer('test').startSpan('a run');
  const expected: string[] = [];
  await context.with(trace.setSpan(context.active(), root), async () => {
    for (const [nth, way] of Object.keys(WAYS).entries()) {
      const { tool, args, options } = WAYS[way]?.(nth) ?? { tool: '', args: {} };
      const callId = options?.callId ?? way;
      const isPause = (error: unknown) => error instanceof Pause;
      const result = await toolkit
        .invoke(tool, args, { conversationId: 'one', callId, isPause, ...options })
        .catch(() => undefined);
      expected.push(`${callId} ${result === undefined || result.success ? undefined : result.error.code}`);
    }
    const calls = [
      { id: 'graph 1', name: 'mixed_read', args: { how: 'well' } },
      { id: 'graph 2', name: 'mixed_read', args: { how: 'no' } },
    ];
    await stateGraph.prepare(toLangChainTools(toolkit), calls).begin();
    expected.push('graph 1 undefined', 'graph 2 invalid_input');
  });
  root.end();
  await Promise.all([tracerProvider.shutdown(), meterProvider.shutdown()]);

  const spans = receiver.spans().filter(({ name }) => name.startsWith('execute_tool '));
  const received = spans.map(
    ({ attributes }) => `${attributes.get('gen_ai.tool.call.id')} ${attributes.get('error.type')}`,
  );
  expect(received.sort()).toEqual(expected.sort());
  const { spanId, traceId } = root.spanContext();
  expect(spans.every((span) => span.parentSpanId === spanId && span.traceId === traceId)).toBe(true);
  expect(spans.every((span) => (span.statusCode === 2) === span.attributes.has('error.type'))).toBe(true);
  const total = (metric: string) =>
    receiver
      .points()
      .filter((point) => point.metric === metric)
      .reduce((sum, { value }) => sum + value, 0);
  expect(total(METRICS.calls.name)).toBe(expected.length);
  expect(total(METRICS.duration.name)).toBe(expected.length - 1);
  expect(total(METRICS.exceptions.name)).toBe(
    expected.filter((one) => one.endsWith(' internal_error')).length,
  );
});
