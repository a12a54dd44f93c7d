/**
 * The claim that holds for every value there is: whatever a handler throws or answers, and whatever an
 * interceptor answers, the call settles with a well-formed result that JSON carries without loss.
 * Invariant: the seed is fixed, so a failure here is the same failure tomorrow.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type Interceptor, type JsonValue, ToolError, type ToolResult, toWire } from 'toolcrib';
import { anyValue } from '../fixtures/any-value';
import { type RecordedToolkit, toolkitRunning } from '../fixtures/recorded-toolkit';

const runs = { seed: 2026, numRuns: 400 };

let behave: () => unknown = () => undefined;
let answer: { readonly value: unknown } | undefined;
let recorded: RecordedToolkit;

/** An interceptor that answers whatever it is told to, which its types would not let it. */
function isInterceptor(value: unknown): value is Interceptor {
  return typeof value === 'object' && value !== null && 'run' in value && typeof value.run === 'function';
}

beforeAll(async () => {
  const interceptor: unknown = {
    stage: 'claim',
    run: (_call: unknown, next: () => unknown) => (answer === undefined ? next() : answer.value),
  };
  if (!isInterceptor(interceptor)) throw new TypeError('that is no interceptor');
  recorded = await toolkitRunning(() => behave(), {
    interceptors: [interceptor],
    timeoutMs: 1_000,
    retry: false,
  });
});

afterEach(() => {
  answer = undefined;
});

/** Holds a result to its form: its members, their types, and that JSON carries it without loss. */
function expectWellFormed(result: ToolResult<JsonValue>): void {
  const wire = toWire(result);
  expect(isDeepStrictEqual(JSON.parse(JSON.stringify(wire)), wire)).toBe(true);
  if (result.success) {
    expect(Object.keys(result).sort()).toEqual(['result', 'success']);
    return;
  }
  expect(Object.keys(result).sort()).toEqual(['error', 'success']);
  const { detail: _detail, retryAfterMs = 0, ...rest } = result.error;
  expect(rest).toEqual({
    code: expect.any(String),
    message: expect.any(String),
    retryable: expect.any(Boolean),
  });
  expect(retryAfterMs).toBeGreaterThanOrEqual(0);
}

async function run(behaviour: () => unknown): Promise<ToolResult<JsonValue>> {
  behave = behaviour;
  const result = await recorded.run();
  expectWellFormed(result);
  return result;
}

/** What JSON.stringify makes of a value; undefined where it makes nothing of it. */
function throughJson(value: unknown): unknown {
  const text: unknown = JSON.stringify(value);
  return typeof text === 'string' ? JSON.parse(text) : null;
}

it('ENV-01: holds for anything thrown', async () => {
  await fc.assert(
    fc.asyncProperty(anyValue, async (thrown) => {
      const result = await run(() => {
        throw thrown;
      });
      expect(result).toMatchObject({ success: false, error: { code: 'internal_error', retryable: false } });
    }),
    runs,
  );
});

it('ENV-02: holds for anything that a promise rejects with', async () => {
  await fc.assert(
    fc.asyncProperty(anyValue, async (thrown) => {
      expect(await run(() => Promise.reject(thrown))).toMatchObject({
        success: false,
        error: { code: 'internal_error' },
      });
    }),
    runs,
  );
});

it('holds for an error with anything for name, message, stack and cause', async () => {
  const members = fc.record({ name: anyValue, message: anyValue, stack: anyValue, cause: anyValue });
  await fc.assert(
    fc.asyncProperty(members, async (hostile) => {
      const thrown = Object.assign(new Error('no'), hostile);
      expect(await run(() => Promise.reject(thrown))).toMatchObject({ error: { code: 'internal_error' } });
    }),
    runs,
  );
});

it('holds for a ToolError with any text, flags, detail and delay', async () => {
  const options = fc.record(
    {
      code: fc.stringMatching(/^[a-z]{1,3}_[a-z0-9]{1,3}$/),
      message: fc.string({ minLength: 1 }),
      retryable: fc.boolean(),
      detail: fc.jsonValue(),
      // JSON has no negative zero.
      retryAfterMs: fc.double().map((delay) => delay + 0),
    },
    { requiredKeys: ['code', 'message', 'retryable'] },
  );
  await fc.assert(
    fc.asyncProperty(options, async ({ detail, ...rest }) => {
      const given: JsonValue = JSON.parse(JSON.stringify(detail ?? null));
      const result = await run(() => Promise.reject(new ToolError({ ...rest, detail: given })));
      expect(result).toMatchObject({ success: false, error: { code: rest.code, retryable: rest.retryable } });
    }),
    runs,
  );
});

it('ENV-07, ENV-08, ENV-10, ENV-12: holds for anything answered, and a success is what JSON.stringify writes', async () => {
  await fc.assert(
    fc.asyncProperty(anyValue, fc.boolean(), async (output, later) => {
      const result = await run(() => (later ? Promise.resolve(output) : output));
      if (result.success) {
        expect(isDeepStrictEqual(result.result, throughJson(output))).toBe(true);
      } else {
        expect(result).toMatchObject({ error: { code: 'invalid_output', retryable: false } });
      }
    }),
    runs,
  );
});

it('ENV-10: answers any JSON with that very JSON', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), async (text) => {
      const value: unknown = JSON.parse(text);
      const result = await run(() => value);
      expect(result.success && isDeepStrictEqual(result.result, JSON.parse(text))).toBe(true);
    }),
    runs,
  );
});

it('holds for anything that an interceptor answers, results with anything inside included', async () => {
  const error = fc.record({
    code: fc.oneof(fc.constant('closed'), anyValue),
    message: fc.oneof(fc.constant('Closed.'), anyValue),
    retryable: fc.oneof(fc.boolean(), anyValue),
    detail: anyValue,
  });
  const answers = fc.oneof(
    anyValue,
    fc.record({ success: fc.constant(true), result: anyValue }),
    fc.record({ success: fc.constant(false), error }),
  );
  await fc.assert(
    fc.asyncProperty(answers, async (value) => {
      answer = { value };
      await run(() => 'done');
    }),
    runs,
  );
});
