/**
 * Freezing plain data.
 * Invariant: nothing in it can be changed afterwards, however deep it lies.
 */
import fc from 'fast-check';
import { deepFreeze } from '../../src/contract/deep-freeze';

function isFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozen);
}

it('freezes every part, and gives the value itself', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (given) => {
      const value = JSON.parse(JSON.stringify(given));
      expect(deepFreeze(value)).toBe(value);
      expect(isFrozen(value)).toBe(true);
    }),
    { numRuns: 200, seed: 4 },
  );
});
