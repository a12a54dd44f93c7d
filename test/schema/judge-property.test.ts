/**
 * Properties that cannot be part of a schema.
 * Invariant: each is refused before the first call, with the class, the property and a mend.
 */
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  Allow,
  IsArray,
  IsBoolean,
  IsDate,
  IsEnum,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsOptional,
  IsPositive,
  IsString,
  Min,
  MinDate,
  MinLength,
  Validate,
  ValidateNested,
  ValidatePromise,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { type DeclarationProblemCode, inputContract } from 'toolcrib';
import { codesOf, problemsOf } from '../fixtures/declaration-problems';
import { type Decorators, decorate, dtoOf, dtoWith } from '../fixtures/dto-with';
import { accepts } from '../fixtures/verdicts';

class Part {
  @IsInt() n!: number;
}
const aPart = Type(() => Part);
const aDate = Type(() => Date);
const outward = Expose({ name: 'w', toPlainOnly: true });

const REFUSED: readonly (readonly [string, DeclarationProblemCode, Decorators])[] = [
  ['@Transform for some calls', 'unsupported_rule', [Transform((p) => p, { groups: ['a'] }), IsInt()]],
  ['@Transform of a nested DTO', 'unsupported_type', [Transform((p) => p), ValidateNested(), aPart]],
  ['@Expose since a version', 'unsupported_rule', [Expose({ since: 2 }), IsString()]],
  ['@Expose under a name on the way out', 'unsupported_rule', [outward, IsString()]],
  ['@Exclude', 'unsupported_rule', [Exclude(), IsString()]],
  ['@Exclude on the way out', 'unsupported_rule', [Exclude({ toPlainOnly: true }), IsString()]],
  ['@ValidatePromise', 'unsupported_rule', [ValidatePromise(), IsString()]],
  ['an idle validateIf', 'unsupported_rule', [IsOptional({ validateIf: () => true }), IsString()]],
  ['an array of arrays', 'unsupported_rule', [IsArray(), IsArray({ each: true })]],
  ['a constraint class that is none', 'unsupported_rule', [Validate(class Bare {})]],
  ['an empty enum beside a known rule', 'unsupported_rule', [IsString(), IsEnum({})]],
  ['a rule for text on a Date', 'unsupported_rule', [aDate, IsDate(), MinLength(1)]],
  ['a rule for numbers on a Date', 'unsupported_rule', [aDate, IsInt()]],
  ['a rule for text on the dates of a list', 'unsupported_rule', [aDate, IsString({ each: true })]],
  ['a list of Dates without each', 'unsupported_type', [aDate, IsArray()]],
  ['IsDate without @Type', 'unsupported_type', [IsDate()]],
  ['MinDate without @Type', 'unsupported_type', [MinDate(new Date(0))]],
  ['a text that is a number', 'unsupported_rule', [IsString(), IsPositive()]],
  ['an array that is a text', 'unsupported_rule', [IsArray(), IsString()]],
  ['a text whose elements are numbers', 'unsupported_rule', [IsString(), IsInt({ each: true })]],
  ['elements of two types', 'unsupported_rule', [IsString({ each: true }), IsInt({ each: true })]],
  ['an object that is a boolean', 'unsupported_rule', [IsObject(), IsBoolean()]],
  ['a nested DTO that is a text', 'unsupported_rule', [aPart, ValidateNested(), IsString()]],
  ['a validation keyword', 'illegal_property', [JSONSchema({ maxLength: 3 }), IsString()]],
];

describe('a property', () => {
  it.each(REFUSED)('with %s is refused', (_, code, decorators) => {
    expect(problemsOf(() => inputContract(dtoWith(...decorators)))).toEqual([
      { code, place: { class: 'Made', member: 'v' }, message: expect.any(String), mend: expect.any(String) },
    ]);
  });

  it('reports each of its problems', () => {
    const cls = dtoWith(Exclude(), ValidatePromise(), JSONSchema({ minLength: 1 }), IsEnum({}));
    expect(codesOf(problemsOf(() => inputContract(cls)))).toEqual([
      'illegal_property',
      'unsupported_rule',
      'unsupported_rule',
      'unsupported_rule',
    ]);
  });

  it('is refused beside sound ones, which are not reported', () => {
    const cls = dtoOf({ fine: [IsString()], bad: [IsEnum({})], also: [IsInt()] }, 'Mixed');
    expect(problemsOf(() => inputContract(cls))).toMatchObject([
      { place: { class: 'Mixed', member: 'bad' } },
    ]);
  });

  it.each(Object.getOwnPropertyNames(Object.prototype))('called %s is refused', (name) => {
    const cls = class Reserved {};
    decorate(cls, name, [IsString()]);
    expect(problemsOf(() => inputContract(cls))).toMatchObject([
      { code: 'illegal_property', place: { class: 'Reserved', member: name } },
    ]);
  });

  it('called by a symbol is refused', () => {
    const cls = class Symbolic {};
    IsString()(cls.prototype, Symbol('secret'));
    expect(problemsOf(() => inputContract(cls))).toMatchObject([
      { code: 'illegal_property', place: { class: 'Symbolic', member: 'Symbol(secret)' } },
    ]);
  });

  it('that only a getter gives is refused, for nothing can be set', () => {
    class Rectangle {
      @IsNumber() width!: number;
      @IsNumber()
      get area(): number {
        return this.width * this.width;
      }
    }
    expect(problemsOf(() => inputContract(Rectangle))).toMatchObject([
      { place: { class: 'Rectangle', member: 'area' } },
    ]);
  });
});

describe('rules that stand beside each other', () => {
  it.each([
    ['IsNotEmpty and IsInt', [IsNotEmpty(), IsInt()], 1],
    ['IsNumber, IsInt and Min', [IsNumber(), IsInt(), Min(1)], 1],
    ['IsArray and each', [IsArray(), IsString({ each: true })], ['a']],
    ['IsObject and a nested DTO', [IsObject(), ValidateNested(), aPart], { n: 1 }],
    ['IsArray and nested DTOs', [IsArray(), ValidateNested({ each: true }), aPart], [{ n: 1 }]],
    ['IsNotEmpty and a nested DTO', [IsNotEmpty(), ValidateNested(), aPart], { n: 1 }],
    ['Allow and IsString', [Allow(), IsString()], 'a'],
  ] as const)('%s are taken', async (_, decorators, v) => {
    expect(await accepts(dtoWith(...decorators), { v })).toBe(true);
  });
});
