/**
 * `toolcrib/telemetry`: spans and metrics of calls, by OpenTelemetry.
 * Invariant: only `@opentelemetry/api` is loaded; what exports them is the application's choice.
 */
export { LABEL_LIMITS } from './labels';
export { ATTRIBUTES, DURATION_BUCKETS, GEN_AI_CONVENTIONS, METRICS, type MetricName } from './names';
export { type TelemetryOptions, telemetry } from './telemetry';
