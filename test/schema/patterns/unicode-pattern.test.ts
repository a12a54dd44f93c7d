/**
 * Regular expressions as patterns of JSON Schema.
 * Invariant: the pattern, read with the flag `u` alone, finds a match where the regular expression finds one.
 */
import fc from 'fast-check';
import { unicodePattern } from '../../../src/schema/patterns/unicode-pattern';
import { atEachDepth } from './stack-depth';

const TABLE: readonly (readonly [source: string, flags: string, pattern: string | undefined])[] = [
  ['^abc$', '', '^abc$'],
  ['^abc$', 'g', '^abc$'],
  ['^abc$', 'd', '^abc$'],
  ['^abc$', 'i', '^[aA][bB][cC]$'],
  ['^[a-f\\d]+$', 'i', '^[a-f\\dA-F]+$'],
  ['[^a-f-]', 'i', '[^a-f\\-A-F]'],
  ['[a-z-]', 'i', '[a-z\\-A-Z]'],
  ['k', 'i', '[kK]'],
  ['k', 'iu', '[kK\\u212A]'],
  ['\\w', 'i', '\\w'],
  ['\\w', 'iu', '[\\w\\u017F\\u212A]'],
  ['\\bs', 'iu', undefined],
  ['(a)\\1', 'i', undefined],
  ['\\p{Lu}', 'iu', undefined],
  ['^[\\w-.]+$', '', '^[\\w\\-.]+$'],
  ['^[\\w-]+$', '', '^[\\w-]+$'],
  ['^\\-x', '', '^-x'],
  ['^[\\w\\-.]+\\@corp$', '', '^[\\w\\-.]+@corp$'],
  ['\\p{L}', '', 'p\\{L\\}'],
  ['[\\p{L}]', '', '[p{L}]'],
  ['\\p{L}', 'u', '\\p{L}'],
  ['[a-\\u{61}]', '', '[a-u{61}]'],
  ['\\W', 'iu', undefined],
  ['\\1\\08\\60', '', '\\x01\\x008\\x30'],
  ['(a)\\1', '', '(a)\\1'],
  ['(?<x>a)\\k<x>', '', '(?<x>a)\\k<x>'],
  ['\\k<x>', '', 'k<x>'],
  ['\\c', '', '\\\\c'],
  ['a{,5}]', '', 'a\\{,5\\}\\]'],
  ['(?=a)*', '', undefined],
  ['a.b', '', undefined],
  ['a.b', 's', undefined],
  ['a.b', 'su', 'a[\\s\\S]b'],
  ['a.*b', 's', 'a[\\s\\S]*b'],
  ['^b', 'm', '(?<=^|[\\n\\r\\u2028\\u2029])b'],
  ['b$', 'mu', 'b(?=$|[\\n\\r\\u2028\\u2029])'],
  ['abc', 'y', undefined],
  ['abc', 'gy', '^(?:abc)'],
  ['^[\\p{L}\\-]+$', 'v', '^[\\p{L}\\-]+$'],
  ['[a&&b]', 'v', undefined],
  ['[[a]b]', 'v', undefined],
  ['[\\q{ab}]', 'v', undefined],
  ['a', 'iv', undefined],
  ['^.$', '', undefined],
  ['^.$', 'u', '^.$'],
  ['^.', '', '^.'],
  ['.$', '', '.$'],
  ['^.+$', '', '^.+$'],
  ['^.{1,}$', '', '^.{1,}$'],
  ['^.{2,}$', '', undefined],
  ['^.{1,80}$', '', undefined],
  ['^.+@.+$', '', '^.+@.+$'],
  ['.+.+', '', undefined],
  ['.+.*', '', '.+.*'],
  ['(?:.+)+', '', undefined],
  ['(?:.+a)+', '', '(?:.+a)+'],
  ['^\\S+$', '', '^\\S+$'],
  ['[^a]', '', '[^a]'],
  ['[^\\x00-\\x7F]', '', '[^\\x00-\\x7F]'],
  ['(?<!a)[^a]+', '', undefined],
  ['[^a]+\\B', '', undefined],
  ['\\B', '', undefined],
  ['(.+)-\\1', '', undefined],
  ['(?<=a)b', '', '(?<=a)b'],
  ['^(?=.*\\d)(?=.*[a-z]).+$', '', '^(?=.*\\d)(?=.*[a-z]).+$'],
  ['^(?=.*\\d)(?=.*[a-z]).{6,}$', '', undefined],
  ['^(?=.*\\d)[\\w!]{6,}$', '', '^(?=.*\\d)[\\w!]{6,}$'],
  ['^💩$', '', '^💩$'],
  ['\\ud83d\\udca9x', '', '\\ud83d\\udca9x'],
  ['^💩+$', '', undefined],
  ['[💩]', '', undefined],
  ['\\ud83d', '', undefined],
  ['[^\\ud800-\\udfff]', '', undefined],
  ['^[\\x80-\\uffff]*$', '', '^[\\x80-\\uffff\\u{10000}-\\u{10FFFF}]*$'],
];

