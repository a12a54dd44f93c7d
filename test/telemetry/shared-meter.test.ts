/**
 * Metrics of several toolkits by one meter provider (TEL-02).
 * Invariant: each toolkit's calls and breakers are counted, whoever came last.
 */
import { METRICS, telemetry } from 'toolcrib/telemetry';
import { prometheusMetrics } from 'toolcrib/telemetry/prometheus';
import { inMemorySdk, sum } from '../fixtures/in-memory-sdk';
import { failing, limitedToolkit } from '../fixtures/limited-toolkit';
import { toolkitRunning } from '../fixtures/recorded-toolkit';

it('counts the calls of all that share it, in the order that they come', async () => {
  const { providers, points } = inMemorySdk();
  const made = () => toolkitRunning(() => 'done', { observers: [telemetry(providers)] });
  const [first, second] = [await made(), await made()];
  for (let call = 0; call < 10; call += 1) await first.run();
  for (let call = 0; call < 3; call += 1) await second.run();
  expect(sum((await points()).get(METRICS.calls.name))).toBe(13);
  await first.run({ id: 'x' });
  const found = await points();
  expect(sum(found.get(METRICS.calls.name))).toBe(14);
  expect(sum(found.get(METRICS.calls.name), { 'error.type': 'invalid_input' })).toBe(1);
  expect(sum(found.get(METRICS.duration.name))).toBe(14);
});

it('counts them for a scrape too', async () => {
  const { meterProvider, text } = prometheusMetrics();
  for (let toolkit = 0; toolkit < 2; toolkit += 1) {
    const { run } = await toolkitRunning(() => 'done', { observers: [telemetry({ meterProvider })] });
    await run();
  }
  expect(await text()).toMatch(/^toolcrib_calls_total\{.*\} 2$/m);
});

it('tells of the breakers of all, and of one name that it is open while any is', async () => {
  const { providers, points } = inMemorySdk();
  const { meterProvider } = providers;
  const [first, second] = [telemetry({ meterProvider }), telemetry({ meterProvider })];
  for (const observer of [first, second]) observer.started?.([]);
  first.breakerChanged?.({ breaker: 'orders', state: 'open' });
  first.breakerChanged?.({ breaker: 'shared', state: 'open' });
  second.breakerChanged?.({ breaker: 'stock', state: 'open' });
  second.breakerChanged?.({ breaker: 'shared', state: 'closed' });
  const states = async () =>
    ((await points()).get(METRICS.breakerOpen.name) ?? []).map(({ labels, value }) => [
      labels['toolcrib.breaker'],
      value,
    ]);
  expect(await states()).toEqual([
    ['orders', 1],
    ['shared', 1],
    ['stock', 1],
  ]);
  first.breakerChanged?.({ breaker: 'shared', state: 'closed' });
  expect(await states()).toContainEqual(['shared', 0]);
});

it('counts anew by another provider', async () => {
  const [old, next] = [inMemorySdk(), inMemorySdk()];
  for (const { providers } of [old, next, next]) {
    const { run } = await toolkitRunning(() => 'done', { observers: [telemetry(providers)] });
    await run();
  }
  expect(sum((await old.points()).get(METRICS.calls.name))).toBe(1);
  expect(sum((await next.points()).get(METRICS.calls.name))).toBe(2);
});

it('tells of no breaker that it is open once its toolkit is closed', async () => {
  const { providers, points } = inMemorySdk();
  const options = { observers: [telemetry(providers)], circuitBreaker: { failureThreshold: 1 } };
  const tools = { down: { run: () => failing('unavailable') }, well: { run: () => 'done' } };
  const { toolkit, call } = await limitedToolkit(tools, options);
  for (const tool of ['down', 'well']) await call(tool);
  const state = async () => ((await points()).get(METRICS.breakerOpen.name) ?? []).map(({ value }) => value);
  expect(await state()).toEqual([1]);
  await toolkit.close();
  expect(await state()).toEqual([0]);
});
