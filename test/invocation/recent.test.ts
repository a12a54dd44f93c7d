/**
 * The bounded map.
 * Invariant: it is held against a plain map of everything that was ever put in, for any use of it.
 */
import fc from 'fast-check';
import { RecentMap } from '../../src/invocation/recent';

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