const PIECES = [...'abkKsSxp{}-0189_ .@\n\r\u2028\u017F\u212A\u0130\u0131ßẞσςΣµ\uFE0F\u200D'];
const WIDE = ['💩', '\u{10400}', '\u{10428}', '\uD83D', '\uDCA9', '\uD801'];
const texts = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.constantFrom(...WIDE, ...'ab')), { maxLength: 6 })
  .map((pieces) => pieces.join(''));

const ATOMS = [
  ...[
    'a',
    'b',
    'k',
    's',
    'ß',
    '\\-',
    '\\@',
    '\\p{L}',
    '\\x61',
    '\\u0061',
    '\\u{61}',
    '\\60',
    '\\0',
    '}',
    ']',
    '{',
  ],
  ...[
    '.',
    '.',
    '\\S',
    '\\D',
    '\\W',
    '\\d',
    '\\w',
    '\\s',
    '[^a]',
    '[^ab-]',
    '[a-k]',
    '[\\w-.]',
    '[ab-]',
    '[^]',
  ],
  ...['[\\u017F-\\u0131]', '[σ]', '💩', '\\ud83d\\udca9', '[\\x80-\\uffff]', '[^\\W]', '\\k', '\\cA', '\\c'],
  ...['[\\s\\S]', '[\\p{L}]', '\u{10400}', '[\\-a]', '[a-\\d]', '[^\\x00-\\x7F]', '\\1', '\\bk', 'Σ'],
];
const EDGES = ['^', '$', '\\b', '\\B', '^', '$'];
const QUANTIFIERS = ['*', '+', '?', '*?', '+?', '{2}', '{0,2}', '{1,}', '{2,}'];

const { source: sources } = fc.letrec<{ source: string; branch: string; term: string; atom: string }>(
  (tie) => ({
    source: fc.array(tie('branch'), { minLength: 1, maxLength: 2 }).map((branches) => branches.join('|')),
    branch: fc.array(tie('term'), { maxLength: 4 }).map((terms) => terms.join('')),
    term: fc.oneof(
      { weight: 4, arbitrary: tie('atom') },
      {
        weight: 4,
        arbitrary: fc.tuple(tie('atom'), fc.constantFrom(...QUANTIFIERS)).map((parts) => parts.join('')),
      },
      { weight: 2, arbitrary: fc.constantFrom(...EDGES) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), tie('source'))
          .map(([open, body]) => `${open}${body})`),
      },
    ),
    atom: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 6, arbitrary: fc.constantFrom(...ATOMS) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom('(', '(?:'), tie('source'))
          .map(([open, body]) => `${open}${body})`),
      },
    ),
  }),
);
const flagSets = fc.constantFrom(
  '',
  '',
  '',
  'i',
  's',
  'm',
  'g',
  'gy',
  'u',
  'iu',
  'su',
  'mu',
  'v',
  'ims',
  'imsu',
);

function compile(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

function verdicts(pattern: string, regExp: RegExp, some: readonly string[]) {
  const read = new RegExp(pattern, 'u');
  return some.map((text) => ({ text, isFound: read.test(text), isExpected: text.match(regExp) !== null }));
}

const SOME = [...PIECES, ...WIDE, ...WIDE.flatMap((wide) => [`a${wide}`, `${wide}a`, `${wide}${wide}`]), ''];

describe('a regular expression as a pattern', () => {
  it.each(TABLE)('reads /%s/%s as %p', (source, flags, pattern) => {
    const regExp = new RegExp(source, flags);
    expect(unicodePattern(regExp)).toBe(pattern);
    for (const { text, isFound, isExpected } of pattern === undefined
      ? []
      : verdicts(pattern, regExp, SOME)) {
      expect([text, isFound]).toEqual([text, isExpected]);
    }
  });

  it('reads no source of any length', () => {
    expect(unicodePattern(/^(?:a|b)/)).toBeDefined();
    expect(unicodePattern(new RegExp(`${'('.repeat(900)}a${')*'.repeat(900)}`))).toBeUndefined();
  });

  it('reads none that is nested too deep for the stack that is left', () => {
    const nested = new RegExp(`${'('.repeat(200)}a${')'.repeat(200)}`);
    expect(unicodePattern(nested)).toBe(nested.source);
    expect(atEachDepth(() => unicodePattern(nested))).toContain(undefined);
  });

  it('gives the verdicts of the regular expression', () => {
    let translated = 0;
    fc.assert(
      fc.property(
        sources,
        flagSets,
        fc.array(texts, { minLength: 20, maxLength: 40 }),
        (source, flags, some) => {
          const regExp = compile(source, flags);
          const pattern = regExp && unicodePattern(regExp);
          if (regExp === undefined || pattern === undefined) return;
          translated += 1;
          const wrong = verdicts(pattern, regExp, some).filter(
            ({ isFound, isExpected }) => isFound !== isExpected,
          );
          expect({ regExp, pattern, wrong }).toEqual({ regExp, pattern, wrong: [] });
        },
      ),
      { seed: 20260131, numRuns: Number(process.env.RUNS ?? 1000) },
    );
    expect(translated).toBeGreaterThan(100);
  });
});
