/**
 * Cancellation by the caller's signal, before and while a handler runs.
 * Invariant: a cancelled call is answered, nothing that settles later changes the answer, and no listener
 * stays on the caller's signal.
 */
import { type InvokeOptions, type SideEffectKind, ToolError } from 'toolcrib';
import { type RunHandler, toolkitRunning } from '../fixtures/recorded-toolkit';

/** A caller's signal that counts the listeners on it. */
function countedSignal(): {
  readonly signal: AbortSignal;
  readonly abort: (reason?: unknown) => void;
  readonly listeners: () => number;
  readonly everAdded: () => number;
} {
  const controller = new AbortController();
  const { signal } = controller;
  const listening = new Set<unknown>();
  let added = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    added += 1;
    listening.add(args[1]);
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listening.delete(args[1]);
    remove(...args);
  };
  return {
    signal,
    abort: (reason) => controller.abort(reason),
    listeners: () => listening.size,
    everAdded: () => added,
  };
}

const CANCELLED = { success: false, error: { code: 'cancelled', retryable: false } };

/** A handler that never settles, and tells when it has begun. */
function hanging(): { readonly handler: RunHandler; readonly begun: Promise<AbortSignal> } {
  let tell: (signal: AbortSignal) => void = () => {};
  const begun = new Promise<AbortSignal>((resolve) => {
    tell = resolve;
  });
  return {
    begun,
    handler: (_input, { signal }) => {
      tell(signal);
      return new Promise(() => {});
    },
  };
}

describe('a call that is cancelled before its handler runs', () => {
  it.each<SideEffectKind>(['none', 'write', 'destructive'])(
    'does not run a handler with side effect %s',
    async (kind) => {
      const handler = jest.fn();
      const { run } = await toolkitRunning(handler, { kind });
      expect(await run({}, { signal: AbortSignal.abort() })).toMatchObject(CANCELLED);
      expect(handler).not.toHaveBeenCalled();
    },
  );

  it('does not run the handler when it is cancelled at an earlier stage', async () => {
    const caller = countedSignal();
    const handler = jest.fn();
    const { run } = await toolkitRunning(handler, {
      interceptors: [
        {
          stage: 'claim',
          run: (_call, next) => {
            caller.abort();
            return next();
          },
        },
      ],
    });
    expect(await run({}, { signal: caller.signal })).toMatchObject(CANCELLED);
    expect(handler).not.toHaveBeenCalled();
    expect(caller.listeners()).toBe(0);
  });

  it('is still told first that it may not call at all', async () => {
    const { run } = await toolkitRunning(() => 'done', { toolScopes: ['test:run'] });
    expect(await run({}, { signal: AbortSignal.abort() })).toMatchObject({
      success: false,
      error: { code: 'insufficient_scope' },
    });
  });
});

describe('a call that is cancelled while its handler runs', () => {
  it.each<SideEffectKind>(['none', 'write', 'destructive'])(
    'is answered at once, with side effect %s',
    async (kind) => {
      const caller = countedSignal();
      const { handler, begun } = hanging();
      const { run } = await toolkitRunning(handler, { kind });
      const answer = run({}, { signal: caller.signal });
      await begun;
      caller.abort();
      expect(await answer).toMatchObject(CANCELLED);
    },
  );

  it("hands the caller's reason to the handler", async () => {
    const caller = countedSignal();
    const { handler, begun } = hanging();
    const { run } = await toolkitRunning(handler);
    const answer = run({}, { signal: caller.signal });
    const signal = await begun;
    expect(signal.aborted).toBe(false);
    const reason = new Error('the user left');
    caller.abort(reason);
    expect(signal.reason).toBe(reason);
    expect(JSON.stringify(await answer)).not.toContain('the user left');
  });

  it('is answered as cancelled where the handler throws because of the signal', async () => {
    const caller = countedSignal();
    const { run } = await toolkitRunning(
      (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          caller.abort();
        }),
    );
    expect(await run({}, { signal: caller.signal })).toMatchObject(CANCELLED);
  });

  it.each([
    ['resolves', (settle: PromiseWithBoth) => settle.resolve('late')],
    ['rejects', (settle: PromiseWithBoth) => settle.reject(new Error('late'))],
    ['rejects with null', (settle: PromiseWithBoth) => settle.reject(null)],
  ] as const)('stays cancelled when the handler %s later', async (_case, settle) => {
    const caller = countedSignal();
    const late: PromiseWithBoth[] = [];
    const { run } = await toolkitRunning(
      () =>
        new Promise((resolve, reject) => {
          late.push({ resolve, reject });
          caller.abort();
        }),
    );
    const answer = await run({}, { signal: caller.signal });
    late.forEach(settle);
    // A rejection that nobody handles would be found in this turn, and fail the test.
    await new Promise(setImmediate);
    expect(answer).toMatchObject(CANCELLED);
    expect(late).toHaveLength(1);
  });
});

interface PromiseWithBoth {
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

describe("the listeners on the caller's signal", () => {
  const isPause = () => true;
  const endings: readonly (readonly [string, RunHandler, InvokeOptions, unknown])[] = [
    ['a success', () => 'done', {}, {}],
    [
      'a throw',
      () => {
        throw new Error('no');
      },
      {},
      {},
    ],
    [
      'a ToolError',
      () => {
        throw new ToolError({ code: 'no_luck', message: 'No luck.', retryable: false });
      },
      {},
      {},
    ],
    ['a deadline', () => new Promise(() => {}), { timeoutMs: 1 }, {}],
    ['an output that is no JSON', () => 1n, {}, {}],
    ['refused arguments', () => 'done', {}, { id: 'seven' }],
    [
      'a pause',
      () => {
        throw new Error('pause');
      },
      { isPause },
      {},
    ],
  ];

  it.each(endings)('are gone after %s', async (_case, handler, options, args) => {
    const caller = countedSignal();
    const { run } = await toolkitRunning(handler);
    await Promise.allSettled([run(args, { ...options, signal: caller.signal })]);
    expect(caller.everAdded()).toBeGreaterThan(0);
    expect(caller.listeners()).toBe(0);
  });

  it('are gone after a cancellation', async () => {
    const caller = countedSignal();
    const { handler, begun } = hanging();
    const { run } = await toolkitRunning(handler);
    const answer = run({}, { signal: caller.signal });
    await begun;
    expect(caller.listeners()).toBeGreaterThan(0);
    caller.abort();
    await answer;
    expect(caller.listeners()).toBe(0);
  });

  it('do not grow over many calls with one signal', async () => {
    const caller = countedSignal();
    const { run } = await toolkitRunning(() => 'done');
    for (let call = 0; call < 50; call += 1) await run({}, { signal: caller.signal });
    expect(caller.listeners()).toBe(0);
  });
});
