/**
 * What leads from a failed call to its cause: whose limit it was, and the log's entry of an exception.
 * Invariant: a limit of ours and a service that throttles are told apart, and no span holds a message.
 */
import { ATTRIBUTES, METRICS, telemetry } from 'toolcrib/telemetry';
import { inMemorySdk } from '../fixtures/in-memory-sdk';
import { failing, limitedToolkit } from '../fixtures/limited-toolkit';
import { toolkitRunning } from '../fixtures/recorded-toolkit';

it('a call that a service throttles names no limit, and one that ours refuses does', async () => {
  const sdk = inMemorySdk();
  const throttled = Object.assign(new Error('slow down'), { status: 429 });
  const { call } = await limitedToolkit(
    {
      throttled: { run: () => Promise.reject(throttled) },
      much: { run: () => 'done' },
      down: { run: () => failing('unavailable') },
    },
    {
      observers: [telemetry(sdk.providers)],
      retry: false,
      circuitBreaker: { failureThreshold: 1 },
      rateLimit: { tools: { much: { limit: 1, windowMs: 60_000 } } },
    },
  );
  for (const tool of ['throttled', 'much', 'much', 'down', 'down']) await call(tool);
  const failed = ((await sdk.points()).get(METRICS.calls.name) ?? [])
    .filter(({ labels }) => labels[ATTRIBUTES.errorType] !== undefined)
    .map(({ labels, value }) => [
      labels[ATTRIBUTES.tool],
      labels[ATTRIBUTES.errorType],
      labels[ATTRIBUTES.limiter],
      value,
    ])
    .sort();
  expect(failed).toEqual([
    ['down', 'unavailable', undefined, 1],
    ['down', 'unavailable', 'breaker', 1],
    ['much', 'rate_limited', 'tool_rate', 1],
    ['throttled', 'rate_limited', undefined, 1],
  ]);
});

it('the span of an exception that nobody has foreseen leads to the log by its reference, and has no message', async () => {
  const sdk = inMemorySdk();
  const { run, log } = await toolkitRunning(() => Promise.reject(new RangeError('of the message')), {
    observers: [telemetry(sdk.providers)],
    logCalls: true,
  });
  await run();
  const [{ attributes = {}, events = [] } = {}] = sdk.spans();
  expect(log).toHaveLength(2);
  for (const { fields } of log) expect(fields).toMatchObject({ reference: attributes[ATTRIBUTES.reference] });
  expect(events.map(({ name, attributes: said }) => [name, said])).toEqual([
    ['exception', { 'exception.type': 'RangeError' }],
  ]);
  expect(JSON.stringify([attributes, events])).not.toContain('of the message');
});
