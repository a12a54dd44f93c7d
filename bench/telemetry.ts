/**
 * Measures what telemetry adds to a call.
 * Invariant: spans and metrics go to exporters in batches, and no span is dropped because its batch had no turn.
 */
import {
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { telemetry } from 'toolcrib/telemetry';
import { type Candidate, extra, median, race } from './harness';
import { type Handler, measured } from './measured-tool';
import type { Line } from './report';
import type { Shape } from './shapes';

const MOST_WITHOUT_SDK = 0.01;
const MOST_WITH_SDK = 0.3;
const RACES = 7;

const done = () => Promise.resolve();
/** Take each batch, and forget it. */
const forgetting: SpanExporter = { export: (_spans, end) => end({ code: 0 }), shutdown: done };
const forgettingMetrics: PushMetricExporter = {
  export: (_metrics, end) => end({ code: 0 }),
  forceFlush: done,
  shutdown: done,
};

/** After so many calls batches get their turn: what only awaits leaves them none. */
const TURN = 256;

function inTurns(candidate: Candidate): Candidate {
  let call = 0;
  return async (payload) => {
    call += 1;
    if (call % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    return candidate(payload);
  };
}

/** What is added by an observer that nothing listens to, and by one whose spans and metrics are exported. */
export async function observedCalls(
  { dto, name, good }: Shape,
  langchain: Candidate,
  handler: Handler,
): Promise<readonly Line[]> {
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(forgetting)] });
  const reader = new PeriodicExportingMetricReader({
    exporter: forgettingMetrics,
    exportIntervalMillis: 1_000,
  });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const bare = inTurns(await measured(dto, [], handler));
  const idle = inTurns(await measured(dto, [{ observers: [telemetry()] }], handler));
  const candidates = {
    langchain,
    bare,
    exported: inTurns(
      await measured(dto, [{ observers: [telemetry({ tracerProvider, meterProvider })] }], handler),
    ),
    logged: inTurns(await measured(dto, [{ logCalls: true }], handler)),
  };
  const rounds = await race(candidates, good);
  // So little that one race does not tell it from nothing.
  const races: number[] = [];
  for (let nth = 0; nth < RACES; nth += 1) {
    const alone = await race({ langchain, bare, idle }, good);
    races.push(extra(alone.idle, alone.bare, alone.langchain));
  }
  await Promise.all([tracerProvider.shutdown(), meterProvider.shutdown()]);
  const line = (what: string, took: readonly number[], target?: number): Line => ({
    what: `${name} added by ${what}`,
    ratio: extra(took, rounds.bare, rounds.langchain),
    ...(target === undefined ? {} : { target }),
  });
  return [
    { what: `${name} added by telemetry without an SDK`, ratio: median(races), target: MOST_WITHOUT_SDK },
    line('telemetry with batch export', rounds.exported, MOST_WITH_SDK),
    line('a line a call to a silent logger', rounds.logged),
  ];
}
