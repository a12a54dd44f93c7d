/**
 * The bounded map, and the bounded sets.
 * Invariant: each is held against plain ones of everything that was ever put in, for any use of it.
 */
import fc from 'fast-check';
import { RecentMap, RecentSets } from '../../src/invocation/recent';

const MAX = 6;
const key = fc.constantFrom(...'abcdefghijklmnop');
const use = fc.record({ kind: fc.constantFrom('get', 'set', 'delete'), key });

it('never holds more than its bound, and has what was among the last half as many used', () => {
  fc.assert(
    fc.property(fc.array(use, { maxLength: 200 }), (uses) => {
      const recent = new RecentMap<number>(MAX);
      const all = new Map<string, number>();
      uses.forEach((one, at) => {
        const lately = [...all.keys()].slice(-MAX / 2);
        const found = recent.get(one.key);
        if (lately.includes(one.key)) expect(found).toBe(all.get(one.key));
        if (found !== undefined) expect(found).toBe(all.get(one.key));
        const value = one.kind === 'set' ? at : found;
        all.delete(one.key);
        if (one.kind === 'delete') recent.delete(one.key);
        else if (value !== undefined) {
          if (one.kind === 'set') recent.set(one.key, value);
          all.set(one.key, value);
        }
        expect(recent.size).toBeLessThanOrEqual(MAX);
      });
    }),
    { seed: 7, numRuns: 500 },
  );
});

it('sets hold what was among the last half as many used, and only what was put in', () => {
  const pair = fc.tuple(fc.constantFrom('x', 'y', 'z'), key);
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 200 }), (pairs) => {
      const recent = new RecentSets(MAX);
      const all: string[] = [];
      for (const [name, item] of pairs) {
        const one = `${name} ${item}`;
        const lately = [...new Set(all.toReversed())].slice(0, MAX / 2);
        const isKnown = recent.add(name, item);
        if (lately.includes(one)) expect(isKnown).toBe(true);
        if (isKnown) expect(all).toContain(one);
        all.push(one);
      }
    }),
    { seed: 7, numRuns: 500 },
  );
});

it('sets forget, however many names there are', () => {
  const recent = new RecentSets(MAX);
  expect(recent.add('x', 'first')).toBe(false);
  for (let at = 0; at < 2 * MAX; at += 1) expect(recent.add(`name ${at}`, 'item')).toBe(false);
  expect(recent.add('x', 'first')).toBe(false);
});
