/**
 * How many calls of a tool run at once, and who waits.
 * Invariant: whatever order calls come, end, and are cancelled in, no more run than may, and each is answered.
 */
import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import type { ToolContext, ToolResult } from 'toolcrib';
import { codeOf, limitedToolkit } from '../../fixtures/limited-toolkit';

/** A handler that a test ends, and the marks of the calls that have begun. */
function heldHandler() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    end: (callId: string) => ends.get(callId)?.(),
    run: ({ callId }: ToolContext) => {
      begun.push(callId);
      return new Promise<string>((resolve) => ends.set(callId, () => resolve(callId)));
    },
  };
}

const tick = () => jest.advanceTimersByTimeAsync(0);

describe('with a fake clock', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('calls wait for a place in the order in which they came, and newcomers do not overtake', async () => {
    const { begun, end, run } = heldHandler();
    const { call } = await limitedToolkit({ 'a.one': { run } }, { concurrency: { maxConcurrent: 1 } });
    for (const callId of ['1', '2', '3']) void call('a.one', { callId });
    await tick();
    expect(begun).toEqual(['1']);
    end('1');
    void call('a.one', { callId: '4' });
    await tick();
    expect(begun).toEqual(['1', '2']);
    end('2');
    await tick();
    end('3');
    await tick();
    expect(begun).toEqual(['1', '2', '3', '4']);
  });

  it('each tool has its own places, single tools may differ, and versions share', async () => {
    const { begun, run } = heldHandler();
    const { call } = await limitedToolkit(
      { 'a.one@1': { run }, 'a.one@2': { run, version: '2.0.0' }, 'a.two': { run }, 'a.three': { run } },
      { concurrency: { maxConcurrent: 1, tools: { 'a.two': { maxConcurrent: 2 }, 'a.three': false } } },
    );
    for (const name of ['a.one@1.0.0', 'a.one@2.0.0', 'a.two', 'a.two', 'a.two', 'a.three', 'a.three']) {
      void call(name, { callId: name });
    }
    await tick();
    expect(begun).toEqual(['a.one@1.0.0', 'a.two', 'a.two', 'a.three', 'a.three']);
  });

  it('a call that finds the queue full is refused, and told when to return', async () => {
    const { run } = heldHandler();
    const { call } = await limitedToolkit(
      { 'a.one': { run } },
      { concurrency: { maxConcurrent: 1, maxQueued: 1 } },
    );
    void call('a.one');
    void call('a.one');
    await tick();
    expect(await call('a.one')).toMatchObject({
      error: { code: 'unavailable', retryable: true, retryAfterMs: 1_000 },
    });
  });

  it('a queue may have no room at all', async () => {
    const { run, end } = heldHandler();
    const { call } = await limitedToolkit(
      { 'a.one': { run } },
      { concurrency: { maxConcurrent: 1, maxQueued: 0 } },
    );
    void call('a.one', { callId: '1' });
    await tick();
    expect(codeOf(await call('a.one'))).toBe('unavailable');
    end('1');
    await tick();
    void call('a.one', { callId: '2' });
    await tick();
    end('2');
  });

  it('a cancelled call leaves the queue at once, and frees its room', async () => {
    const { begun, end, run } = heldHandler();
    const { call } = await limitedToolkit(
      { 'a.one': { run, kind: 'write' } },
      { concurrency: { maxConcurrent: 1, maxQueued: 1 } },
    );
    void call('a.one', { callId: '1' });
    const controller = new AbortController();
    const waiting = call('a.one', { callId: '2', signal: controller.signal });
    await tick();
    controller.abort();
    expect(codeOf(await waiting)).toBe('cancelled');
    void call('a.one', { callId: '3' });
    end('1');
    await tick();
    expect(begun).toEqual(['1', '3']);
  });

  it('the deadline counts the waiting; a write that has not begun may be tried again', async () => {
    const { begun, run } = heldHandler();
    const { call } = await limitedToolkit(
      { 'a.one': { run, kind: 'write' } },
      { concurrency: { maxConcurrent: 1 } },
    );
    void call('a.one', { callId: '1' });
    const waiting = call('a.one', { callId: '2', timeoutMs: 50 });
    await jest.advanceTimersByTimeAsync(50);
    expect(await waiting).toMatchObject({ error: { code: 'timeout', retryable: true } });
    expect(begun).toEqual(['1']);
  });

  it('a handler that outlives its call keeps its place until it settles', async () => {
    const { begun, end, run } = heldHandler();
    const { call } = await limitedToolkit(
      { 'a.one': { run, timeoutMs: 50 } },
      { concurrency: { maxConcurrent: 1 } },
    );
    const first = call('a.one', { callId: '1' });
    await jest.advanceTimersByTimeAsync(50);
    expect(codeOf(await first)).toBe('timeout');
    void call('a.one', { callId: '2' });
    await tick();
    expect(begun).toEqual(['1']);
    end('1');
    await tick();
    expect(begun).toEqual(['1', '2']);
  });

  it('a handler that never settles loses its place a minute after its call, once, and leaves no timer', async () => {
    const { begun, end, run } = heldHandler();
    const { call } = await limitedToolkit(
      { 'a.one': { run, timeoutMs: 50 } },
      { concurrency: { maxConcurrent: 1 }, circuitBreaker: false },
    );
    void call('a.one', { callId: '1' });
    await jest.advanceTimersByTimeAsync(50);
    expect(jest.getTimerCount()).toBe(0);
    await jest.advanceTimersByTimeAsync(59_999);
    void call('a.one', { callId: 'early', timeoutMs: 1 });
    await jest.advanceTimersByTimeAsync(1);
    expect(begun).toEqual(['1']);
    void call('a.one', { callId: '2' });
    await tick();
    expect(begun).toEqual(['1', '2']);
    end('1');
    void call('a.one', { callId: '3' });
    await tick();
    expect(begun).toEqual(['1', '2']);
  });

  it('a call that has waited has no more listeners on its signal than one that has not', async () => {
    const listeners: number[] = [];
    const run = async ({ signal }: ToolContext) => {
      listeners.push(getEventListeners(signal, 'abort').length);
    };
    const { call } = await limitedToolkit({ 'a.one': { run } }, { concurrency: { maxConcurrent: 1 } });
    await Promise.all([call('a.one'), call('a.one')]);
    expect(listeners).toHaveLength(2);
    expect(listeners[0]).toBe(listeners[1]);
  });

  it('a pause frees the place', async () => {
    const pause = new Error('pause');
    let pauses = true;
    const run = () => (pauses ? Promise.reject(pause) : 'done');
    const { call } = await limitedToolkit(
      { 'a.one': { run } },
      { concurrency: { maxConcurrent: 1, maxQueued: 0 } },
    );
    const isPause = (error: unknown) => error === pause;
    await expect(call('a.one', { isPause })).rejects.toBe(pause);
    pauses = false;
    expect(await call('a.one')).toEqual({ success: true, result: 'done' });
  });

  it('1,064 calls are taken where nothing is said', async () => {
    const { begun, run } = heldHandler();
    const { call } = await limitedToolkit({ 'a.one': { run } });
    const refused: unknown[] = [];
    for (let count = 0; count < 1_065; count += 1) {
      void call('a.one').then((result) => refused.push(codeOf(result)));
    }
    await tick();
    expect(begun).toHaveLength(64);
    expect(refused).toEqual(['unavailable']);
  });
});

