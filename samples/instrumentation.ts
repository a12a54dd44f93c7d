/**
 * Sends the spans and metrics of a program to a collector over OTLP/HTTP, where OTEL_EXPORTER_OTLP_ENDPOINT names one.
 * Invariant: without that variable no SDK is loaded and nothing is sent; a collector that is away is complained of, and
 * delays the end of a program by END_MS at most.
 */
import { context, DiagConsoleLogger, DiagLogLevel, diag, metrics, trace } from '@opentelemetry/api';

/** The exporters read the others that begin with OTEL_EXPORTER_OTLP, and the resource OTEL_SERVICE_NAME. */
const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';
/** Somewhat longer than the exporters wait for an answer, in milliseconds. */
const END_MS = 12_000;

/**
 * Registers an SDK for this process.
 *
 * @returns what sends the rest and ends it; it never rejects.
 */
export async function startInstrumentation(
  env: NodeJS.ProcessEnv = process.env,
): Promise<() => Promise<void>> {
  if (!env[ENDPOINT]) return async () => {};
  const { AsyncLocalStorageContextManager } = await import('@opentelemetry/context-async-hooks');
  const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-http');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { defaultResource, detectResources, envDetector } = await import('@opentelemetry/resources');
  const { MeterProvider, PeriodicExportingMetricReader } = await import('@opentelemetry/sdk-metrics');
  const { BasicTracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace-base');

  // The console's errors go to stderr, which a client over stdio does not read as the protocol.
  diag.setLogger(new DiagConsoleLogger(), DiagLogLevel.ERROR);
  const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())];
  const readers = [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() })];
  const resource = defaultResource().merge(detectResources({ detectors: [envDetector] }));
  const tracerProvider = new BasicTracerProvider({ resource, spanProcessors });
  const meterProvider = new MeterProvider({ resource, readers });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(tracerProvider);
  metrics.setGlobalMeterProvider(meterProvider);
  return async () => {
    // A collector that answers without end would keep the process for as long.
    setTimeout(() => process.exit(), END_MS).unref();
    await Promise.allSettled([tracerProvider.shutdown(), meterProvider.shutdown()]);
  };
}
