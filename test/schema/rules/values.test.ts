/**
 * The rules that list values, and those that hold for values of any type.
 * Invariant: contract, schema and class-validator agree on every value of a row.
 */
import {
  Allow,
  Equals,
  IsBoolean,
  IsDefined,
  IsEnum,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsString,
} from 'class-validator';
import { inputContract } from 'toolcrib';
import { problemsOf } from '../../fixtures/declaration-problems';
import { dtoWith } from '../../fixtures/dto-with';
import { holdRule, type RuleCase } from '../../fixtures/rule-cases';
import { propertyNode } from '../../fixtures/strict-schema';
import { accepts, parsedValue, refusalOf } from '../../fixtures/verdicts';

enum Status {
  Open = 'open',
  Done = 'done',
}
enum Priority {
  Low,
  High,
}
enum Sparse {
  Ten = 10,
  Minus = -1,
  Half = 0.5,
}
enum Mixed {
  A = 'a',
  B = 1,
}

const LISTS: readonly RuleCase[] = [
  {
    form: 'IsBoolean',
    decorators: [IsBoolean()],
    node: { type: 'boolean' },
    accepted: [true, false],
    refused: { isBoolean: ['true', 'false', '', 0, 1, null, [], {}] },
  },
  {
    form: 'IsIn of texts',
    decorators: [IsIn(['a', 'b'])],
    node: { type: 'string', enum: ['a', 'b'] },
    accepted: ['a', 'b'],
    refused: { isIn: ['', 'A', 'ab', 0, null, ['a'], {}] },
  },
  {
    form: 'IsIn of integers',
    decorators: [IsIn([1, 2])],
    node: { type: 'integer', enum: [1, 2] },
    accepted: [1, 2],
    refused: { isIn: [0, 3, 1.5, '1', true, null] },
  },
  {
    form: 'IsIn of numbers',
    decorators: [IsIn([0.5, 1])],
    node: { type: 'number', enum: [0.5, 1] },
    accepted: [0.5, 1],
    refused: { isIn: [0, '0.5'] },
  },
  {
    form: 'IsIn of booleans',
    decorators: [IsIn([true])],
    node: { type: 'boolean', enum: [true] },
    accepted: [true],
    refused: { isIn: [false, 'true', 1] },
  },
  {
    form: 'IsIn of several types, with null',
    decorators: [IsIn([1, 'a', null])],
    node: { enum: [1, 'a', null] },
    accepted: [1, 'a', null],
    refused: { isIn: ['1', 'b', true, [], {}] },
  },
  {
    form: 'IsIn with a repetition',
    decorators: [IsIn(['a', 'a'])],
    node: { type: 'string', enum: ['a'] },
    accepted: ['a'],
    refused: { isIn: ['b'] },
  },
  {
    form: 'Equals',
    decorators: [Equals('abc')],
    node: { type: 'string', enum: ['abc'] },
    accepted: ['abc'],
    refused: { equals: ['', 'ABC', 1, null] },
  },
  {
    form: 'Equals(null)',
    decorators: [Equals(null)],
    node: { enum: [null] },
    accepted: [null],
    refused: { equals: ['', 0, false] },
  },
  {
    form: 'IsEnum of texts',
    decorators: [IsEnum(Status)],
    node: { type: 'string', enum: ['open', 'done'] },
    accepted: ['open', 'done'],
    refused: { isEnum: ['Open', 'OPEN', '', 0, null] },
  },
  {
    form: 'IsEnum of an array',
    decorators: [IsEnum(['x', 'y'])],
    node: { type: 'string', enum: ['x', 'y'] },
    accepted: ['x'],
    refused: { isEnum: ['0', 'z'] },
  },
  {
    form: 'IsEnum of numbers with gaps',
    decorators: [IsEnum(Sparse)],
    node: { type: 'number', enum: [10, -1, 0.5] },
    accepted: [10, -1, 0.5],
    refused: { isEnum: [1, '10', null] },
  },
  {
    form: 'IsEnum of texts and numbers',
    decorators: [IsEnum(Mixed)],
    node: { enum: ['a', 1] },
    accepted: ['a', 1],
    refused: { isEnum: ['A', 'b', '1', null] },
  },
  {
    form: 'IsIn beside IsString',
    decorators: [IsString(), IsIn(['a', 'b'])],
    node: { type: 'string', enum: ['a', 'b'] },
    accepted: ['a'],
    refused: { isIn: ['c'], isString: [] },
  },
  {
    form: 'IsIn beside IsInt',
    decorators: [IsInt(), IsIn([1, 5])],
    node: { type: 'integer', enum: [1, 5] },
    accepted: [1, 5],
    refused: { isIn: [2] },
  },
];

