/**
 * The rules on text: what each emits, accepts and refuses.
 * Invariant: contract, schema and class-validator agree on every value of a row.
 */
import {
  IsEmail,
  IsISO8601,
  IsNotEmpty,
  IsString,
  IsUrl,
  Length,
  Matches,
  MaxLength,
  MinLength,
} from 'class-validator';
import { inputContract } from 'toolcrib';
import { problemsOf } from '../../fixtures/declaration-problems';
import { dtoWith } from '../../fixtures/dto-with';
import { holdRule, type RuleCase } from '../../fixtures/rule-cases';
import { compileStrictly, propertyNode } from '../../fixtures/strict-schema';
import { accepts, refusalOf } from '../../fixtures/verdicts';

const NO_TEXT = [0, 1, true, null, [], ['a'], {}];

const EXACT: readonly RuleCase[] = [
  {
    form: 'IsString',
    decorators: [IsString()],
    node: { type: 'string' },
    accepted: ['', ' ', 'a', '💩', 'null'],
    refused: { isString: NO_TEXT },
  },
  {
    form: 'MinLength(0)',
    decorators: [MinLength(0)],
    node: { type: 'string' },
    accepted: ['', 'a'],
    refused: { minLength: NO_TEXT },
  },
  {
    form: 'MinLength(1)',
    decorators: [MinLength(1)],
    node: { type: 'string', minLength: 1 },
    accepted: ['a', ' ', '💩', '❤️', '\u{fe0f}'],
    refused: { minLength: ['', ...NO_TEXT] },
  },
  {
    form: 'MinLength(3)',
    decorators: [MinLength(3)],
    accepted: ['abc', '💩💩💩', 'äöü'],
    refused: { minLength: ['', 'ab', '💩💩', ...NO_TEXT] },
  },
  {
    form: 'MinLength(1.5)',
    decorators: [MinLength(1.5)],
    accepted: ['ab'],
    refused: { minLength: ['a'] },
  },
  {
    form: 'MaxLength(2)',
    decorators: [MaxLength(2)],
    accepted: ['', 'ab', '💩💩'],
    refused: { maxLength: ['abc', '💩💩💩', ...NO_TEXT] },
  },
  {
    form: 'MaxLength(2.5)',
    decorators: [MaxLength(2.5)],
    accepted: ['ab'],
    refused: { maxLength: ['abc'] },
  },
  {
    form: 'MaxLength(0)',
    decorators: [MaxLength(0)],
    node: { type: 'string', maxLength: 0 },
    accepted: [''],
    refused: { maxLength: ['a'] },
  },
  {
    form: 'Length(2, 3)',
    decorators: [Length(2, 3)],
    accepted: ['ab', 'abc', '💩💩'],
    refused: { isLength: ['', 'a', 'abcd', ...NO_TEXT] },
  },
  {
    form: 'Length(2)',
    decorators: [Length(2)],
    accepted: ['ab', 'abcdefghij'],
    refused: { isLength: ['a', ...NO_TEXT] },
  },
  {
    form: 'Matches, Unicode mode',
    decorators: [Matches(/^\p{L}.$/u)],
    node: { type: 'string', pattern: '^\\p{L}.$' },
    accepted: ['a1', 'ä💩'],
    refused: { matches: ['', '11', 'abc', ...NO_TEXT] },
  },
  {
    form: 'Matches without flags',
    decorators: [Matches(/^ORD-[0-9]{4,8}$/)],
    node: { type: 'string', pattern: '^ORD-[0-9]{4,8}$' },
    accepted: ['ORD-1234', 'ORD-12345678'],
    refused: { matches: ['ORD-123', 'ord-1234', 'ORD-1234 ', 'ORD-1234\n', ...NO_TEXT] },
  },
  {
    form: 'Matches of a text',
    decorators: [Matches('^[a-c]+$')],
    node: { type: 'string', pattern: '^[a-c]+$' },
    accepted: ['abc'],
    refused: { matches: ['d', '', ...NO_TEXT] },
  },
  {
    form: 'Matches with the flag g',
    decorators: [Matches(/b/g)],
    node: { type: 'string', pattern: 'b' },
    accepted: ['b', 'abc', 'b'],
    refused: { matches: ['a'] },
  },
  {
    form: 'Matches with a slash',
    decorators: [Matches(/^a\/b$/)],
    accepted: ['a/b'],
    refused: { matches: ['a-b'] },
  },
  {
    form: 'IsNotEmpty beside IsString',
    decorators: [IsNotEmpty(), IsString()],
    node: { type: 'string', minLength: 1 },
    accepted: ['a', ' '],
    refused: { isNotEmpty: [''], isString: [1, true, [], {}] },
  },
];

