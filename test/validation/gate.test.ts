/**
 * Violations: which place, which rule, how many.
 * Invariant: a violation names a place by JSON Pointer and a rule as class-validator spells it, and never
 * repeats a value.
 */
import { Type } from 'class-transformer';
import {
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDate,
  IsEmail,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { inputContract } from 'toolcrib';
import { dtoOf, dtoWith } from '../fixtures/dto-with';
import { refusalOf, violationsIn } from '../fixtures/verdicts';

class Part {
  @IsInt() n!: number;
}

describe('the place of a violation', () => {
  it('is a JSON Pointer, escaped', async () => {
    const cls = dtoOf({
      'a/b': [IsInt()],
      'c~d': [IsInt()],
      '~1': [IsOptional(), IsInt()],
      'é "x"': [IsInt({ each: true })],
    });
    expect(await refusalOf(cls, { 'a/b': 'x', '~1': 'x', 'é "x"': [1, 'x'] })).toEqual([
      '/a~1b isInt',
      '/c~0d isDefined',
      '/~01 isInt',
      '/é "x"/1 isInt',
    ]);
    expect(await refusalOf(cls, { 'a/b': 1, 'c~d': 1, 'é "x"': [], 'p/~q': 1 })).toEqual([
      '/p~1~0q whitelistValidation',
    ]);
  });

  it('of an unknown property is that property, cut where its name is endless', async () => {
    const name = 'x'.repeat(5_000);
    const outcome = await inputContract(Part).parse({ n: 1, [name]: 1 });
    const [violation] = violationsIn(outcome);
    expect(violation?.rule).toBe('whitelistValidation');
    expect(name.startsWith(String(violation?.path).slice(1))).toBe(true);
    expect(JSON.stringify(violation).length).toBeLessThan(500);
  });

  it('of a missing property is that property, at any depth', async () => {
    const parts = [ValidateNested({ each: true }), Type(() => Part)];
    const cls = dtoOf({ parts, one: [ValidateNested(), Type(() => Part)] });
    expect(await refusalOf(cls, { parts: [{}, { n: 1 }, {}] })).toEqual([
      '/one isDefined',
      '/parts/0/n isDefined',
      '/parts/2/n isDefined',
    ]);
  });
});

describe('the rule of a violation', () => {
  const nested = [ValidateNested(), Type(() => Part)];
  const many = [ValidateNested({ each: true }), Type(() => Part)];
  const date = [Type(() => Date), IsDate()];

  it.each([
    ['a text for a number', [IsInt(), Min(1)], 'x', ['isInt']],
    ['two broken bounds', [MinLength(3), Matches(/^a/u)], 'b', ['matches', 'minLength']],
    [
      'three broken rules',
      [IsIn(['abc']), MaxLength(3), Matches(/^a/u)],
      'bcde',
      ['isIn', 'matches', 'maxLength'],
    ],
    ['rules set apart', [Matches(/^a/u), Matches(/b$/u), MaxLength(1)], 'xx', ['matches', 'maxLength']],
    ['a scalar for a list', [IsInt({ each: true })], 5, ['isArray']],
    ['a scalar for a list of DTOs', many, 'x', ['isArray']],
    ['an object for a list, with IsArray', [IsArray(), ...many], {}, ['isArray']],
    ['an array for a DTO', nested, [], ['nestedValidation']],
    ['null for a DTO', nested, null, ['nestedValidation']],
    ['an array for an optional DTO', [IsOptional(), ...nested], [], ['nestedValidation']],
    ['a text for a Date', date, 'soon', ['isDate']],
    ['a number for a Date', date, 5, ['isDate']],
    ['an array for an optional Date', [IsOptional(), ...date], [], ['isDate']],
    ['half an integer', [IsInt(), IsNumber()], 1.5, ['isInt']],
    ['half an integer, the other way round', [IsNumber(), IsInt()], 1.5, ['isInt']],
    ['a huge integer', [IsInt()], 2 ** 53, ['isInt']],
    ['a text for an optional number', [IsOptional(), IsInt(), Max(3)], 'x', ['isInt']],
    ['a value that an optional list lacks', [IsOptional(), IsIn(['a', 1])], 'b', ['isIn']],
    ['an empty text for an optional anything', [IsOptional(), IsNotEmpty()], '', ['isNotEmpty']],
    ['an array for an object', [IsObject()], [], ['isObject']],
    ['an array for an optional object', [IsOptional(), IsObject()], [], ['isObject']],
  ] as const)('is the one that class-validator would name: %s', async (_, decorators, v, rules) => {
    expect(await refusalOf(dtoWith(...decorators), { v })).toEqual(rules.map((rule) => `/v ${rule}`));
  });

  it.each([
    ['IsString', 5, [IsString(), MinLength(6)], 'isString'],
    ['IsString', 5, [MinLength(6), Matches(/^a/u), IsString()], 'isString'],
    ['IsNumber', 'x', [IsNumber(), Min(1)], 'isNumber'],
    ['IsNumber', 'x', [Max(3), IsNumber()], 'isNumber'],
    ['IsArray', 'x', [IsArray(), ArrayMinSize(1)], 'isArray'],
    ['IsArray', 'x', [ArrayMinSize(1), IsArray()], 'isArray'],
  ] as const)('is %s where the type is wrong, whatever else sits there', async (_, v, decorators, rule) => {
    expect(await refusalOf(dtoWith(...decorators), { v })).toContain(`/v ${rule}`);
  });

  it('is said once for one place, however often it is broken', async () => {
    const cls = dtoWith(Matches(/^a/u), Matches(/b$/u), Matches(/c/u));
    expect(await refusalOf(cls, { v: 'x' })).toEqual(['/v matches']);
  });
});

describe('the number of violations', () => {
  it('is at most 20, of the gate', async () => {
    const contract = inputContract(dtoWith(IsInt({ each: true })));
    const v = Array.from({ length: 5_000 }, () => 'x');
    const violations = violationsIn(await contract.parse({ v }));
    expect(violations).toHaveLength(20);
    expect(new Set(violations.map(({ path }) => path)).size).toBe(20);
    expect(violationsIn(await contract.parse({ v: v.slice(0, 19) }))).toHaveLength(19);
  });

  it('is at most 20, of the rules after it', async () => {
    const contract = inputContract(dtoWith(IsEmail({}, { each: true })));
    const v = Array.from({ length: 100 }, () => 'x');
    expect(violationsIn(await contract.parse({ v }))).toHaveLength(20);
  });

  it('is at most 20, of unknown properties', async () => {
    const raw = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`p${at}`, at]));
    expect(violationsIn(await inputContract(Part).parse({ n: 1, ...raw }))).toHaveLength(20);
  });

  it('counts all properties of one call together', async () => {
    const cls = dtoOf({ a: [IsInt()], b: [IsBoolean()], c: [Length(2, 3)] });
    expect(await refusalOf(cls, { a: 'x', c: 'x', d: 1 })).toEqual([
      '/a isInt',
      '/b isDefined',
      '/c isLength',
      '/d whitelistValidation',
    ]);
  });
});
