/**
 * What observers are told of calls, and what they cannot do to them (TEL-02).
 * Invariant: every call has one beginning and one end, and its answer is the one that it has unwatched.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Type } from 'class-transformer';
import { IsArray, IsInt, IsObject, IsOptional, ValidateNested } from 'class-validator';
import fc from 'fast-check';
import { type CallRecord, type CallWatch, type InvokeOptions, type Observer, ToolError } from 'toolcrib';
import { failing, limitedToolkit } from '../fixtures/limited-toolkit';
import { type RecordedOptions, type RunHandler, toolkitRunning } from '../fixtures/recorded-toolkit';
import { watching } from '../fixtures/watching';

class Interrupt {}

const never: RunHandler = () => new Promise(() => {});
const aborted = AbortSignal.abort();

/** Ways for a call to end: the handler, the toolkit, the arguments, the call's options, and how it ends. */
const ENDS: readonly [string, RunHandler, RecordedOptions, unknown, InvokeOptions, Partial<CallRecord>][] = [
  ['success', () => 'done', {}, { id: 1 }, {}, { outcome: 'success', attempts: 1 }],
  ['invalid_input', () => 'done', {}, { id: 'x' }, {}, { outcome: 'failure', attempts: 0 }],
  ['insufficient_scope', () => 'done', { toolScopes: ['a:b'] }, {}, {}, { outcome: 'failure', attempts: 0 }],
  ['internal_error', () => Promise.reject(new Error('no')), {}, {}, {}, { outcome: 'failure', attempts: 1 }],
  ['timeout', never, { timeoutMs: 5 }, {}, {}, { outcome: 'failure', attempts: 1 }],
  ['cancelled', () => 'done', {}, {}, { signal: aborted }, { outcome: 'failure', attempts: 0 }],
  ['invalid_output', () => 1n, {}, {}, {}, { outcome: 'failure', attempts: 1 }],
  [
    'approval_required',
    () => 'done',
    { kind: 'destructive', approval: {} },
    {},
    {},
    { outcome: 'failure', approval: 'ask' },
  ],
  [
    'no_such_order',
    () => {
      throw new ToolError({ code: 'no_such_order', message: 'None.', retryable: false });
    },
    {},
    {},
    {},
    { outcome: 'failure', attempts: 1 },
  ],
];

