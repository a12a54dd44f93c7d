/**
 * The observer that makes spans and metrics of calls.
 * Invariant: it is built on `@opentelemetry/api` alone; where no SDK is installed it watches nothing.
 */
import type { MeterProvider, TracerProvider } from '@opentelemetry/api';
import type { BreakerChange, CallRecord, CallWatch, ObservedCall, Observer } from '../contract/observer';
import type { ToolSpec } from '../contract/tool';
import { refuseUnknownKeys } from '../discovery/check-options';
import { read } from '../invocation/mapping/read';
import { type CallMetrics, metricsOf } from './call-metrics';
import { CallSpan } from './call-span';
import { InstalledMeter, InstalledTracer } from './installed';

/** What {@link telemetry} takes. */
export interface TelemetryOptions {
  /** Left out: the global one, also where it is registered later. */
  readonly tracerProvider?: TracerProvider;
  /** Left out: the global one, also where it is registered later. */
  readonly meterProvider?: MeterProvider;
  /** Whether spans hold the accepted arguments as JSON, secrets masked, cut at 4,096 characters; left out: false. */
  readonly recordArguments?: boolean;
  /** Whether spans hold the results, in the same way; left out: false. */
  readonly recordResults?: boolean;
}

const OPTIONS: readonly (keyof TelemetryOptions)[] = [
  'tracerProvider',
  'meterProvider',
  'recordArguments',
  'recordResults',
];

/** What a provider of each kind has, and who makes one. */
const PROVIDERS = {
  tracerProvider: ['getTracer', 'new BasicTracerProvider() of @opentelemetry/sdk-trace-base'],
  meterProvider: ['getMeter', 'prometheusMetrics().meterProvider'],
} as const;

function checkProvider(options: TelemetryOptions, option: keyof typeof PROVIDERS): void {
  const given: unknown = options[option];
  if (given === undefined) return;
  const [method, example] = PROVIDERS[option];
  if (typeof given === 'object' && given !== null && typeof read(given, method) === 'function') return;
  throw new TypeError(
    `telemetry: ${option} has no ${method}; give for instance ${example}, or leave it out.`,
  );
}

function checkOptions(options: TelemetryOptions): void {
  const all: unknown = options;
  if (typeof all !== 'object' || all === null || Array.isArray(all)) {
    throw new TypeError(
      'telemetry: what was given is no object of options; write telemetry({ … }) or telemetry().',
    );
  }
  refuseUnknownKeys('telemetry', all, OPTIONS);
  checkProvider(options, 'tracerProvider');
  checkProvider(options, 'meterProvider');
  for (const option of ['recordArguments', 'recordResults'] as const) {
    const given: unknown = options[option];
    if (given === undefined || typeof given === 'boolean') continue;
    throw new TypeError(`telemetry: ${option} is ${String(given)}; give true or false, or leave it out.`);
  }
}

/** Watches one call. */
class Watch implements CallWatch {
  constructor(
    private readonly span: CallSpan | undefined,
    private readonly metrics: CallMetrics | undefined,
  ) {}

  get traceId(): string | undefined {
    return this.span?.traceId;
  }

  within(run: () => void): void {
    if (this.span === undefined) run();
    else this.span.within(run);
  }

  ended(record: CallRecord): void {
    this.metrics?.count(record);
    this.span?.end(record);
  }
}

/**
 * Makes the observer: one span and one count a call, for `createToolkit({ observers: [telemetry()] })`.
 *
 * @throws TypeError that names an option which is unknown or of the wrong type; a provider has `getTracer` or `getMeter`.
 */
export function telemetry(options: TelemetryOptions = {}): Observer {
  checkOptions(options);
  const recorded = {
    arguments: options.recordArguments ?? false,
    results: options.recordResults ?? false,
  };
  const breakers = new Map<string, boolean>();
  const tools: ToolSpec[] = [];
  const tracer = new InstalledTracer(options.tracerProvider);
  const meter = new InstalledMeter(options.meterProvider, (installed) => {
    const shared = metricsOf(installed);
    shared.tellOf(breakers);
    shared.expect(tools);
    return shared;
  });
  return {
    started(registered: readonly ToolSpec[]): void {
      tools.push(...registered);
      meter.current?.expect(registered);
    },
    isWatching: () => tracer.current !== undefined || meter.current !== undefined,
    began(call: ObservedCall): CallWatch | undefined {
      const [tracing, counting] = [tracer.current, meter.current];
      if (tracing === undefined && counting === undefined) return undefined;
      return new Watch(tracing && new CallSpan(tracing, call, recorded), counting);
    },
    breakerChanged({ breaker, state }: BreakerChange): void {
      breakers.set(breaker, state === 'open');
    },
  };
}
