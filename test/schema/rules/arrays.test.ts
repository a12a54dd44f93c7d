/**
 * The rules on arrays, and `each: true`.
 * Invariant: contract, schema and class-validator agree on every value of a row.
 */
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsEnum,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { inputContract } from 'toolcrib';
import { problemsOf } from '../../fixtures/declaration-problems';
import { type Decorators, dtoWith } from '../../fixtures/dto-with';
import { holdRule, type RuleCase } from '../../fixtures/rule-cases';
import { propertyNode } from '../../fixtures/strict-schema';
import { accepts, refusalOf, validatorVerdict } from '../../fixtures/verdicts';

enum Status {
  Open = 'open',
  Done = 'done',
}

const NO_ARRAY = ['', 'ab', 0, true, null, {}, { length: 1 }];
const ANYTHING = { $ref: '#/$defs/JsonValue' };

const EXACT: readonly RuleCase[] = [
  {
    form: 'IsArray',
    decorators: [IsArray()],
    node: { type: 'array', items: ANYTHING },
    accepted: [[], [1, 'a', null, [{}]]],
    refused: { isArray: NO_ARRAY },
  },
  {
    form: 'ArrayMinSize(2)',
    decorators: [ArrayMinSize(2)],
    node: { type: 'array', minItems: 2, items: ANYTHING },
    accepted: [
      [1, 2],
      [null, null, null],
    ],
    refused: { arrayMinSize: [[], [1], ...NO_ARRAY] },
  },
  {
    form: 'ArrayMaxSize(1)',
    decorators: [ArrayMaxSize(1)],
    node: { type: 'array', maxItems: 1, items: ANYTHING },
    accepted: [[], [1]],
    refused: { arrayMaxSize: [[1, 2], ...NO_ARRAY] },
  },
  {
    form: 'ArrayNotEmpty',
    decorators: [ArrayNotEmpty()],
    node: { type: 'array', minItems: 1, items: ANYTHING },
    accepted: [[null]],
    refused: { arrayNotEmpty: [[], ...NO_ARRAY] },
  },
  {
    form: 'ArrayUnique beside IsString each',
    decorators: [ArrayUnique(), IsString({ each: true })],
    node: { type: 'array', uniqueItems: true, items: { type: 'string' } },
    accepted: [[], ['a', 'b']],
    refused: {
      arrayUnique: [
        ['a', 'a'],
        ['b', 'a', 'b'],
      ],
    },
  },
  {
    form: 'ArrayUnique beside IsNumber each',
    decorators: [IsNumber({}, { each: true }), ArrayUnique()],
    node: { type: 'array', uniqueItems: true, items: { type: 'number' } },
    accepted: [[1, 1.5]],
    refused: {
      arrayUnique: [
        [1, 1],
        [0, -0],
      ],
    },
  },
];

const UNIQUE: readonly RuleCase[] = [
  {
    form: 'ArrayUnique of anything',
    decorators: [ArrayUnique()],
    accepted: [[], [1, '1'], [{ a: 1 }, { a: 1 }], [[1], [1]]],
    refused: { arrayUnique: [[1, 1], [null, null], ...NO_ARRAY] },
    admitsMore: true,
  },
  {
    form: 'ArrayUnique by a member',
    decorators: [ArrayUnique((one: { id?: unknown }) => one.id)],
    accepted: [[{ id: 1 }, { id: 2 }]],
    refused: {
      arrayUnique: [
        [
          { id: 1, x: 1 },
          { id: 1, x: 2 },
        ],
        [{}, {}],
      ],
    },
    admitsMore: true,
  },
  {
    form: 'ArrayUnique by a form that keeps numbers and texts apart',
    decorators: [ArrayUnique((one: unknown) => String(one).toLowerCase()), IsString({ each: true })],
    accepted: [['a', 'b']],
    refused: { arrayUnique: [['a', 'A']] },
    admitsMore: true,
  },
];

