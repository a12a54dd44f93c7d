/**
 * What an interceptor that misbehaves costs: one that hangs, calls `next` again, or not when it should.
 * Invariant: the caller gets one result in time, the handler runs once at most, and nothing is left running.
 */
import { getEventListeners } from 'node:events';
import { Validate, ValidatorConstraint, type ValidatorConstraintInterface } from 'class-validator';
import { type Interceptor, type InvokeOptions, type SideEffectKind, STAGES } from 'toolcrib';
import { toolkitRunning } from '../fixtures/recorded-toolkit';

type Run = Interceptor['run'];

const forever = () => new Promise<never>(() => {});

/** An interceptor that hangs before the rest of the way. */
const before: Run = forever;
/** An interceptor that hangs after it. */
const after: Run = async (_call, next) => {
  await next();
  return forever();
};

const THEN = 'then';

/** A value that is no promise when it is first asked, and one that never settles when it is asked again. */
function lateThenable<T extends object>(value: T): T {
  let asked = 0;
  const get = () => {
    asked += 1;
    return asked < 2 ? undefined : () => {};
  };
  return Object.defineProperty(value, THEN, { get });
}

const EFFECTS: readonly (readonly [SideEffectKind, string])[] = [
  ['none', 'timeout'],
  ['write', 'outcome_unknown'],
  ['destructive', 'outcome_unknown'],
];

describe('an interceptor that never settles', () => {
  const ANY = ['resolve', 'execute', 'record'] as const;
  const EARLY = STAGES.slice(0, STAGES.indexOf('execute') + 1);

  it.each(EARLY)('at %s before the handler ends in a timeout, also of a tool that writes', async (stage) => {
    const handler = jest.fn();
    const options = { kind: 'write' as const, timeoutMs: 5, interceptors: [{ stage, run: before }] };
    const { run } = await toolkitRunning(handler, options);
    expect(await run()).toMatchObject({ success: false, error: { code: 'timeout', retryable: true } });
    expect(handler).not.toHaveBeenCalled();
  });

  it.each(ANY.flatMap((stage) => EFFECTS.map(([kind, code]) => [stage, kind, code] as const)))(
    'at %s after the handler of a tool with side effect %s ends in %s',
    async (stage, kind, code) => {
      const handler = jest.fn();
      const options = { kind, timeoutMs: 5, interceptors: [{ stage, run: after }] };
      const { run } = await toolkitRunning(handler, options);
      expect(await run()).toMatchObject({ success: false, error: { code } });
      expect(handler).toHaveBeenCalledTimes(1);
    },
  );

  it('is stopped by the caller too', async () => {
    const controller = new AbortController();
    const run: Run = () => {
      controller.abort();
      return forever();
    };
    const { run: invoke } = await toolkitRunning(() => 1, { interceptors: [{ stage: 'limit', run }] });
    expect(await invoke({}, { signal: controller.signal })).toMatchObject({ error: { code: 'cancelled' } });
  });

  it('lets those around it see the result, and end their work', async () => {
    const seen: unknown[] = [];
    const around: Run = async (_call, next) => {
      try {
        const result = await next();
        seen.push(result.success ? 'done' : result.error.code);
        return result;
      } finally {
        seen.push('released');
      }
    };
    const { run } = await toolkitRunning(() => 1, {
      timeoutMs: 5,
      interceptors: [
        { stage: 'limit', run: around },
        { stage: 'limit', run: before },
      ],
    });
    expect(await run()).toMatchObject({ error: { code: 'timeout' } });
    expect(seen).toEqual(['timeout', 'released']);
  });

  it('may still turn the end of the rest of the way into an answer of its own', async () => {
    const { run } = await toolkitRunning(forever, {
      tool: { timeoutMs: 5 },
      interceptors: [
        {
          stage: 'claim',
          run: async (_call, next) => {
            await next();
            await new Promise(setImmediate);
            return { success: true, result: 'from the cache' };
          },
        },
      ],
    });
    expect(await run()).toEqual({ success: true, result: 'from the cache' });
  });

  it('does not keep the toolkit from closing', async () => {
    const { run, toolkit } = await toolkitRunning(() => 1, {
      timeoutMs: 5,
      interceptors: [{ stage: 'limit', run: before }],
    });
    const answer = run();
    await toolkit.close();
    expect(await answer).toMatchObject({ error: { code: 'timeout' } });
  });
});

