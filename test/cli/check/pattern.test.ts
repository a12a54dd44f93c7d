/**
 * What `check` reads out of regular expressions.
 * Invariant: a pattern that is said to bound the length matches no text of any great length.
 */
import fc from 'fast-check';
import { boundsLength, matchesEmpty } from '../../../src/cli/check/pattern';

describe('a pattern', () => {
  it.each([
    '^ORD-[0-9]{4,8}$',
    '^[A-Z]{2}[0-9]{9}[A-Z]{2}$',
    '^(?:open|shipped)$',
    '^a?b{2}(c|d){1,3}$',
    '^[*+|]{3}$',
    '^\\*\\+\\|$',
    '^\\[a\\]$',
    '^.{1,20}$',
    '^[\\]*]{2}$',
    '^$',
  ])('%s bounds the length', (pattern) => {
    expect(boundsLength(pattern)).toBe(true);
  });

  it.each([
    '^ORD-[0-9]+$',
    '^a*$',
    '^a{2,}$',
    'abc',
    '^abc',
    'abc$',
    '^abc\\$',
    '^a$|^b',
    '^a|b$',
    '^(?:ab)+$',
    '^\\\\+$',
    '',
  ])('%s does not', (pattern) => {
    expect(boundsLength(pattern)).toBe(false);
  });

  it('that is said to bound the length matches no long text, for all patterns of these parts', () => {
    const part = fc.constantFrom(
      ...['a', 'b', '.', '^', '$', '|', '(', ')', '(?:', '(?!', '[ab]', '[^a]', '[|]', '\\$', '\\|', '\\\\'],
      ...['*', '+', '?', '{2}', '{1,3}', '{2,}', '*?'],
    );
    const anchored = fc.array(part, { maxLength: 8 }).map((parts) => `^${parts.join('')}$`);
    const pattern = fc.oneof(
      anchored,
      fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
    );
    const long = ['a', 'b', 'ab', 'a|', '\\', '$'].map((text) => text.repeat(5_000));
    let claimed = 0;
    const property = fc.property(pattern, (source) => {
      let compiled: RegExp;
      try {
        compiled = new RegExp(source, 'u');
      } catch {
        return;
      }
      if (!boundsLength(source)) return;
      claimed += 1;
      expect([source, long.filter((text) => compiled.test(text))]).toEqual([source, []]);
    });
    fc.assert(property, { seed: 3, numRuns: 20_000 });
    expect(claimed).toBeGreaterThan(500);
  });

  it.each([
    ['^a*$', true],
    ['b?', true],
    ['^[A-Z]{3}$', false],
  ])('%s matches the empty text: %s', (pattern, isMatch) => {
    expect(matchesEmpty(pattern)).toBe(isMatch);
  });
});
