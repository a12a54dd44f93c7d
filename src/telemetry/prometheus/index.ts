/**
 * `toolcrib/telemetry/prometheus`: the metrics of calls as Prometheus scrapes them.
 * Invariant: nothing listens on a port; the application serves the text, and decides who may read it.
 */
import type { MeterProvider as ApiMeterProvider } from '@opentelemetry/api';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';

/** Metrics that can be scraped. */
export interface PrometheusMetrics {
  /** For `telemetry({ meterProvider })`; meters of the application may be taken from it too. */
  readonly meterProvider: ApiMeterProvider;
  /** All metrics as they are now, in Prometheus's text format (version 0.0.4). */
  text(): Promise<string>;
  /** Answers a scrape: `GET` and `HEAD`; anything else gets 405. */
  route(request: Request): Promise<Response>;
}

const HEADERS = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' };

/**
 * Makes metrics that can be scraped, with a meter provider of their own.
 *
 * @throws TypeError where it is given options: it has none.
 */
export function prometheusMetrics(...none: readonly []): PrometheusMetrics {
  if (none.length > 0)
    throw new TypeError('prometheusMetrics takes no options: it opens no port, and names none.');
  // Its own server is never started: it is the reader of the metrics.
  const reader = new PrometheusExporter({ preventServerStart: true });
  const serializer = new PrometheusSerializer();
  const meterProvider = new MeterProvider({ readers: [reader] });
  const text = async (): Promise<string> => {
    const { resourceMetrics, errors } = await reader.collect();
    if (errors.length > 0) throw new AggregateError(errors, 'the metrics could not be collected');
    return serializer.serialize(resourceMetrics);
  };
  return {
    meterProvider,
    text,
    async route({ method }) {
      if (method === 'GET') return new Response(await text(), { headers: HEADERS });
      if (method === 'HEAD') return new Response(null, { headers: HEADERS });
      return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } });
    },
  };
}