const OF_ANY_TYPE: readonly RuleCase[] = [
  {
    form: 'Allow',
    decorators: [Allow()],
    accepted: [null, 0, '', 'a', [], {}, [{ a: [1] }]],
    refused: {},
  },
  {
    form: 'IsDefined',
    decorators: [IsDefined()],
    accepted: [0, '', false, [], {}, [null]],
    refused: { isDefined: [null] },
  },
  {
    form: 'IsNotEmpty',
    decorators: [IsNotEmpty()],
    accepted: [0, false, ' ', 'a', [], {}],
    refused: { isNotEmpty: ['', null] },
  },
  {
    form: 'IsNotEmpty beside IsInt',
    decorators: [IsNotEmpty(), IsInt()],
    accepted: [0, 5],
    refused: { isInt: [1.5] },
  },
  {
    form: 'IsObject',
    decorators: [IsObject()],
    accepted: [{}, { a: 1, b: [{ c: null }] }, { length: 1 }],
    refused: { isObject: [[], 'a', 1, true, null] },
  },
];

describe('the rules that list values', () => {
  it.each(LISTS)('$form', holdRule);

  it('SCH-04: a numeric enum shows its numbers and takes nothing else', async () => {
    const cls = dtoWith(IsEnum(Priority));
    expect(propertyNode(inputContract(cls).schema, 'v')).toEqual({ type: 'integer', enum: [0, 1] });
    expect(await parsedValue(cls, { v: 1 })).toEqual({ v: 1 });
    for (const v of ['High', 'Low', '1', 2, null, true]) {
      expect(await refusalOf(cls, { v })).toEqual(['/v isEnum']);
    }
  });
});

describe('the rules for values of any type', () => {
  it.each(OF_ANY_TYPE)('$form', holdRule);

  it('demand the property, all but Allow', async () => {
    for (const rule of [IsDefined(), IsNotEmpty(), IsObject(), IsBoolean(), IsIn([null])]) {
      expect(await refusalOf(dtoWith(rule), {})).toEqual(['/v isDefined']);
    }
    expect(await accepts(dtoWith(Allow()), {})).toBe(true);
  });

  it.each([
    ['IsString', IsString()],
    ['IsInt', IsInt()],
    ['IsBoolean', IsBoolean()],
    ['IsObject', IsObject()],
    ['IsIn', IsIn(['a', 1, null])],
  ])('IsDefined stands beside %s in either order', async (_, rule) => {
    for (const decorators of [
      [IsDefined(), rule],
      [rule, IsDefined()],
    ]) {
      const cls = dtoWith(...decorators);
      expect(await accepts(cls, { v: null })).toBe(false);
      const oneIsTaken = [];
      for (const v of ['a', 1, true, {}]) oneIsTaken.push(await accepts(cls, { v }));
      expect(oneIsTaken).toContain(true);
    }
  });
});

describe('the lists that are refused', () => {
  const REFUSED: readonly (readonly [string, PropertyDecorator])[] = [
    ['an empty list', IsIn([])],
    ['a list with an object', IsIn(['a', {}])],
    ['a list with NaN', IsIn([Number.NaN])],
    ['a list with undefined', IsIn(['a', undefined])],
    ['a list with a bigint', IsIn([1n])],
    ['an empty enum', IsEnum({})],
    ['an enum of objects', IsEnum({ a: {} })],
    ['a comparison with an object', Equals({})],
    ['a comparison with Infinity', Equals(Number.POSITIVE_INFINITY)],
  ];

  it.each(REFUSED)('%s', (_, decorator) => {
    expect(problemsOf(() => inputContract(dtoWith(decorator)))).toMatchObject([
      { code: 'unsupported_rule', place: { class: 'Made', member: 'v' } },
    ]);
  });
});
