/**
 * Measures what telemetry adds to a call.
 * Invariant: exports go into memory, in batches, as an exporter over the network would take them.
 */
import {
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { telemetry } from 'toolcrib/telemetry';
import { type Candidate, extra, race } from './harness';
import { type Handler, measured } from './measured-tool';
import type { Line } from './report';
import type { Shape } from './shapes';

const MOST_WITHOUT_SDK = 0.01;
const MOST_WITH_SDK = 0.3;

/** Takes each batch, and forgets it. */
const forgetting: SpanExporter = {
  export: (_spans, done) => done({ code: 0 }),
  shutdown: () => Promise.resolve(),
};

/** What is added by an observer that nothing listens to, and by one whose spans and metrics are exported. */
export async function observedCalls(
  { dto, name, good }: Shape,
  langchain: Candidate,
  handler: Handler,
): Promise<readonly Line[]> {
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(forgetting)] });
  const exporter = new InMemoryMetricExporter(1);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 1_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const candidates = {
    langchain,
    bare: await measured(dto, [], handler),
    idle: await measured(dto, [{ observers: [telemetry()] }], handler),
    exported: await measured(dto, [{ observers: [telemetry({ tracerProvider, meterProvider })] }], handler),
    logged: await measured(dto, [{ logCalls: true }], handler),
  };
  const rounds = await race(candidates, good);
  await Promise.all([tracerProvider.shutdown(), meterProvider.shutdown()]);
  const line = (what: string, took: readonly number[], target?: number): Line => ({
    what: `${name} added by ${what}`,
    ratio: extra(took, rounds.bare, rounds.langchain),
    ...(target === undefined ? {} : { target }),
  });
  return [
    line('telemetry without an SDK', rounds.idle, MOST_WITHOUT_SDK),
    line('telemetry with batch export', rounds.exported, MOST_WITH_SDK),
    line('a line a call to a silent logger', rounds.logged),
  ];
}
