/**
 * The order of stages, and what a call shows at each of them.
 * Invariant: an interceptor of a stage runs before that stage and after all earlier ones, on every call.
 */
import { type Interceptor, STAGES, type Stage, type ToolCall } from 'toolcrib';
import { RunInput, toolkitRunning } from '../fixtures/recorded-toolkit';

/** One interceptor at each stage that tells what it saw before it went on. */
function watchers(see: (stage: Stage, call: ToolCall) => void): readonly Interceptor[] {
  return STAGES.map((stage) => ({
    stage,
    run: (call, next) => {
      see(stage, call);
      return next();
    },
  }));
}

/** Calls once and gives what a reader of the call read at each stage. */
async function readAtStages<T>(read: (call: ToolCall) => T): Promise<ReadonlyMap<Stage, T>> {
  const seen = new Map<Stage, T>();
  const interceptors = watchers((stage, call) => seen.set(stage, read(call)));
  const { run } = await toolkitRunning(() => 'done', { interceptors });
  await run({ id: 7 });
  return seen;
}

function before(stage: Stage): readonly Stage[] {
  return STAGES.slice(0, STAGES.indexOf(stage) + 1);
}

function after(stage: Stage): readonly Stage[] {
  return STAGES.slice(STAGES.indexOf(stage) + 1);
}

describe('the order of stages', () => {
  it.each(STAGES)('lets an interceptor at %s run once, and the result through unchanged', async (stage) => {
    const reached: Stage[] = [];
    const interceptors = watchers((at) => reached.push(at)).filter((one) => one.stage === stage);
    const { run } = await toolkitRunning(() => ({ done: true }), { interceptors });
    expect(await run()).toEqual({ success: true, result: { done: true } });
    expect(reached).toEqual([stage]);
  });

  it('goes through all stages in the order of STAGES, however the interceptors were listed', async () => {
    const reached: Stage[] = [];
    const interceptors = [...watchers((stage) => reached.push(stage))].reverse();
    const { run } = await toolkitRunning(() => 'done', { interceptors });
    expect(await run()).toEqual({ success: true, result: 'done' });
    expect(reached).toEqual(STAGES);
  });

  it('runs the handler after the interceptors at execute and before those at check_output', async () => {
    const reached: string[] = [];
    const interceptors = watchers((stage) => reached.push(stage));
    const { run } = await toolkitRunning(() => reached.push('handler'), { interceptors });
    await run();
    expect(reached.indexOf('handler')).toBe(reached.indexOf('execute') + 1);
    expect(reached.indexOf('check_output')).toBe(reached.indexOf('handler') + 1);
  });

  it('makes the first interceptor of a stage the outermost', async () => {
    const steps: string[] = [];
    const nested = (name: string): Interceptor => ({
      stage: 'approve',
      run: async (_call, next) => {
        steps.push(`${name} in`);
        const result = await next();
        steps.push(`${name} out`);
        return result;
      },
    });
    const { run } = await toolkitRunning(() => steps.push('handler'), {
      interceptors: [nested('first'), nested('second')],
    });
    await run();
    expect(steps).toEqual(['first in', 'second in', 'handler', 'second out', 'first out']);
  });

  it.each([
    ['an unknown tool', 'resolve', 'test.other', {}],
    ['a caller without scopes', 'authorise', 'test.run', {}],
  ] as const)('stops %s at %s', async (_case, stage, reference, args) => {
    const reached: Stage[] = [];
    const interceptors = watchers((at) => reached.push(at));
    const { toolkit } = await toolkitRunning(() => 'done', { interceptors, toolScopes: ['test:run'] });
    expect(await toolkit.invoke(reference, args)).toMatchObject({ success: false });
    expect(reached).toEqual(before(stage));
  });

  it.each([
    ['invalid arguments', 'validate', { id: 'seven' }, (): unknown => 'done'],
    [
      'a handler that throws',
      'execute',
      {},
      (): never => {
        throw new Error('no');
      },
    ],
  ] as const)('stops %s at %s', async (_case, stage, args, handler) => {
    const reached: Stage[] = [];
    const { run } = await toolkitRunning(handler, { interceptors: watchers((at) => reached.push(at)) });
    expect(await run(args)).toMatchObject({ success: false });
    expect(reached).toEqual(before(stage));
  });
});

describe('what a call shows at each stage', () => {
  it('has the reference, the arguments as received and the context from the start', async () => {
    const args = { id: 7 };
    const seen = new Set<unknown>();
    const interceptors = watchers((_stage, call) => {
      seen.add(call.reference);
      seen.add(call.arguments);
      seen.add(call.context);
    });
    let context: unknown;
    const { run } = await toolkitRunning(
      (_input, given) => {
        context = given;
      },
      { interceptors },
    );
    await run(args);
    expect([...seen]).toEqual(['test.run', args, context]);
    expect([...seen]).toContain(args);
  });

  it('has the spec after resolve', async () => {
    const keys = await readAtStages((call) => call.spec?.key);
    for (const stage of before('resolve')) expect(keys.get(stage)).toBeUndefined();
    for (const stage of after('resolve')) expect(keys.get(stage)).toBe('test.run@1.0.0');
  });

  it('has the input and the argument hash after validate, and not before', async () => {
    const seen = await readAtStages((call) => ({ input: call.input, hash: call.argumentHash }));
    for (const stage of before('validate')) {
      expect(seen.get(stage)).toEqual({ input: undefined, hash: undefined });
    }
    for (const stage of after('validate')) {
      expect(seen.get(stage)?.input).toBeInstanceOf(RunInput);
      expect(seen.get(stage)).toEqual({ input: { id: 7 }, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    }
  });

  it('never has an input or an argument hash when the arguments were refused', async () => {
    let refused: ToolCall | undefined;
    const { run } = await toolkitRunning(() => 'done', {
      interceptors: watchers((_stage, call) => {
        refused = call;
      }),
    });
    expect(await run({ id: 'seven' })).toMatchObject({ success: false, error: { code: 'invalid_input' } });
    expect(refused).toMatchObject({ reference: 'test.run' });
    expect([refused?.input, refused?.argumentHash]).toEqual([undefined, undefined]);
  });
});
