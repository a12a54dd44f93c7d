/**
 * Denials, whatever an interceptor answers in their place (TEL-02).
 * Invariant: what is counted is the decision, and not the answer.
 */
import type { Interceptor, JsonValue, ToolResult } from 'toolcrib';
import { METRICS, telemetry } from 'toolcrib/telemetry';
import { inMemorySdk, sum } from '../fixtures/in-memory-sdk';
import { toolkitRunning } from '../fixtures/recorded-toolkit';

const success: ToolResult<JsonValue> = { success: true, result: 'nothing to see' };
const hidden: ToolResult<JsonValue> = {
  success: false,
  error: { code: 'not_found', message: 'There is none.', retryable: false },
};
const denial: ToolResult<JsonValue> = {
  success: false,
  error: { code: 'insufficient_scope', message: 'Not you.', retryable: false },
};

/** Answers in place of a failure. */
const answering = (answer: ToolResult<JsonValue>): Interceptor => ({
  stage: 'authorise',
  async run(_call, next) {
    const result = await next();
    return result.success ? result : answer;
  },
});

async function denialsOf(interceptors: readonly Interceptor[], scopes: readonly string[]) {
  const sdk = inMemorySdk();
  const { toolkit } = await toolkitRunning(() => 'done', {
    toolScopes: ['a:b'],
    interceptors,
    observers: [telemetry(sdk.providers)],
  });
  const result = await toolkit.invoke('test.run', {}, { principal: { id: 'mallory', scopes } });
  return { result, denials: sum((await sdk.points()).get(METRICS.denials.name)) };
}

it.each([
  ['a success', success],
  ['another failure', hidden],
])('one that an interceptor answers with %s is counted', async (_what, answer) => {
  expect(await denialsOf([answering(answer)], [])).toEqual({ result: answer, denials: 1 });
});

it('one is counted once, by the framework or by an interceptor', async () => {
  expect(await denialsOf([], [])).toMatchObject({ result: { success: false }, denials: 1 });
  const own: Interceptor = { stage: 'limit', run: () => Promise.resolve(denial) };
  expect(await denialsOf([own], ['a:b'])).toMatchObject({ result: denial, denials: 1 });
});

it('a caller who holds the scopes is not denied, whatever fails', async () => {
  const failing: Interceptor = { stage: 'execute', run: () => Promise.resolve(hidden) };
  expect(await denialsOf([failing], ['a:b'])).toEqual({ result: hidden, denials: 0 });
});
