/**
 * Pauses of a run: what an adapter recognises as one passes through the pipeline as it was thrown.
 * Invariant: a pause is the very object that was thrown, is not logged, and leaves nothing running.
 */
import { type Interceptor, type InvokeOptions, STAGES, ToolError } from 'toolcrib';
import { type RunHandler, toolkitRunning } from '../fixtures/recorded-toolkit';

class Interrupt {
  constructor(readonly question: string) {}
}

const pausing: InvokeOptions = { isPause: (error) => error instanceof Interrupt };

function throwing(thrown: unknown): () => never {
  return () => {
    throw thrown;
  };
}

const throughAll: readonly Interceptor[] = STAGES.map((stage) => ({
  stage,
  run: async (_call, next) => {
    const result = await next();
    return result.success ? { success: true, result: 'touched' } : result;
  },
}));

describe('a pause', () => {
  const pause = new Interrupt('Go on?');

  it.each<readonly [string, RunHandler]>([
    ['thrown', throwing(pause)],
    ['rejected', () => Promise.reject(pause)],
    ['rejected later', () => new Promise((_resolve, reject) => setImmediate(reject, pause))],
  ])('%s by a handler comes out untouched through interceptors at every stage', async (_case, handler) => {
    const { run, log } = await toolkitRunning(handler, { interceptors: throughAll });
    await expect(run({}, pausing)).rejects.toBe(pause);
    expect(log).toEqual([]);
  });

  it.each(STAGES)('thrown by an interceptor at %s comes out untouched', async (stage) => {
    const { run } = await toolkitRunning(() => 'done', {
      interceptors: [...throughAll, { stage, run: () => Promise.reject(pause) }],
    });
    await expect(run({}, pausing)).rejects.toBe(pause);
  });

  it.each([
    ['an answer', () => ({ success: true, result: 'Go on.' }) as const],
    ['an error', throwing(new Error('no'))],
  ])('is not swallowed by an interceptor that makes %s of it', async (_case, act) => {
    const run: Interceptor['run'] = (_call, next) => next().catch(act);
    for (const stage of STAGES.slice(0, -2)) {
      const { run: call } = await toolkitRunning(throwing(pause), { interceptors: [{ stage, run }] });
      await expect(call({}, pausing)).rejects.toBe(pause);
    }
  });

  it('may be anything, also undefined and a frozen error', async () => {
    for (const thrown of [undefined, 'wait', Object.freeze(new Error('wait'))]) {
      const { run } = await toolkitRunning(throwing(thrown));
      const outcome = await run({}, { isPause: (error) => error === thrown }).then(
        () => 'answered',
        (error: unknown) => ({ error }),
      );
      expect(outcome).toEqual({ error: thrown });
    }
  });

  it('may be a ToolError, if the adapter says so', async () => {
    const error = new ToolError({ code: 'wait_please', message: 'Wait.', retryable: true });
    const { run } = await toolkitRunning(throwing(error));
    await expect(run({}, { isPause: (thrown) => thrown === error })).rejects.toBe(error);
  });

  it('reaches interceptors as a rejection of next, and `call.isPause` tells it from a failure', async () => {
    const seen: unknown[] = [];
    const { run } = await toolkitRunning(throwing(pause), {
      interceptors: [
        {
          stage: 'claim',
          run: async (call, next) => {
            try {
              return await next();
            } catch (error) {
              seen.push(call.isPause(error), call.isPause(new Error('no')), error);
              throw error;
            }
          },
        },
      ],
    });
    await expect(run({}, pausing)).rejects.toBe(pause);
    expect(seen).toEqual([true, false, pause]);
    expect(seen[2]).toBe(pause);
  });

  it('leaves the toolkit as it was: the same call may go on', async () => {
    let answer: string | undefined;
    const { run, toolkit } = await toolkitRunning(() => answer ?? throwing(pause)());
    await expect(run({}, pausing)).rejects.toBe(pause);
    answer = 'yes';
    expect(await run({}, pausing)).toEqual({ success: true, result: 'yes' });
    await toolkit.close();
  });
});

describe('what is no pause', () => {
  it.each<readonly [string, InvokeOptions]>([
    ['without isPause', {}],
    ['where isPause says no', { isPause: () => false }],
    ['where isPause throws', { isPause: throwing(new Error('no')) }],
  ])('is answered as a failure: %s', async (_case, options) => {
    const { run } = await toolkitRunning(throwing(new Interrupt('Go on?')));
    expect(await run({}, options)).toMatchObject({ success: false, error: { code: 'internal_error' } });
  });

  it('is answered as a failure where isPause answers something truthy that is not true', async () => {
    const { run } = await toolkitRunning(throwing(new Interrupt('Go on?')));
    for (const isPause of [() => 'yes', async () => true, () => Promise.reject(new Error('no'))]) {
      const options: object = { isPause };
      expect(await run({}, options)).toMatchObject({ success: false, error: { code: 'internal_error' } });
    }
  });

  it('is a failure that is returned: isPause is asked only about what was thrown', async () => {
    const isPause = jest.fn(() => true);
    const { run } = await toolkitRunning(() => 'done');
    expect(await run({ id: 'seven' }, { isPause })).toMatchObject({ error: { code: 'invalid_input' } });
    expect(await run({}, { isPause, signal: AbortSignal.abort() })).toMatchObject({
      error: { code: 'cancelled' },
    });
    expect(isPause).not.toHaveBeenCalled();
  });

  it('is a deadline, even where the adapter takes everything for a pause', async () => {
    const { run } = await toolkitRunning(() => new Promise(() => {}), { tool: { timeoutMs: 1 } });
    expect(await run({}, { isPause: () => true })).toMatchObject({ error: { code: 'timeout' } });
  });
});
