/**
 * Waiting for keys: how often the store is looked at, and what is left afterwards.
 * Invariant: the clock is a fake one.
 */
import { type Look, Waiters } from '../../src/stores/waiters';

const never = new AbortController().signal;

function setup() {
  const heard: string[] = [];
  const looked: (readonly string[])[] = [];
  let answer: () => Promise<Look> = async () => ({ settled: new Map(), leaseLeftMs: 1_000_000 });
  const waiters = new Waiters(
    (keys) => {
      looked.push(keys);
      return answer();
    },
    {
      start: () => void heard.push('start'),
      stop: () => void heard.push('stop'),
      delay: (looks) => 100 * (looks + 1),
    },
  );
  return { waiters, heard, looked, answerBy: (next: () => Promise<Look>) => (answer = next) };
}

describe('waiters', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('share one look, at growing distance, and leave no timer', async () => {
    const { waiters, heard, looked, answerBy } = setup();
    const waiting = Array.from({ length: 100 }, () => waiters.wait('k', never));
    await jest.advanceTimersByTimeAsync(0);
    expect(looked).toEqual([['k']]);
    await jest.advanceTimersByTimeAsync(100 + 200 + 300);
    expect(looked).toHaveLength(4);
    answerBy(async () => ({ settled: new Map([['k', undefined]]), leaseLeftMs: 1_000_000 }));
    waiters.wake();
    await jest.advanceTimersByTimeAsync(0);
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: 100 }, () => undefined));
    expect(looked).toHaveLength(5);
    expect(heard).toEqual(['start', 'stop']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('look again when the shortest lease ends', async () => {
    const { waiters, looked, answerBy } = setup();
    answerBy(async () => ({ settled: new Map(), leaseLeftMs: 30 }));
    const controller = new AbortController();
    const waiting = waiters.wait('k', controller.signal);
    await jest.advanceTimersByTimeAsync(30);
    expect(looked).toHaveLength(2);
    controller.abort();
    expect(await waiting).toBe('aborted');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('look once more when something changed during a look', async () => {
    const { waiters, looked, answerBy } = setup();
    answerBy(async () => {
      waiters.wake();
      answerBy(async () => ({ settled: new Map([['k', undefined]]), leaseLeftMs: 1 }));
      return { settled: new Map(), leaseLeftMs: 1_000_000 };
    });
    const waiting = waiters.wait('k', never);
    await jest.advanceTimersByTimeAsync(10);
    expect(await waiting).toBeUndefined();
    expect(looked).toHaveLength(2);
  });

  it('hear of a store that fails, and are rid of', async () => {
    const { waiters, heard, answerBy } = setup();
    answerBy(async () => {
      throw new Error('gone');
    });
    const failed = expect(waiters.wait('k', never)).rejects.toThrow('gone');
    await jest.advanceTimersByTimeAsync(100 + 200);
    await failed;
    expect(heard).toEqual(['start', 'stop']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('do not hear of a look or two that fail', async () => {
    const { waiters, looked, answerBy } = setup();
    let fails = 2;
    answerBy(async () => {
      fails -= 1;
      if (fails >= 0) throw new Error('gone');
      return { settled: new Map([['k', undefined]]), leaseLeftMs: 1 };
    });
    const waiting = waiters.wait('k', never);
    await jest.advanceTimersByTimeAsync(100 + 200);
    expect(await waiting).toBeUndefined();
    expect(looked).toHaveLength(3);
  });

  it('settle at once where the signal is aborted already', async () => {
    const { waiters } = setup();
    expect(await waiters.wait('k', AbortSignal.abort())).toBe('aborted');
    expect(jest.getTimerCount()).toBe(0);
  });
});
