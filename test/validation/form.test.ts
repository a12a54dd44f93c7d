/**
 * DTOs as forms.
 * Invariant: whatever the contract of a DTO accepts its form offers, and every form is one that MCP's clients take.
 */
import { isSpecType } from '@modelcontextprotocol/server';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  Equals,
  IsArray,
  IsBoolean,
  IsDate,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsPositive,
  IsString,
  IsUrl,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import * as fc from 'fast-check';
import { describeForm, inputContract, schemaInputContract } from 'toolcrib';
import { problemsOf } from '../fixtures/declaration-problems';
import { forAllAwaited } from '../fixtures/for-all';

enum Colour {
  Red = 'red',
  Blue = 'blue',
}

enum Size {
  Small = 1,
  Large = 2,
}

class Order {
  @IsString()
  @MinLength(2)
  @MaxLength(20)
  @JSONSchema({ title: 'Name', description: 'Whose?' })
  name!: string;
  @IsEmail() email!: string;
  @IsOptional() @IsUrl() site?: string;
  @Type(() => Date) @IsDate() day!: Date;
  @IsInt() @Min(1) @Max(5) count!: number;
  @IsOptional() @IsPositive() price?: number;
  @IsNumber() weight!: number;
  @IsOptional() @IsBoolean() isGift?: boolean = true;
  @IsEnum(Colour) colour!: Colour;
  @IsOptional() @IsIn(['a', 'b']) row?: string;
  @IsArray() @IsIn(['x', 'y'], { each: true }) @ArrayMaxSize(2) extras!: string[];
  @Equals('yes') agreed!: string;
  @Matches(/^[A-Z]{2}$/) land!: string;
}

class Inner {
  @IsString() text!: string;
}

class Unfit {
  @ValidateNested() @Type(() => Inner) inner!: Inner;
  @IsEnum(Size) size!: Size;
  @IsArray() @IsString({ each: true }) tags!: string[];
  @IsString() fine!: string;
}

describe('describeForm', () => {
  it('gives a flat form of plain fields', () => {
    expect(describeForm(Order)).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Name', description: 'Whose?', minLength: 2, maxLength: 20 },
        email: { type: 'string', description: expect.any(String), format: 'email' },
        site: { type: 'string', description: expect.any(String), format: 'uri' },
        day: { type: 'string', format: 'date-time' },
        count: { type: 'integer', minimum: 1, maximum: 5 },
        price: { type: 'number' },
        weight: { type: 'number' },
        isGift: { type: 'boolean', default: true },
        colour: { type: 'string', enum: ['red', 'blue'] },
        row: { type: 'string', enum: ['a', 'b'] },
        extras: { type: 'array', maxItems: 2, items: { type: 'string', enum: ['x', 'y'] } },
        agreed: { type: 'string', enum: ['yes'] },
        land: { type: 'string' },
      },
      required: ['name', 'email', 'day', 'count', 'weight', 'colour', 'extras', 'agreed', 'land'],
    });
  });

  it('gives what MCP takes for a form, and a copy each time', () => {
    const form = describeForm(Order);
    expect(isSpecType.ElicitRequestFormParams({ message: 'What?', requestedSchema: form })).toBe(true);
    Reflect.set(form, 'properties', {});
    expect(describeForm(Order)).not.toEqual(form);
  });

  it('names every property that no form has a field for', () => {
    expect(problemsOf(() => describeForm(Unfit)).map(({ code, place }) => [code, place.member])).toEqual([
      ['outside_dialect', 'inner'],
      ['outside_dialect', 'size'],
      ['outside_dialect', 'tags'],
    ]);
    class Nothing {}
    expect(problemsOf(() => describeForm(Nothing)).map(({ code }) => code)).toEqual(['outside_dialect']);
  });

  it('offers whatever the contract accepts, but for null and variation selectors', async () => {
    const form = schemaInputContract(describeForm(Order));
    const contract = inputContract(Order);
    const values = fc.record(
      {
        name: fc
          .string({ minLength: 1, maxLength: 21, unit: 'grapheme' })
          .map((name) => name.replaceAll(/[\uFE0E\uFE0F]/g, '')),
        email: fc.constantFrom('a@example.com', 'no'),
        site: fc.constantFrom('https://example.com', 'no site'),
        day: fc.constantFrom('2026-11-30T12:00:00Z', '2026-11-30'),
        count: fc.integer({ min: 0, max: 6 }),
        price: fc.integer({ min: 0, max: 3 }),
        weight: fc.double({ noNaN: true, noDefaultInfinity: true }),
        isGift: fc.boolean(),
        colour: fc.constantFrom('red', 'blue', 'green'),
        row: fc.constantFrom('a', 'b', 'c'),
        extras: fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 }),
        agreed: fc.constantFrom('yes', 'no'),
        land: fc.constantFrom('DE', 'de'),
      },
      { requiredKeys: ['name', 'email', 'day', 'count', 'weight', 'colour', 'extras', 'agreed', 'land'] },
    );
    let accepted = 0;
    await forAllAwaited(
      values,
      async (value) => {
        if (!(await contract.parse(value)).ok) return;
        accepted += 1;
        expect(await form.parse(value)).toMatchObject({ ok: true });
      },
      3_000,
    );
    expect(accepted).toBeGreaterThan(10);
  });
});
