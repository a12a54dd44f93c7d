/**
 * The metrics of calls as Prometheus scrapes them.
 * Invariant: the text holds every declared metric that has counted something, under its own name.
 */
import { createMcpHandler } from 'toolcrib/mcp';
import { METRICS, telemetry } from 'toolcrib/telemetry';
import { prometheusMetrics } from 'toolcrib/telemetry/prometheus';
import { toolkitRunning } from '../fixtures/recorded-toolkit';

async function scraped() {
  const metrics = prometheusMetrics();
  const { run } = await toolkitRunning(() => 'done', {
    observers: [telemetry({ meterProvider: metrics.meterProvider })],
  });
  await run();
  await run({ id: 'x' });
  return metrics;
}

it('the text counts calls, and has the buckets of their durations', async () => {
  const text = await (await scraped()).text();
  expect(text).toMatch(/^toolcrib_calls_total\{.*toolcrib_outcome="success".*\} 1$/m);
  expect(text).toMatch(/^toolcrib_calls_total\{.*error_type="invalid_input".*\} 1$/m);
  expect(text).toMatch(/^toolcrib_invalid_input_total\{.*toolcrib_path="\/id",toolcrib_rule="isInt".*\} 1$/m);
  expect(text).toMatch(/^gen_ai_execute_tool_duration_bucket\{.*le="0.005".*\} \d+$/m);
});

it('the text says since when calls are counted, once for all toolkits', async () => {
  const before = Date.now() / 1_000;
  const { meterProvider, text } = await scraped();
  await toolkitRunning(() => 'done', { observers: [telemetry({ meterProvider })] });
  const found = [...(await text()).matchAll(/^toolcrib_start_time_seconds\{.*\} (\S+)$/gm)];
  expect(found).toHaveLength(1);
  const since = Number(found[0]?.[1]);
  expect(since).toBeGreaterThanOrEqual(before);
  expect(since).toBeLessThanOrEqual(Date.now() / 1_000);
});

it('a route answers scrapes, and nothing else', async () => {
  const { route, text } = await scraped();
  const got = await route(new Request('http://localhost/metrics'));
  expect(got.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await got.text()).toBe(await text());
  const head = await route(new Request('http://localhost/metrics', { method: 'HEAD' }));
  expect([head.status, await head.text()]).toEqual([200, '']);
  const post = await route(new Request('http://localhost/metrics', { method: 'POST' }));
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

it('the route is one of an MCP server', async () => {
  const metrics = prometheusMetrics();
  const observers = [telemetry({ meterProvider: metrics.meterProvider })];
  const { toolkit, run } = await toolkitRunning(() => 'done', { observers });
  const server = createMcpHandler(toolkit, {
    routes: { '/metrics': metrics.route },
    principal: () => undefined,
  });
  await run();
  const response = await server.fetch(new Request('http://localhost/metrics'));
  expect(await response.text()).toMatch(/^toolcrib_calls_total\{.*\} 1$/m);
  await server.close();
});

it('names end as Prometheus wants them, and no two metrics share one', () => {
  const names = Object.values(METRICS).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^(gen_ai\.execute_tool|toolcrib)\.[a-z_]+$/.test(name))).toEqual([]);
});

it('a gauge has one name, whether or not an exporter adds its unit', () => {
  const suffixes: Readonly<Record<string, string>> = { s: '_seconds', '1': '_ratio' };
  const gauges = Object.values(METRICS).filter(({ kind }) => kind === 'gauge');
  expect(gauges.length).toBeGreaterThan(0);
  expect(gauges.filter(({ name, unit }) => !name.endsWith(suffixes[unit] ?? ''))).toEqual([]);
});