describe('TEL-02: the end of a call', () => {
  it.each(ENDS)('%s is recorded once', async (end, handler, options, args, call, expected) => {
    const { observer, began, records } = watching();
    const { run } = await toolkitRunning(handler, { ...options, observers: [observer] });
    const result = await run(args, call);
    expect(result.success ? 'success' : result.error.code).toBe(end);
    expect(records).toMatchObject([{ ...expected, error: result.success ? undefined : result.error }]);
    expect(records[0]?.call).toBe(began[0]);
    expect(records[0]?.durationMs).toBeGreaterThanOrEqual(0);
    expect(began).toHaveLength(1);
  });

  it('by a pause is no failure, and the pause passes', async () => {
    const { observer, records } = watching();
    const pause = new Interrupt();
    const { run } = await toolkitRunning(() => Promise.reject(pause), { observers: [observer] });
    await expect(run({}, { isPause: (error) => error === pause })).rejects.toBe(pause);
    expect(records).toMatchObject([{ outcome: 'paused', error: undefined }]);
  });

  it('of an unknown tool, a closed toolkit and unreadable options is recorded', async () => {
    const { observer, began, records } = watching();
    const { toolkit, run } = await toolkitRunning(() => 'done', { observers: [observer] });
    await toolkit.invoke('no.such', {});
    const unreadable = Object.defineProperty({}, 'signal', {
      get: () => {
        throw new Error('no');
      },
    });
    await run({}, unreadable);
    await toolkit.close();
    await run({}, { callId: 'late' });
    expect(records.map(({ error }) => error?.code)).toEqual([
      'unknown_tool',
      'internal_error',
      'unavailable',
    ]);
    expect(began.map(({ tool }) => tool?.key)).toEqual([undefined, 'test.run@1.0.0', 'test.run@1.0.0']);
    expect(began[2]?.callId).toBe('late');
  });

  it('counts attempts of one call as one call', async () => {
    const { observer, records } = watching();
    const answers = [failing('unavailable', true), failing('unavailable', true), 'done'];
    const { call } = await limitedToolkit(
      { flaky: { run: () => answers.shift() } },
      { observers: [observer], retry: { maxAttempts: 3, baseDelayMs: 1, maxDelayMs: 1 } },
    );
    expect(await call('flaky')).toMatchObject({ success: true });
    expect(records).toMatchObject([{ outcome: 'success', attempts: 3 }]);
  });

  it('names the limit that has refused a call, and breakers that open', async () => {
    const { observer, records, breakers } = watching();
    const { call } = await limitedToolkit(
      { down: { run: () => failing('unavailable') }, much: { run: () => 'done' } },
      {
        observers: [observer],
        circuitBreaker: { failureThreshold: 1 },
        rateLimit: { tools: { much: { limit: 1, windowMs: 60_000 } } },
      },
    );
    for (const tool of ['down', 'down', 'much', 'much']) await call(tool);
    expect(records.map(({ limiter }) => limiter)).toEqual([undefined, 'breaker', undefined, 'tool_rate']);
    expect(breakers).toEqual([{ breaker: 'down', state: 'open' }]);
  });

  it('tells a recorded answer from a new one', async () => {
    const { observer, records } = watching();
    const { run } = await toolkitRunning(() => 'done', { kind: 'write', observers: [observer] });
    await run({}, { callId: 'same' });
    await run({}, { callId: 'same' });
    expect(records.map(({ replayed, attempts }) => [replayed, attempts])).toEqual([
      [false, 1],
      [true, 0],
    ]);
  });

  it('gives arguments and results as copies without secrets', async () => {
    const { observer, records } = watching();
    const { run } = await toolkitRunning(() => ({ password: 'hunter2-hunter2', kept: 1 }), {
      observers: [observer],
    });
    const result = await run({ note: 'reach postgres://me:s3cr3t-0f-m1ne@db/x', id: 4 });
    expect(records[0]?.arguments()).toMatchObject({ id: 4 });
    expect(JSON.stringify([records[0]?.arguments(), records[0]?.result()])).not.toMatch(/s3cr3t|hunter2/);
    expect(result.success && result.result).toEqual({ password: 'hunter2-hunter2', kept: 1 });
    expect(result.success && records[0]?.result()).not.toBe(result.success && result.result);
  });
});

class Line {
  @IsInt() count!: number;
}

class OrderInput {
  @ValidateNested({ each: true })
  @Type(() => Line)
  @IsArray()
  lines!: Line[];

  @IsOptional()
  @IsObject()
  free?: object;
}

describe('a violation', () => {
  it('is told by declared fields and rules alone, whatever the caller writes', async () => {
    const { observer, records } = watching();
    const { run } = await toolkitRunning(() => 'done', {
      observers: [observer],
      tool: { input: OrderInput },
    });
    const pathsOf = async (args: unknown) => {
      await run(args);
      return records.at(-1)?.violations.map(({ path, rule }) => `${path} ${rule}`);
    };
    expect(await pathsOf({ lines: [{ count: 1 }, { count: 'x' }] })).toEqual(['/lines/*/count isInt']);
    expect(await pathsOf({ lines: [], 'my card is 4111': 1 })).toEqual([' whitelistValidation']);
    expect(await pathsOf({ lines: [{ count: 1, '/a~b': 2 }] })).toEqual(['/lines/* whitelistValidation']);
    const names = fc.oneof(fc.string(), fc.constantFrom('lines', 'free', 'count', '0', '*'));
    const declared = /^(\/lines(\/\*(\/count)?)?|\/free(\/\*){0,7})? /;
    await fc.assert(
      fc.asyncProperty(fc.object({ maxDepth: 3, key: names }), async (args) => {
        expect((await pathsOf(args))?.filter((one) => !declared.test(one))).toEqual([]);
      }),
      { seed: 8, numRuns: 300 },
    );
  });
});

