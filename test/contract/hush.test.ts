/**
 * Promises that are left in a value which is refused.
 * Invariant: whatever the value is, hushing it ends, throws nothing, and calls nothing of the value's own.
 */
import fc from 'fast-check';
import { hush } from '../../src/contract/hush';
import { anyValue } from '../fixtures/any-value';
import { watchProcess } from '../torture/host';

const reject = () => Promise.reject(new Error('nobody waits'));

it.each([
  ['alone', reject],
  ['in an object', () => ({ a: { b: reject() } })],
  ['in lists, several', () => [reject(), [reject()], { more: [reject()] }]],
  ['in an error', () => Object.assign(new Error('with a promise'), { response: reject() })],
  [
    'in a circle',
    () => {
      const value: { self?: unknown; promise: unknown } = { promise: reject() };
      value.self = value;
      return value;
    },
  ],
])('are heard: %s', async (_case, make) => {
  const watch = watchProcess();
  hush(make());
  await new Promise(setImmediate);
  watch.stop();
  expect(watch.seen).toEqual([]);
});

it('does not run getters or the traps of proxies', () => {
  const no = jest.fn(() => {
    throw new Error('hostile');
  });
  hush(Object.defineProperty({}, 'x', { get: no, enumerable: true }));
  hush({ inside: new Proxy({}, { ownKeys: no, get: no, getPrototypeOf: no, has: no }) });
  hush(Object.defineProperty(Promise.resolve(1), 'constructor', { get: no }));
  expect(no).toHaveBeenCalledTimes(1);
});

it('ends soon for what is endless or huge', () => {
  const list: unknown[] = new Array(2 ** 32 - 1);
  list[0] = list;
  hush(list);
  hush(Object.fromEntries(Array.from({ length: 5_000 }, (_, key) => [key, list])));
  hush(new Uint8Array(50_000_000));
});

it('takes anything', () => {
  fc.assert(
    fc.property(anyValue, (value) => hush(value)),
    { seed: 3, numRuns: 500 },
  );
});
