/**
 * The time that regular expressions take, counted in the steps of a small backtracking engine.
 * Invariant: where a pattern is not slow, four times the text takes about four times the steps, and never
 * sixteen times.
 */
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import fc from 'fast-check';
import { slowPattern } from '../../../src/schema/patterns/slow-pattern';

type Then = (index: number) => boolean;
const MAX_STEPS = 200_000;

class TooLong extends Error {}

/** Tries a pattern at each place of a text as ECMA-262 describes it, and counts. */
function stepsOf({ alternatives }: AST.Pattern, text: string): number {
  let steps = 0;
  const sequence = (elements: readonly AST.Element[], at: number, then: Then): boolean => {
    const [first, ...rest] = elements;
    return first === undefined ? then(at) : element(first, at, (next) => sequence(rest, next, then));
  };
  const choice = (branches: readonly AST.Alternative[], at: number, then: Then) =>
    branches.some((branch) => sequence(branch.elements, at, then));
  const rounds = (node: AST.Quantifier, done: number, at: number, then: Then): boolean => {
    const more = () =>
      done < node.max &&
      element(
        node.element,
        at,
        (next) => (next > at || done < node.min) && rounds(node, done + 1, next, then),
      );
    if (done < node.min) return more();
    return node.greedy ? more() || then(at) : then(at) || more();
  };
  const element = (node: AST.Element, at: number, then: Then): boolean => {
    steps += 1;
    if (steps > MAX_STEPS) throw new TooLong();
    if (node.type === 'Group') return choice(node.alternatives, at, then);
    if (node.type === 'Quantifier') return rounds(node, 0, at, then);
    if (node.type !== 'Assertion') {
      return at < text.length && new RegExp(node.raw).test(text.charAt(at)) && then(at + 1);
    }
    if (node.kind === 'start' || node.kind === 'end') {
      return at === (node.kind === 'start' ? 0 : text.length) && then(at);
    }
    if (!('alternatives' in node)) throw new TypeError('The grammar has no such assertion.');
    return choice(node.alternatives, at, () => true) !== node.negate && then(at);
  };
  try {
    for (let at = 0; at <= text.length; at += 1) if (choice(alternatives, at, () => true)) break;
  } catch (error) {
    if (error instanceof TooLong) return Number.POSITIVE_INFINITY;
    throw error;
  }
  return steps;
}

const { source: sources } = fc.letrec<{ source: string; branch: string; term: string; atom: string }>(
  (tie) => ({
    source: fc.array(tie('branch'), { minLength: 1, maxLength: 2 }).map((branches) => branches.join('|')),
    branch: fc.array(tie('term'), { maxLength: 4 }).map((terms) => terms.join('')),
    term: fc.oneof(
      { weight: 4, arbitrary: tie('atom') },
      {
        weight: 5,
        arbitrary: fc
          .tuple(tie('atom'), fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '*?', '{2,}'))
          .map((parts) => parts.join('')),
      },
      { weight: 1, arbitrary: fc.constantFrom('^', '$') },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom('(?=', '(?!'), tie('source'))
          .map((parts) => `${parts.join('')})`),
      },
    ),
    atom: fc.oneof(
      { depthSize: 'small' },
      { weight: 5, arbitrary: fc.constantFrom('a', 'b', '[ab]', '.', '[^a]') },
      { weight: 2, arbitrary: tie('source').map((source) => `(?:${source})`) },
    ),
  }),
);
const edges = fc.constantFrom(['', ''], ['^(?:', ')$'], ['^(?:', ')'], ['(?:', ')$']);

const WORDS = ['a', 'b', 'c', 'ab', 'ac', 'aab'];
const STARTS = ['', 'a'];
const ENDS = ['', 'c', '\n'];
/** Some lengths in a row, as steps can depend on the remainder. */
const ROW = [0, 1, 2, 3, 4, 5];
const TEXTS = STARTS.flatMap((start) => WORDS.flatMap((word) => ENDS.map((end) => ({ start, word, end }))));

describe('a pattern that is not slow', () => {
  it('takes steps in proportion to the text', () => {
    let cleared = 0;
    fc.assert(
      fc.property(sources, edges, (inner, [open, close]) => {
        const source = `${open}${inner}${close}`;
        if (slowPattern(source, '') !== undefined) return;
        cleared += 1;
        const pattern = new RegExpParser().parsePattern(source, 0, source.length, {});
        const wrong = TEXTS.filter(({ start, word, end }) => {
          const [some, fourfold] = [24, 96].map((count) =>
            Math.max(...ROW.map((more) => stepsOf(pattern, start + word.repeat(count + more) + end))),
          );
          return !((fourfold ?? 0) <= 8 * (some ?? 0));
        });
        expect({ source, wrong }).toEqual({ source, wrong: [] });
      }),
      { seed: 20260131, numRuns: Number(process.env.RUNS ?? 200) },
    );
    expect(cleared).toBeGreaterThan(50);
  });
});
