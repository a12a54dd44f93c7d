/**
 * Lists the public names of the entries of telemetry, so that a change to them is seen.
 * Invariant: an entry exports exactly these, types included.
 */
import { namesOf } from './source-files';

describe('the public names', () => {
  it('of telemetry', () => {
    expect(namesOf('src/telemetry/index.ts')).toMatchInlineSnapshot(`
[
  "ATTRIBUTES",
  "DURATION_BUCKETS",
  "GEN_AI_CONVENTIONS",
  "LABEL_LIMITS",
  "METRICS",
  "MetricName",
  "TelemetryOptions",
  "telemetry",
]
`);
  });

  it('of telemetry/prometheus', () => {
    expect(namesOf('src/telemetry/prometheus/index.ts')).toMatchInlineSnapshot(`
[
  "PrometheusMetrics",
  "prometheusMetrics",
]
`);
  });
});
