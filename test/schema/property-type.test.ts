/**
 * What `@Type` and `@ValidateNested` say about a property.
 * Invariant: a type is taken only where nothing is converted but RFC 3339 text; no other reaches hydration.
 */
import { Type } from 'class-transformer';
import {
  Allow,
  IsArray,
  IsBoolean,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  ValidateNested,
} from 'class-validator';
import { inputContract } from 'toolcrib';
import { codesOf, problemsOf } from '../fixtures/declaration-problems';
import { type Decorators, dtoWith } from '../fixtures/dto-with';
import { accepts, parsedValue, refusalOf } from '../fixtures/verdicts';

class Part {
  @IsInt() n!: number;
}
class Channel {
  @IsString() kind!: string;
}
class Mail extends Channel {
  @IsString() to!: string;
}

/** What a compiler would record as the type of a property. */
function designed(type: unknown): PropertyDecorator {
  return (target, property) => Reflect.defineMetadata('design:type', type, target, property);
}

const nested = ValidateNested();
const list = ValidateNested({ each: true });
const channels = { property: 'kind', subTypes: [{ name: 'mail', value: Mail }] };

const REFUSED: readonly (readonly [string, Decorators])[] = [
  ['a nested DTO without @Type', [nested]],
  ['nested DTOs without @Type', [list, IsArray()]],
  ['@Type of a DTO that nothing checks', [Type(() => Part), IsObject()]],
  ['@Type of undefined, as in a cycle of files', [nested, Type(() => Reflect.get({}, 'missing'))]],
  ['a list of DTOs without each, beside IsArray', [nested, IsArray(), Type(() => Part)]],
  ['a list of DTOs without each, by its type', [nested, Type(() => Part), designed(Array)]],
  ['a Map', [list, Type(() => Part), designed(Map)]],
  ['a Set', [IsString({ each: true }), Type(() => String), designed(Set)]],
  ['a Promise', [nested, Type(() => Part), designed(Promise)]],
  ['@Type of Map', [nested, Type(() => Map)]],
  ['@Type of Set', [nested, Type(() => Set)]],
  ['@Type of Promise', [nested, Type(() => Promise)]],
  ['@Type of Array', [list, Type(() => Array)]],
  ['@Type of BigInt', [Allow(), Type(() => BigInt)]],
  ['@Type of Symbol', [Allow(), Type(() => Symbol)]],
  ['a nested Date', [nested, Type(() => Date)]],
  ['a nested String', [nested, Type(() => String)]],
  ['a nested Object', [nested, Type(() => Object)]],
  ['a discriminator', [nested, Type(() => Channel, { discriminator: channels })]],
  ['an arrow function', [nested, Type(() => () => Part)]],
  ['a Map without @Type', [IsObject(), designed(Map)]],
  ['a Set without @Type', [IsArray(), designed(Set)]],
  ['a Date that stays text', [IsString(), designed(Date)]],
  ['a bigint', [IsInt(), designed(BigInt)]],
];

describe('a type', () => {
  it.each(REFUSED)('is refused: %s', (_, decorators) => {
    const problems = problemsOf(() => inputContract(dtoWith(...decorators)));
    expect(codesOf(problems)).toContain('unsupported_type');
    for (const { place } of problems) expect(place).toEqual({ class: 'Made', member: 'v' });
  });

  it('that a function throws for is a problem of the property', () => {
    const cls = dtoWith(
      ValidateNested(),
      Type(() => {
        throw new Error('not loaded');
      }),
    );
    expect(problemsOf(() => inputContract(cls))).toMatchObject([{ place: { class: 'Made', member: 'v' } }]);
  });

  it('of a scalar converts nothing', async () => {
    const text = dtoWith(
      IsString(),
      Type(() => String),
    );
    const number = dtoWith(
      IsNumber(),
      Type(() => Number),
    );
    const flag = dtoWith(
      IsBoolean(),
      Type(() => Boolean),
    );
    expect(await parsedValue(text, { v: 'a' })).toEqual({ v: 'a' });
    expect(await parsedValue(number, { v: 5 })).toEqual({ v: 5 });
    expect(await parsedValue(flag, { v: false })).toEqual({ v: false });
    for (const v of [5, null, {}]) expect(await accepts(text, { v })).toBe(false);
    for (const v of ['5', '', true, []]) expect(await accepts(number, { v })).toBe(false);
    for (const v of ['false', '', 0, 1]) expect(await accepts(flag, { v })).toBe(false);
  });

  it('of a nested DTO makes an instance of it', async () => {
    const { v } = await parsedValue(
      dtoWith(
        nested,
        Type(() => Part),
      ),
      { v: { n: 1 } },
    );
    expect(v).toBeInstanceOf(Part);
  });

  it('of nested DTOs makes an array of instances', async () => {
    const { v } = await parsedValue(
      dtoWith(
        list,
        Type(() => Part),
      ),
      { v: [{ n: 1 }, { n: 2 }] },
    );
    expect(v).toEqual([{ n: 1 }, { n: 2 }]);
    expect(v).toEqual([expect.any(Part), expect.any(Part)]);
  });

  it('SCH-11: of a nested DTO demands it', async () => {
    class Address {
      @IsString() city!: string;
    }
    class Ship {
      @ValidateNested() @Type(() => Address) to!: Address;
    }
    expect(inputContract(Ship).schema.required).toEqual(['to']);
    expect(await refusalOf(Ship, {})).toEqual(['/to isDefined']);
    expect(await refusalOf(Ship, { to: {} })).toEqual(['/to/city isDefined']);
  });
});