const CHAOS: readonly [string, (watch: CallWatch, run: () => void) => void][] = [
  [
    'throws',
    () => {
      throw new Error('sink');
    },
  ],
  ['does not run the call', () => undefined],
  ['runs it twice', (_watch, run) => [run(), run()]],
  ['runs it late', (_watch, run) => setImmediate(run)],
  [
    'runs it, and throws',
    (_watch, run) => {
      run();
      throw new Error('sink');
    },
  ],
  [
    'promises what never settles',
    (_watch, run) => {
      run();
      return new Promise(() => {});
    },
  ],
  [
    'promises what rejects',
    (_watch, run) => {
      run();
      return Promise.reject(new Error('sink'));
    },
  ],
];

describe('an observer that', () => {
  it.each(CHAOS)('%s changes no answer', async (_what, act) => {
    const handler = jest.fn(() => ({ given: [1] }));
    const { observer, records } = watching();
    const began: Observer['began'] = () => {
      const watch: CallWatch = {
        within: (run) => act(watch, run),
        ended: () => act(watch, () => {}),
      };
      return watch;
    };
    const chaotic: Observer = { began };
    const { run } = await toolkitRunning(handler, { observers: [chaotic, observer, chaotic] });
    expect(await run()).toEqual({ success: true, result: { given: [1] } });
    expect(handler).toHaveBeenCalledTimes(1);
    expect(records).toHaveLength(1);
  });

  it('began badly changes no answer either', async () => {
    const bad: unknown[] = [
      () => {
        throw new Error('sink');
      },
      async () => {
        throw new Error('sink');
      },
      () => 5,
      () => null,
    ];
    const observers: unknown = bad.map((began) => ({ began }));
    const options = Object.assign({ observers: [] }, { observers });
    const { run, log } = await toolkitRunning(() => 'done', options);
    expect([await run(), await run()]).toEqual(Array(2).fill({ success: true, result: 'done' }));
    expect(log.map(({ level }) => level)).toEqual(['warn', 'warn']);
  });

  it('changes what it is told changes nothing', async () => {
    const vandal: Observer = {
      began: (call) => {
        expect(() => Object.assign(call, { tool: undefined })).toThrow(TypeError);
        return {
          ended: (record) => {
            expect(() => Object.assign(record.error ?? {}, { code: 'x' })).toThrow(TypeError);
            expect(() => Object.assign(record.error?.detail ?? {}, { x: 1 })).toThrow(TypeError);
          },
        };
      },
    };
    const { run, log } = await toolkitRunning(() => 'done', { observers: [vandal] });
    expect(await run({ id: 'x' })).toMatchObject({ error: { code: 'invalid_input' } });
    expect(log).toEqual([]);
  });
});

describe('the context of a call', () => {
  it('is that of its watches, the first being the outermost', async () => {
    const storage = new AsyncLocalStorage<string>();
    const inside = (name: string): Observer => ({
      began: () => ({ within: (run) => storage.run(`${storage.getStore() ?? ''}${name}`, run) }),
    });
    const { run } = await toolkitRunning(
      async () => {
        await undefined;
        return storage.getStore();
      },
      { observers: [inside('a'), inside('b')] },
    );
    expect(await run()).toEqual({ success: true, result: 'ab' });
  });

  it('names its trace in the record and in the log', async () => {
    const { observer, records } = watching();
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traceContext = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    const { run, log } = await toolkitRunning(() => Promise.reject(new Error('no')), {
      observers: [observer],
    });
    await run({}, { traceContext });
    await run({}, { traceContext: { traceparent: 'a secret' } });
    expect(records.map((record) => record.traceId)).toEqual([traceId, undefined]);
    expect(log[0]?.fields).toMatchObject({ traceId });
  });
});
