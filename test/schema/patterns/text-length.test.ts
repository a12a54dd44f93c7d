/**
 * Lengths as keywords of a schema.
 * Invariant: the compiled keywords and class-validator give one verdict for every string and every bound.
 */
import Ajv2020 from 'ajv/dist/2020';
import { length, maxLength, minLength } from 'class-validator';
import fc from 'fast-check';
import { lengthKeywords } from '../../../src/schema/patterns/text-length';

const PIECES = [
  'a',
  'é',
  '❤',
  '\uFE0E',
  '\uFE0F',
  '\u200D',
  '💩',
  '👩',
  '\uD83D',
  '\uDCA9',
  '\n',
  '\u2028',
  '',
];
const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(''));
const bounds = fc.oneof(
  fc.integer({ min: -1, max: 12 }),
  fc.double({ min: -1, max: 12, noNaN: true }),
  fc.constantFrom(2 ** 29 - 1, 2 ** 29, 2 ** 40, Infinity, -Infinity),
);

function acceptanceOf(min: number | undefined, max: number | undefined, type: unknown = 'string') {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  return ajv.compile({ type, ...lengthKeywords(min, max) });
}

describe('the keywords of a length', () => {
  it('accept what class-validator accepts', () => {
    fc.assert(
      fc.property(bounds, bounds, fc.array(texts, { maxLength: 40 }), (min, max, some) => {
        const [both, least, most] = [
          acceptanceOf(min, max),
          acceptanceOf(min, undefined),
          acceptanceOf(undefined, max),
        ];
        for (const text of some) {
          expect([text, both(text)]).toEqual([text, length(text, min, max)]);
          expect([text, least(text)]).toEqual([text, minLength(text, min)]);
          expect([text, most(text)]).toEqual([text, maxLength(text, max)]);
        }
      }),
      { seed: 20260131, numRuns: 60 },
    );
  });

  it.each([
    ['❤️', 2, undefined, false],
    ['❤️❤️', 2, 2, true],
    ['\uFE0F\uFE0F\uFE0F', 3, 3, true],
    ['a\uFE0F\uFE0F', 2, 2, true],
    ['💩️', 1, 1, true],
    ['👩‍👩', 3, 3, true],
  ])('count %j against %p and %p: %p', (text, min, max, isAccepted) => {
    expect(acceptanceOf(min, max)(text)).toBe(isAccepted);
  });

  it('show the standard keywords', () => {
    expect(lengthKeywords(1, undefined)).toEqual({ minLength: 1 });
    expect(lengthKeywords(2, undefined)).toEqual({ minLength: 2, pattern: expect.any(String) });
    expect(lengthKeywords(1, 80)).toEqual({
      minLength: 1,
      anyOf: [{ maxLength: 80 }, { pattern: expect.any(String) }],
    });
    expect(lengthKeywords(0, 0)).toEqual({ maxLength: 0 });
  });

  it.each([
    [undefined, undefined],
    [0, undefined],
    [-3, Infinity],
    [Number.NaN, 2 ** 29],
  ])('are none for the bounds %p and %p', (min, max) => {
    expect(lengthKeywords(min, max)).toEqual({});
  });

  it.each([
    [Infinity, undefined],
    [2 ** 40, undefined],
    [undefined, -1],
    [undefined, Number.NaN],
    [3, 2],
  ])('accept no string between %p and %p', (min, max) => {
    const accepts = acceptanceOf(min, max);
    for (const text of ['', 'a', 'aa', 'aaa', 'aaaa']) expect([text, accepts(text)]).toEqual([text, false]);
  });

  it('stand beside null', () => {
    const accepts = acceptanceOf(2, 3, ['string', 'null']);
    expect([null, 'a', 'ab', 'abcd', 2].map((value) => accepts(value))).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
  });

  it.each([
    ['a', 1],
    ['a\uFE0F', 1],
    ['\uFE0F', 1],
    ['💩', 1],
  ])('hold for a long text of %j', (piece, each) => {
    const count = 1_000_000;
    const text = piece.repeat(count);
    expect(acceptanceOf(count * each, count * each)(text)).toBe(true);
    expect(acceptanceOf(count * each + 1, undefined)(text)).toBe(false);
    expect(acceptanceOf(undefined, count * each - 1)(text)).toBe(false);
  });
});
