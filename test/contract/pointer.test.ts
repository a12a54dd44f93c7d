/**
 * JSON Pointers.
 * Invariant: a pointer leads back to the keys that it was made of.
 */
import fc from 'fast-check';
import { childPointer, propertyOf } from '../../src/contract/pointer';

/** The reference tokens of a pointer, by RFC 6901, section 4. */
function keysOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

const keys = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('', '/', '~', '~1', '~01', '~0/', 'a/b', '0'),
);

describe('childPointer', () => {
  it.each([
    ['', 'a', '/a'],
    ['', 0, '/0'],
    ['/a', 'b/c', '/a/b~1c'],
    ['/a', 'b~c', '/a/b~0c'],
    ['/a', '~1', '/a/~01'],
    ['', '', '/'],
  ])('appends to %j the key %j', (parent, key, pointer) => {
    expect(childPointer(parent, key)).toBe(pointer);
  });

  it('can be undone, whatever the keys', () => {
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 4 }), (path) => {
        expect(keysOf(path.reduce<string>(childPointer, ''))).toEqual(path);
      }),
      { seed: 20260131, numRuns: 500 },
    );
  });
});

describe('propertyOf', () => {
  it.each([
    ['/a', 'a'],
    ['/a/b', 'b'],
    ['/tags/0', 'tags'],
    ['/rows/1/2', 'rows'],
    ['/orders/3/id', 'id'],
    ['/a~1b', 'a/b'],
    ['/c~0d/0', 'c~d'],
    ['/~01', '~1'],
    ['/0', '0'],
  ])('names for %j the property %j', (pointer, property) => {
    expect(propertyOf(pointer)).toBe(property);
  });
});
