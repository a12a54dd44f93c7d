/**
 * Finds the tracer and the meter that an application has installed.
 * Invariant: where there is none nothing is made, and one that is registered later is found from then on.
 */
import {
  createNoopMeter,
  type Meter,
  type MeterProvider,
  metrics,
  type ProxyTracerProvider,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { SCOPE } from './names';

function isProxy(provider: TracerProvider): provider is ProxyTracerProvider {
  return 'getDelegate' in provider && 'getDelegateTracer' in provider;
}

/** The tracer of a provider that may be installed later. */
export class InstalledTracer {
  private found: TracerProvider | undefined;
  private proxy: ProxyTracerProvider | undefined;
  private provider: TracerProvider | undefined;
  private tracer: Tracer | undefined;

  /** @param given left out: the global provider. */
  constructor(private readonly given: TracerProvider | undefined) {}

  /** Undefined where no provider is installed. */
  get current(): Tracer | undefined {
    const found = this.given ?? trace.getTracerProvider();
    if (found !== this.found) {
      this.found = found;
      this.proxy = isProxy(found) ? found : undefined;
    }
    // The global provider stands for the one that is registered, if there is one.
    const provider = this.proxy?.getDelegate() ?? found;
    if (provider !== this.provider) {
      this.provider = provider;
      this.tracer = this.proxy === undefined ? found.getTracer(SCOPE) : this.proxy.getDelegateTracer(SCOPE);
    }
    return this.tracer;
  }
}

/** What is made of the meter of a provider that may be installed later. */
export class InstalledMeter<Instruments> {
  private provider: MeterProvider | undefined;
  private instruments: Instruments | undefined;

  /** @param given left out: the global provider. */
  constructor(
    private readonly given: MeterProvider | undefined,
    private readonly make: (meter: Meter) => Instruments,
  ) {}

  /** Undefined where no provider is installed. */
  get current(): Instruments | undefined {
    const provider = this.given ?? metrics.getMeterProvider();
    if (provider !== this.provider) {
      this.provider = provider;
      const meter = provider.getMeter(SCOPE);
      this.instruments = meter === createNoopMeter() ? undefined : this.make(meter);
    }
    return this.instruments;
  }
}
