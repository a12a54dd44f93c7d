/**
 * Every form of the table against class-validator's own constraint, on values near its border and far from it.
 * Invariant: an exact form accepts what class-validator accepts, a validator-only one accepts that and more.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { slowPattern } from '../../../src/schema/patterns/slow-pattern';
import { findConstraint, recordedFor } from '../../../src/schema/recorded-rules';
import { PROBES } from '../../../src/schema/rules/probes';
import { findRule, isOriginal } from '../../../src/schema/rules/table';
import { compileStrictly } from '../../fixtures/strict-schema';
import { type Form, PATTERN_FORMS, TEXT_FORMS, VALUE_FORMS } from './forms';

const HOSTILE: readonly unknown[] = [
  '\ud83d',
  '\udca9',
  '\udca9\ud83d',
  'a\ud83d',
  '💩',
  '💩💩💩',
  '👨‍👩‍👧',
  '❤️',
  '❤️❤️❤️',
  '\ufe0f',
  '\ufe0f\ufe0f',
  'e\u0301',
  'ß',
  'ﬁ',
  'ﬀ',
  'ﬅ',
  'ﬆ',
  'ı',
  'İ',
  'ſ',
  '\u212a',
  'Ａ',
  'ａ１',
  '１',
  '٣',
  'é',
  'Σ',
  'ς',
  'ǅ',
  'ſD',
  'ıT',
  'ßD',
  'ﬁN',
  'ßſ',
  'Eﬆ',
  '\n',
  '\r',
  '\u2028',
  '\u0085',
  '\u00a0',
  '\ufeff',
  '\t',
  ' ',
  '  ',
  '\0',
  '\x7f',
  '\x80',
  ',',
  '.',
  '-',
  '+',
  '()',
  '0',
  '-0',
  '+0',
  '00',
  '1e5',
  '0x',
  '0x0',
  'NaN',
  'Infinity',
  '__proto__',
  'constructor',
  'toString',
  '%',
  '%00',
  '\\',
  '/',
  '"',
  "'",
  '`',
  '[',
  ']',
  '{',
  '}',
  '$',
  '^',
  '|',
  0,
  -0,
  1,
  0.5,
  1e-7,
  -1e-7,
  5e-324,
  1e21,
  -1e21,
  2 ** 53 - 1,
  2 ** 53,
  90,
  180,
  1.7976931348623157e308,
  [null],
  [0],
  [-0],
  ['a', 'A'],
  [[]],
  [{}],
  { a: null },
  { a: { b: 1 } },
];

function judged([, decorator]: Form) {
  const cls = class {};
  decorator(cls.prototype, 'v');
  const recorded = recordedFor(cls)[0];
  const constraint = recorded === undefined ? undefined : findConstraint(recorded)?.instance;
  const rule = findRule(recorded?.name);
  if (recorded === undefined || constraint === undefined || rule === undefined) throw new Error('no row');
  const constraints: readonly unknown[] = recorded.constraints ?? [];
  const isTheirs = isOriginal(rule, constraint, constraints);
  const none: ReadonlySet<string> = new Set();
  const contribution = isTheirs
    ? rule.contribute(constraints, { siblings: none, elements: none, isPlainText: false })
    : rule.otherwise;
  if (contribution === undefined) throw new Error('taken for a custom rule');
  const isAccepted = (value: unknown): boolean => {
    for (const one of constraints) if (one instanceof RegExp) one.lastIndex = 0;
    const args = { value, constraints: [...constraints], targetName: '', object: {}, property: 'v' };
    try {
      return constraint.validate(value, args) === true;
    } catch {
      return false;
    }
  };
  return { rule, contribution, isAccepted, isTheirs };
}

/** Texts that differ from a text by little. */
function mutations(text: string): readonly string[] {
  const chars = [...text];
  const at = chars.flatMap((char, index) => {
    const put = (one: string) => [...chars.slice(0, index), one, ...chars.slice(index + 1)].join('');
    return [
      put(''),
      put(char + char),
      put(char.toUpperCase()),
      put(char.toLowerCase()),
      put(' '),
      put('ſ'),
      put('0'),
      put('é'),
    ];
  });
  return [
    ...at,
    `${text}\n`,
    ` ${text}`,
    `${text} `,
    text.toUpperCase(),
    text.toLowerCase(),
    `${text}${text}`,
    `\u00a0${text}`,
    `${text},1`,
    `${text}\ud83d`,
  ];
}

/** Within what the gate takes: JSON without what a closed reading sets apart. */
function isComparable(name: string, value: unknown): boolean {
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  return !(name.startsWith('IsEnum') && typeof value === 'string' && /^[A-C]$/.test(value));
}

/** JSON carries the value; a Date stands for what hydration makes of its text. */
function isCarried(value: unknown): boolean {
  if (value instanceof Date || value === 0) return true;
  try {
    return value !== undefined && isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value);
  } catch {
    return false;
  }
}

/** Lists of codes are longer than what the check looks at. */
function isShort(pattern: string): boolean {
  return pattern.length <= 2000;
}

function patternsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    key === 'pattern' && typeof one === 'string' ? [one] : patternsOf(one),
  );
}

const FORMS = [...VALUE_FORMS, ...TEXT_FORMS, ...PATTERN_FORMS];

describe('the forms of the rules', () => {
  it.each(FORMS.map((form) => ({ name: form[0], form })))('$name', ({ form }) => {
    const [name, , grade, values = []] = form;
    const { rule, contribution, isAccepted } = judged(form);
    expect(contribution.grade).toBe(grade);
    if (contribution.grade === 'refused') return;
    const { keywords } = contribution;
    expect(JSON.parse(JSON.stringify(keywords))).toEqual(keywords);
    const patterns = patternsOf(keywords);
    for (const pattern of patterns.filter(isShort)) expect(slowPattern(pattern, 'u')).toBeUndefined();
    const isAdmitted = compileStrictly({ ...keywords });
    const near = [...PROBES, ...HOSTILE, ...rule.near, ...values].filter(isCarried);
    const texts = near.filter((value) => typeof value === 'string');
    const accepted = texts.filter((text) => isAccepted(text));
    const made = patterns.flatMap((pattern) => {
      if (/\[\^|\\P/.test(pattern)) return [];
      try {
        return fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { numRuns: 60, seed: 4 });
      } catch {
        return [];
      }
    });
    const all = [
      ...near,
      ...made,
      ...[...accepted, ...texts.slice(-12), ...made.slice(0, 6)].flatMap(mutations),
    ];
    const wrong = all.filter((value) => {
      if (!isComparable(name, value)) return false;
      const [theirs, ours] = [isAccepted(value), isAdmitted(value)];
      return grade === 'exact' ? theirs !== ours : theirs && !ours;
    });
    expect(wrong.slice(0, 10)).toEqual([]);
    expect(all.some((value) => isAccepted(value))).toBe(true);
  });
});
