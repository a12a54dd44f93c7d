/**
 * Sweeping: how often a batch is removed.
 * Invariant: the clock is a fake one.
 */
import { BATCH, sweeper } from '../../src/stores/sweeper';

describe('a sweeper', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('removes a batch a minute', async () => {
    let batches = 0;
    const sweep = sweeper(async () => {
      batches += 1;
      return BATCH - 1;
    });
    for (let call = 0; call < 10; call += 1) sweep();
    await jest.advanceTimersByTimeAsync(59_000);
    sweep();
    expect(batches).toBe(1);
    await jest.advanceTimersByTimeAsync(2_000);
    sweep();
    expect(batches).toBe(2);
  });

  it('goes on after a full batch, and not before it has ended', async () => {
    let batches = 0;
    const sweep = sweeper(async () => {
      batches += 1;
      return BATCH;
    });
    sweep();
    sweep();
    expect(batches).toBe(1);
    await jest.advanceTimersByTimeAsync(0);
    sweep();
    expect(batches).toBe(2);
  });

  it('keeps a failure to itself', async () => {
    const sweep = sweeper(() => Promise.reject(new Error('gone')));
    sweep();
    await expect(jest.advanceTimersByTimeAsync(0)).resolves.toBeUndefined();
  });
});