const VALIDATOR_ONLY: readonly RuleCase[] = [
  {
    form: 'IsEmail',
    decorators: [IsEmail()],
    accepted: ['a@b.co', 'first.last+tag@example.com'],
    refused: { isEmail: ['', 'a', 'a@b', '\ud83d@b.co', ...NO_TEXT] },
    admitsMore: true,
  },
  {
    form: 'IsEmail with options',
    decorators: [IsEmail({ require_tld: false })],
    accepted: ['a@localhost'],
    refused: { isEmail: ['localhost'] },
    admitsMore: true,
  },
  {
    form: 'IsUrl',
    decorators: [IsUrl({ protocols: ['https'], require_protocol: true })],
    accepted: ['https://example.com/a?b=c'],
    refused: { isUrl: ['http://example.com', 'example.com', '', ...NO_TEXT] },
    admitsMore: true,
  },
  {
    form: 'IsISO8601',
    decorators: [IsISO8601({ strict: true })],
    accepted: ['2024-02-29', '2024-W05-3', '2024-01-31T10:00:00Z'],
    refused: { isIso8601: ['2023-02-29', 'soon', '', ...NO_TEXT] },
    admitsMore: true,
  },
];

describe('the exact rules on text', () => {
  it.each(EXACT)('$form', holdRule);

  it('count as validator.js does, which passes over the variation selector of an emoji', async () => {
    for (const [decorator, v] of [
      [MinLength(2), '❤️'],
      [Length(2, 5), '❤️'],
      [MaxLength(2), '❤️❤️❤️'],
    ] as const) {
      const cls = dtoWith(decorator);
      expect(compileStrictly(inputContract(cls).schema)({ v })).toBe(false);
      expect(await refusalOf(cls, { v })).toHaveLength(1);
    }
    expect(await accepts(dtoWith(MaxLength(3)), { v: '❤️❤️❤️' })).toBe(true);
  });

  it('leave a pattern that takes half a character to class-validator', async () => {
    const cls = dtoWith(Matches(/^[^a]$/));
    expect(propertyNode(inputContract(cls).schema, 'v')).toMatchObject({ type: 'string' });
    expect(await refusalOf(cls, { v: '💩' })).toEqual(['/v matches']);
  });

  it('leave nothing to words', () => {
    for (const { decorators } of EXACT) {
      expect(inputContract(dtoWith(...decorators)).validatorOnlyRules).toEqual([]);
    }
  });
});

describe('the validator-only rules on text', () => {
  it.each(VALIDATOR_ONLY)('$form', holdRule);

  it.each(VALIDATOR_ONLY)('$form shows a text, and the rule in words', ({ decorators, refused }) => {
    const { schema, validatorOnlyRules } = inputContract(dtoWith(...decorators));
    const node = propertyNode(schema, 'v');
    const [rule, ...others] = validatorOnlyRules;
    expect(node.type).toBe('string');
    expect(rule).toMatchObject({ schemaPath: '#/properties/v', rule: Object.keys(refused)[0] });
    expect(others).toEqual([]);
    expect(node.description).toContain(rule?.text);
  });
});

describe('the rules on text that are refused', () => {
  const REFUSED: readonly (readonly [string, PropertyDecorator])[] = [
    ['the flag y', Matches(/abc/y)],
    ['a pattern that runs away', Matches(/^(a+)+$/)],
    ['a text that is no pattern', Matches('(')],
    ['a minimum that is not a number', MinLength(Number.NaN)],
    ['an infinite maximum', MaxLength(Number.POSITIVE_INFINITY)],
    ['a maximum below zero', MaxLength(-1)],
    ['a length that is not a number', Length(Number.NaN, 3)],
    ['an infinite upper length', Length(1, Number.POSITIVE_INFINITY)],
  ];

  it.each(REFUSED)('%s', (_, decorator) => {
    expect(problemsOf(() => inputContract(dtoWith(decorator)))).toMatchObject([
      { code: 'unsupported_rule', place: { class: 'Made', member: 'v' } },
    ]);
  });
});
