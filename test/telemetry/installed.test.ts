/**
 * What telemetry does where no SDK is installed, and where one is installed later.
 * Invariant: without one no span is made and no call is watched; from the moment one is registered every call is.
 */
import { metrics, trace } from '@opentelemetry/api';
import { METRICS, telemetry } from 'toolcrib/telemetry';
import { inMemorySdk, sum } from '../fixtures/in-memory-sdk';
import { toolkitRunning } from '../fixtures/recorded-toolkit';

afterEach(() => {
  trace.disable();
  metrics.disable();
});

const begun = {
  reference: 'test.run',
  tool: undefined,
  callId: 'call-1',
  principalId: undefined,
  conversationId: undefined,
  turnId: undefined,
  traceContext: undefined,
  startedAt: 0,
};

describe('without an SDK', () => {
  it('no call is watched, so that no span is made', () => {
    const start = jest.spyOn(trace, 'getTracer');
    expect(telemetry().began(begun)).toBeUndefined();
    expect(start).not.toHaveBeenCalled();
  });

  it('a provider that is registered after the start is seen, and so is its end', async () => {
    const sdk = inMemorySdk();
    const { run } = await toolkitRunning(() => 'done', { observers: [telemetry()] });
    await run();
    trace.setGlobalTracerProvider(sdk.providers.tracerProvider);
    await run();
    metrics.setGlobalMeterProvider(sdk.providers.meterProvider);
    await run();
    trace.disable();
    await run();
    expect(sdk.spans()).toHaveLength(2);
    expect(sum((await sdk.points()).get(METRICS.calls.name))).toBe(2);
  });

  it('a breaker that opened before is told once there are metrics', async () => {
    const observer = telemetry();
    observer.breakerChanged?.({ breaker: 'orders', state: 'open' });
    observer.breakerChanged?.({ breaker: 'stock', state: 'open' });
    observer.breakerChanged?.({ breaker: 'stock', state: 'closed' });
    const sdk = inMemorySdk();
    metrics.setGlobalMeterProvider(sdk.providers.meterProvider);
    observer.began(begun);
    expect((await sdk.points()).get(METRICS.breakerOpen.name)).toEqual([
      { labels: { 'toolcrib.breaker': 'orders' }, value: 1 },
      { labels: { 'toolcrib.breaker': 'stock' }, value: 0 },
    ]);
  });
});

describe('the options of telemetry', () => {
  it.each([{ recordArgument: true }, { recordArguments: 'yes' }, { recordResults: 1 }])(
    '%j are refused',
    (options) => {
      expect(() => telemetry(Object.assign({}, options as object))).toThrow(TypeError);
    },
  );
});
