/**
 * The count of the ways to read a text, against an engine that tries them all.
 * Invariant: no text has more ways to be read than the count says.
 */
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import fc from 'fast-check';
import { type Place, ReadingGraph, Steps, TooComplex } from '../../../src/schema/patterns/reading-graph';
import { waysOf } from '../../../src/schema/patterns/ways';

const LETTERS = ['a', 'b'] as const;
const MAX_STEPS = 20_000;
const MAX_WAYS = 2_000;

class TooLong extends Error {}

function reads({ reader }: Place): bigint {
  if (reader === 'start') return 0n;
  if (reader === 'end') return 4n;
  return LETTERS.reduce(
    (mask, letter, bit) => (reader.raw.includes(letter) ? mask | (1n << BigInt(bit)) : mask),
    0n,
  );
}

function parse(source: string): AST.Pattern {
  return new RegExpParser().parsePattern(source, 0, source.length, {});
}

/** Undefined where it is more than the limit, or too much to count. */
function countOf(source: string, limit: number): number | undefined {
  try {
    const graph = new ReadingGraph(parse(source).alternatives, { multiline: false, isBackward: false });
    const count = waysOf(graph, reads, { limit, factor: 1, steps: new Steps(), isCut: () => false });
    return typeof count === 'number' ? count : undefined;
  } catch (error) {
    if (error instanceof TooComplex) return undefined;
    throw error;
  }
}

/** The most times that a character of a text, or its end, is read when each way to match fails. */
function mostReads({ alternatives }: AST.Pattern, text: string): number {
  const times = Array.from({ length: text.length + 1 }, () => 0);
  let steps = 0;
  type Then = (index: number) => void;
  const read = (at: number) => {
    times[at] = (times[at] ?? 0) + 1;
  };
  const sequence = (elements: readonly AST.Element[], at: number, then: Then): void => {
    const [first, ...rest] = elements;
    if (first === undefined) then(at);
    else element(first, at, (next) => sequence(rest, next, then));
  };
  const rounds = (node: AST.Quantifier, done: number, at: number, then: Then): void => {
    if (done < node.max) {
      const again: Then = (next) => {
        if (next > at || done < node.min) rounds(node, done + 1, next, then);
      };
      element(node.element, at, again);
    }
    if (done >= node.min) then(at);
  };
  const element = (node: AST.Element, at: number, then: Then): void => {
    steps += 1;
    if (steps > MAX_STEPS) throw new TooLong();
    if (node.type === 'Group') for (const { elements } of node.alternatives) sequence(elements, at, then);
    else if (node.type === 'Quantifier') rounds(node, 0, at, then);
    else if (node.type === 'Assertion' && node.kind === 'start') {
      if (at === 0) then(at);
    } else if (node.type === 'Assertion') {
      if (at === text.length) read(at);
    } else if (at < text.length && node.raw.includes(text.charAt(at))) {
      read(at);
      then(at + 1);
    }
  };
  for (const { elements } of alternatives) sequence(elements, 0, () => {});
  return Math.max(...times);
}

const { source: sources } = fc.letrec<{ source: string; branch: string; term: string; atom: string }>(
  (tie) => ({
    source: fc.array(tie('branch'), { minLength: 1, maxLength: 3 }).map((branches) => branches.join('|')),
    branch: fc.array(tie('term'), { maxLength: 2 }).map((terms) => terms.join('')),
    term: fc
      .tuple(tie('atom'), fc.constantFrom('', '', '?', '{2}', '{0,2}', '{1,3}', '{3}', '{2,4}?', '{0,5}'))
      .map((parts) => parts.join('')),
    atom: fc.oneof(
      { depthSize: 'small' },
      { weight: 5, arbitrary: fc.constantFrom('a', 'b', '[ab]') },
      { weight: 3, arbitrary: tie('source').map((source) => `(?:${source})`) },
    ),
  }),
);
const texts = fc
  .array(fc.constantFrom('a', 'b', 'ab', 'aab', 'abab'), { maxLength: 10 })
  .map((parts) => parts.join(''));

describe('the count of ways', () => {
  it('is never too low', () => {
    let counted = 0;
    fc.assert(
      fc.property(sources, fc.array(texts, { minLength: 5 }), (inner, some) => {
        const source = `^(?:${inner})$`;
        const count = countOf(source, MAX_WAYS);
        if (count === undefined) return;
        for (const text of some) {
          try {
            const most = mostReads(parse(source), text);
            expect({ source, text, isEnough: most <= count }).toEqual({ source, text, isEnough: true });
            if (most > 3) counted += 1;
          } catch (error) {
            if (!(error instanceof TooLong)) throw error;
          }
        }
      }),
      { seed: 20260131, numRuns: Number(process.env.RUNS ?? 300) },
    );
    expect(counted).toBeGreaterThan(100);
  });

  it.each([
    ['^abab$', 1],
    ['^(?:a|ab)(?:b|)$', 2],
    ['^(?:ab){0,3}$', 1],
    ['^(?:ab){0,3}(?:ab){0,3}$', 4],
    ['^(?:a?|b?){3}$', 12],
  ])('is right for %s', (source, count) => {
    expect(countOf(source, 100)).toBe(count);
  });

  it('stops at the limit', () => {
    expect(countOf('^(?:[ab]?a?){9}$', 100)).toBeUndefined();
  });
});
