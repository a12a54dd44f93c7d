/**
 * What telemetry is given by mistake.
 * Invariant: a slip is a TypeError at start that names it, and never one at a call or at a scrape.
 */
import { telemetry } from 'toolcrib/telemetry';
import { prometheusMetrics } from 'toolcrib/telemetry/prometheus';
import { toolkitRunning } from '../fixtures/recorded-toolkit';
import { makeUntyped } from '../fixtures/untyped-declarations';

const SLIPS: readonly (readonly [string, unknown])[] = [
  ['meterProvider', { meterProvider: prometheusMetrics() }],
  ['meterProvider', { meterProvider: null }],
  ['tracerProvider', { tracerProvider: {} }],
  ['tracerProvider', { tracerProvider: 'otlp' }],
  ['recordResults', { recordResults: 'yes' }],
  ['recordInputs', { recordInputs: true }],
  ['options', null],
  ['options', 'x'],
  ['options', []],
];

it.each(SLIPS)('telemetry names %s of %j', (named, given) => {
  const slip = () => makeUntyped(telemetry, given);
  expect(slip).toThrow(TypeError);
  expect(slip).toThrow(named);
});

it('telemetry takes no options, and a provider of the application', () => {
  expect(() => telemetry()).not.toThrow();
  expect(() => telemetry({ meterProvider: prometheusMetrics().meterProvider })).not.toThrow();
});

it('prometheusMetrics refuses options', () => {
  expect(() => makeUntyped(prometheusMetrics, { prot: 1 })).toThrow(TypeError);
});

it.each(['x', 7, null, { traceparent: 7 }])('the trace context %j is left out', async (traceContext) => {
  const { toolkit } = await toolkitRunning(() => 'done');
  const invoke = toolkit.invoke.bind(toolkit);
  expect(await makeUntyped(invoke, 'test.run', {}, { traceContext })).toEqual({
    success: true,
    result: 'done',
  });
});
