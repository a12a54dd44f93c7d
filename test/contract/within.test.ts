/**
 * The bound on what is not ours.
 * Invariant: no timer is left, whoever comes first.
 */
import { within } from '../../src/contract/within';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('gives what comes in time, and leaves no timer', async () => {
  await expect(within(10, Promise.resolve(3), () => new Error('late'))).resolves.toBe(3);
  await expect(within(10, Promise.reject(new Error('own')), () => new Error('late'))).rejects.toThrow('own');
  expect(jest.getTimerCount()).toBe(0);
});

it('rejects when it takes longer', async () => {
  const waiting = expect(within(10, new Promise(() => {}), () => new Error('late'))).rejects.toThrow('late');
  await jest.advanceTimersByTimeAsync(9);
  expect(jest.getTimerCount()).toBe(1);
  await jest.advanceTimersByTimeAsync(1);
  await waiting;
});