describe('an interceptor that calls next twice', () => {
  const twice: readonly (readonly [string, Run])[] = [
    [
      'one after the other',
      async (_call, next) => {
        await next();
        return next();
      },
    ],
    [
      'at once',
      async (_call, next) => {
        const [, second] = await Promise.all([next(), next()]);
        return second;
      },
    ],
  ];

  it.each(twice)('%s gets the first answer again, and the handler runs once', async (_case, run) => {
    let runs = 0;
    const handler = jest.fn(() => ++runs);
    const interceptors = STAGES.map((stage) => ({ stage, run }));
    const { run: invoke } = await toolkitRunning(handler, { kind: 'write', interceptors });
    expect(await invoke()).toEqual({ success: true, result: 1 });
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it.each(EFFECTS)('gets no second try after a deadline, with side effect %s: %s', async (kind, code) => {
    const handler = jest.fn(forever);
    const [[, run] = []] = twice;
    if (run === undefined) throw new TypeError('there is an interceptor');
    const interceptors = [{ stage: 'execute' as const, run }];
    const { run: invoke } = await toolkitRunning(handler, { kind, interceptors, tool: { timeoutMs: 1 } });
    expect(await invoke()).toMatchObject({ success: false, error: { code } });
    expect(handler).toHaveBeenCalledTimes(1);
  });
});

describe('an interceptor that does not wait', () => {
  it('cannot go on once it has answered', async () => {
    const handler = jest.fn();
    let goOn: () => Promise<unknown> = forever;
    const { run } = await toolkitRunning(handler, {
      interceptors: [
        {
          stage: 'limit',
          run: async (_call, next) => {
            goOn = next;
            return { success: true, result: 'sooner' };
          },
        },
      ],
    });
    expect(await run()).toEqual({ success: true, result: 'sooner' });
    expect(await goOn()).toMatchObject({ success: false, error: { code: 'internal_error' } });
    expect(handler).not.toHaveBeenCalled();
  });

  it.each<readonly [string, () => unknown, InvokeOptions]>([
    ['fails', () => Promise.reject(new Error('no')), {}],
    ['pauses', () => Promise.reject(new Error('ask')), { isPause: () => true }],
  ])('leaves nothing unhandled where the rest of the way %s', async (_case, handler, options) => {
    const { run } = await toolkitRunning(handler, {
      interceptors: [
        {
          stage: 'limit',
          run: async (_call, next) => {
            void next();
            return { success: true, result: 'sooner' };
          },
        },
      ],
    });
    expect(await run({}, options)).toEqual({ success: true, result: 'sooner' });
    // A rejection that nobody handles would be found in this turn, and fail the test.
    await new Promise(setImmediate);
  });

  it('has a handler that it left behind told to stop', async () => {
    const signals: AbortSignal[] = [];
    const { run } = await toolkitRunning(
      (_input, { signal }) => {
        signals.push(signal);
        return forever();
      },
      {
        interceptors: [
          {
            stage: 'limit',
            run: async (_call, next) => {
              void next();
              await new Promise(setImmediate);
              return { success: true, result: 'sooner' };
            },
          },
        ],
      },
    );
    await run();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

describe('what turns into a thenable late', () => {
  it('is an answer of an interceptor like any other', async () => {
    const answer = lateThenable({ success: true as const, result: 1 });
    const { run } = await toolkitRunning(() => 1, {
      interceptors: [{ stage: 'limit', run: async () => answer }],
    });
    expect(await run()).toEqual({ success: true, result: 1 });
  });

  it.each([
    ['at once', () => lateThenable({ a: 1 })],
    ['later', async () => lateThenable({ a: 1 })],
  ])('is an output like any other, %s', async (_case, handler) => {
    const { run } = await toolkitRunning(handler);
    expect(await run()).toEqual({ success: true, result: { a: 1 } });
  });
});

describe('a rule that never settles', () => {
  @ValidatorConstraint({ async: true })
  class Hanging implements ValidatorConstraintInterface {
    validate(): Promise<boolean> {
      return forever();
    }
  }
  class HangingDto {
    @Validate(Hanging)
    id!: number;
  }

  it('of an input is out of time, and of an output leaves the outcome of a write unknown', async () => {
    const options = { kind: 'write' as const, timeoutMs: 5 };
    const taking = await toolkitRunning(() => 1, { ...options, tool: { input: HangingDto } });
    expect(await taking.run({ id: 1 })).toMatchObject({ error: { code: 'timeout' } });
    const giving = await toolkitRunning(() => ({ id: 1 }), { ...options, tool: { output: HangingDto } });
    expect(await giving.run()).toMatchObject({ error: { code: 'outcome_unknown' } });
  });

  it('of an input obeys the signal of its caller, and its handler does not begin', async () => {
    const handler = jest.fn(() => 1);
    const { run } = await toolkitRunning(handler, { kind: 'write', tool: { input: HangingDto } });
    const controller = new AbortController();
    const answer = run({ id: 1 }, { signal: controller.signal });
    await new Promise(setImmediate);
    controller.abort();
    const cancelled = { code: 'cancelled', message: expect.not.stringContaining('took effect') };
    expect(await answer).toMatchObject({ success: false, error: cancelled });
    expect(await run({ id: 1 }, { timeoutMs: 5 })).toMatchObject({ error: { code: 'timeout' } });
    expect(handler).not.toHaveBeenCalled();
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });
});

it('many calls may share one signal, and none leaves a listener on it', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const { run } = await toolkitRunning(forever, { timeoutMs: 60_000 });
  const answers = Array.from({ length: 100 }, () => run({}, { signal }));
  await new Promise(setImmediate);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  controller.abort();
  for (const answer of await Promise.all(answers)) {
    expect(answer).toMatchObject({ error: { code: 'cancelled' } });
  }
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