const EACH: readonly (readonly [
  string,
  Decorators,
  object,
  readonly unknown[],
  string,
  readonly unknown[],
])[] = [
  ['IsString', [IsString({ each: true })], { type: 'string' }, ['', 'a'], 'isString', [1, null, []]],
  ['IsBoolean', [IsBoolean({ each: true })], { type: 'boolean' }, [true], 'isBoolean', ['true', 0]],
  ['IsNumber', [IsNumber({}, { each: true })], { type: 'number' }, [1.5], 'isNumber', ['1', null]],
  ['Min', [Min(1, { each: true })], { type: 'number', minimum: 1 }, [1, 2], 'min', [0, '1']],
  ['Max', [Max(1, { each: true })], { type: 'number', maximum: 1 }, [1, 0], 'max', [2]],
  ['MaxLength', [MaxLength(0, { each: true })], { type: 'string', maxLength: 0 }, [''], 'maxLength', ['ab']],
  ['Matches', [Matches(/^a$/u, { each: true })], { type: 'string', pattern: '^a$' }, ['a'], 'matches', ['b']],
  ['IsIn', [IsIn([1, 'a'], { each: true })], { enum: [1, 'a'] }, [1, 'a'], 'isIn', ['1', null]],
  [
    'IsEnum',
    [IsEnum(Status, { each: true })],
    { type: 'string', enum: ['open', 'done'] },
    ['open'],
    'isEnum',
    ['Open'],
  ],
  [
    'IsNotEmpty beside IsString',
    [IsString({ each: true }), IsNotEmpty({ each: true })],
    { type: 'string', minLength: 1 },
    ['a'],
    'isNotEmpty',
    [''],
  ],
  [
    'IsInt beside Min',
    [IsInt({ each: true }), Min(1, { each: true })],
    { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    [1, 2],
    'min',
    [0],
  ],
];

describe('the rules on arrays', () => {
  it.each(EXACT)('$form', holdRule);
  it.each(UNIQUE)('$form', holdRule);

  it.each([
    ['a size below zero', ArrayMinSize(-1)],
    ['half an element', ArrayMinSize(1.5)],
    ['a size that is not a number', ArrayMaxSize(Number.NaN)],
    ['an infinite size', ArrayMaxSize(Number.POSITIVE_INFINITY)],
  ])('refuse %s', (_, decorator) => {
    expect(problemsOf(() => inputContract(dtoWith(decorator)))).toMatchObject([
      { code: 'unsupported_rule', place: { class: 'Made', member: 'v' } },
    ]);
  });
});

describe('each: true', () => {
  it.each(EACH)('%s sits on the elements', async (_, decorators, items, taken, rule, broken) => {
    for (const stacked of [decorators, [IsArray(), ...decorators], [...decorators, IsArray()]]) {
      const cls = dtoWith(...stacked);
      expect(propertyNode(inputContract(cls).schema, 'v')).toEqual({ type: 'array', items });
      expect(await accepts(cls, { v: [] })).toBe(true);
      expect(await accepts(cls, { v: taken })).toBe(true);
      expect(await validatorVerdict(cls, { v: taken })).toBe('accepts');
      for (const one of broken) {
        expect(await refusalOf(cls, { v: [...taken, one] })).toEqual([`/v/${taken.length} ${rule}`]);
        expect(await validatorVerdict(cls, { v: [...taken, one] })).toBe('refuses');
      }
    }
  });

  it('names every element that breaks a rule', async () => {
    expect(await refusalOf(dtoWith(IsInt({ each: true })), { v: [1, 'a', 2, null] })).toEqual([
      '/v/1 isInt',
      '/v/3 isInt',
    ]);
  });

  it('keeps the rules of the array and of its elements apart', async () => {
    const cls = dtoWith(ArrayMaxSize(2), MaxLength(3, { each: true }));
    expect(await accepts(cls, { v: ['abc', 'abc'] })).toBe(true);
    expect(await refusalOf(cls, { v: ['abcd', '', ''] })).toEqual(['/v arrayMaxSize', '/v/0 maxLength']);
  });

  it('SCH-05: the values of a text enum are listed inside the items', async () => {
    const cls = dtoWith(IsArray(), ArrayUnique(), IsEnum(Status, { each: true }));
    expect(propertyNode(inputContract(cls).schema, 'v')).toEqual({
      type: 'array',
      uniqueItems: true,
      items: { type: 'string', enum: ['open', 'done'] },
    });
    expect(await accepts(cls, { v: ['open'] })).toBe(true);
    expect(await refusalOf(cls, { v: ['Open'] })).toEqual(['/v/0 isEnum']);
    expect(await refusalOf(cls, { v: ['open', 'open'] })).toEqual(['/v arrayUnique']);
  });
});