it('holds for all orders of ends and cancellations', async () => {
  const calls = fc.array(
    fc.record({ fate: fc.constantFrom('resolve', 'reject', 'cancel', 'ignore the cancellation') }),
    { minLength: 1, maxLength: 25 },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      calls,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 0, max: 30 }),
      async (scheduler, fates, maxConcurrent, maxQueued) => {
        let running = 0;
        let most = 0;
        const run = async ({ callId, signal }: ToolContext): Promise<string> => {
          const fate = fates[Number(callId)]?.fate;
          running += 1;
          most = Math.max(most, running);
          await scheduler.schedule(Promise.resolve(), `handler ${callId}`);
          running -= 1;
          if (fate === 'cancel') signal.throwIfAborted();
          if (fate === 'reject') throw new Error('no');
          return callId;
        };
        const { toolkit, call } = await limitedToolkit(
          { 'a.one': { run } },
          { concurrency: { maxConcurrent, maxQueued } },
        );
        const answers = fates.map(({ fate }, index) => {
          const controller = new AbortController();
          if (fate.includes('cancel')) {
            void scheduler.schedule(Promise.resolve(), `cancel ${index}`).then(() => controller.abort());
          }
          return call('a.one', { callId: String(index), signal: controller.signal });
        });
        const results: ToolResult<unknown>[] = await scheduler.waitFor(Promise.all(answers));
        await scheduler.waitIdle();
        expect(most).toBeLessThanOrEqual(maxConcurrent);
        expect(running).toBe(0);
        const refused = results.filter((result) => !result.success && result.error.code === 'unavailable');
        expect(refused.length).toBeLessThanOrEqual(Math.max(0, fates.length - maxConcurrent - maxQueued));
        // No place is lost: as many as may can still run.
        const more = Promise.all(
          Array.from({ length: maxConcurrent }, (_, at) => call('a.one', { callId: `m${at}` })),
        );
        expect((await scheduler.waitFor(more)).every(({ success }) => success)).toBe(true);
        await toolkit.close();
      },
    ),
    { numRuns: 150 },
  );
});
