/**
 * What an interceptor may do with a call: answer it, change the answer, repeat it, leave notes, fail.
 * Invariant: whatever an interceptor does, the caller gets one well-formed result in JSON.
 */
import { type JsonValue, STAGES, type ToolCall, ToolError, type ToolResult } from 'toolcrib';
import { toolkitRunning } from '../fixtures/recorded-toolkit';

const ANSWER: ToolResult<JsonValue> = { success: true, result: 'answered' };

describe('an interceptor that answers itself', () => {
  it.each(STAGES.slice(0, STAGES.indexOf('execute') + 1))(
    'at %s keeps the handler from running',
    async (stage) => {
      const handler = jest.fn(() => 'done');
      const { run } = await toolkitRunning(handler, {
        interceptors: [{ stage, run: () => Promise.resolve(ANSWER) }],
      });
      expect(await run()).toEqual(ANSWER);
      expect(handler).not.toHaveBeenCalled();
    },
  );

  it('keeps later interceptors, also of its own stage, from running', async () => {
    const later = jest.fn((_call: ToolCall, next: () => Promise<ToolResult<JsonValue>>) => next());
    const { run } = await toolkitRunning(() => 'done', {
      interceptors: [
        { stage: 'limit', run: () => Promise.resolve(ANSWER) },
        { stage: 'limit', run: later },
        { stage: 'execute', run: later },
      ],
    });
    await run();
    expect(later).not.toHaveBeenCalled();
  });

  it('may answer a failure of the framework, with detail and retryAfterMs', async () => {
    const limited: ToolResult<JsonValue> = {
      success: false,
      error: {
        code: 'rate_limited',
        message: 'Slow down.',
        retryable: true,
        retryAfterMs: 500,
        detail: { left: 0 },
      },
    };
    const { run } = await toolkitRunning(() => 'done', {
      interceptors: [{ stage: 'limit', run: () => Promise.resolve(limited) }],
    });
    expect(await run()).toEqual(limited);
  });

  it('may replace the answer of the handler', async () => {
    const { run } = await toolkitRunning(() => 2, {
      interceptors: [
        {
          stage: 'execute',
          run: async (_call, next) => {
            const result = await next();
            return result.success ? { success: true, result: [result.result, 'seen'] } : result;
          },
        },
      ],
    });
    expect(await run()).toEqual({ success: true, result: [2, 'seen'] });
  });
});

describe('an interceptor that throws', () => {
  it.each(STAGES)('at %s costs the caller an internal error, logged', async (stage) => {
    const { run, log } = await toolkitRunning(() => 'done', {
      interceptors: [{ stage, run: () => Promise.reject(new RangeError('no')) }],
    });
    expect(await run()).toMatchObject({
      success: false,
      error: { code: 'internal_error', retryable: false },
    });
    expect(log).toHaveLength(1);
  });

  it.each([
    [
      'synchronously',
      () => {
        throw new RangeError('no');
      },
    ],
    [
      'after next',
      async (_call: ToolCall, next: () => Promise<ToolResult<JsonValue>>) => {
        await next();
        throw new RangeError('no');
      },
    ],
  ] as const)('%s is seen as a result by the interceptors around it', async (_case, run) => {
    const seen: ToolResult<JsonValue>[] = [];
    const toolkit = await toolkitRunning(() => 'done', {
      interceptors: [
        {
          stage: 'resolve',
          run: async (_call, next) => {
            const result = await next();
            seen.push(result);
            return result;
          },
        },
        { stage: 'claim', run },
      ],
    });
    const result = await toolkit.run();
    expect(result).toMatchObject({ success: false, error: { code: 'internal_error' } });
    expect(seen).toEqual([result]);
  });

  it('may throw a ToolError, which is answered as it stands', async () => {
    const { run } = await toolkitRunning(() => 'done', {
      interceptors: [
        {
          stage: 'approve',
          run: () =>
            Promise.reject(new ToolError({ code: 'not_today', message: 'Not today.', retryable: true })),
        },
      ],
    });
    expect(await run()).toEqual({
      success: false,
      error: { code: 'not_today', message: 'Not today.', retryable: true },
    });
  });
});

describe('notes', () => {
  it('are shared by the interceptors of a call, in and after next, and are new for each call', async () => {
    const seen: unknown[] = [];
    const { run } = await toolkitRunning(() => 'done', {
      interceptors: [
        {
          stage: 'resolve',
          run: async (call, next) => {
            seen.push(call.notes.get('mark'));
            const result = await next();
            seen.push(call.notes.get('mark'));
            return result;
          },
        },
        {
          stage: 'execute',
          run: (call, next) => {
            call.notes.set('mark', 1);
            return next();
          },
        },
      ],
    });
    await run();
    await run();
    expect(seen).toEqual([undefined, 1, undefined, 1]);
  });
});
