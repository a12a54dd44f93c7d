/**
 * DTOs that class-transformer makes: @Transform and names given by @Expose.
 * Invariant: what arrives is any JSON for a converted property, its rules hold for what it is made into, and a
 * conversion that throws is the caller's fault, of which no words get out.
 */
import { Expose, Transform, Type } from 'class-transformer';
import {
  IsDefined,
  IsInt,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { describe as describeTool, inputContract, outputContract } from 'toolcrib';
import { problemsOf } from '../fixtures/declaration-problems';
import { makeSpec } from '../fixtures/hand-made-spec';
import { expectSound } from '../fixtures/strict-schema';
import { accepts, parsedValue, refusalOf, validatorVerdict, violationsIn } from '../fixtures/verdicts';

class Inner {
  @IsInt() @Min(1) n!: number;
}

class Search {
  @Transform(({ value }) => (typeof value === 'string' ? value.trim() : value))
  @IsString()
  @MinLength(2)
  query!: string;

  @Expose({ name: 'page_size' }) @IsOptional() @IsInt() @Min(1) pageSize = 20;
  @IsOptional() @ValidateNested() @Type(() => Inner) inner?: Inner;
  @IsOptional() @Type(() => Date) at?: Date;
}

class Link {
  @Transform(({ value }) => new URL(value)) @IsDefined() url!: URL;
}

describe('a converted property', () => {
  it('is held to its rules once it is converted', async () => {
    expect(await parsedValue(Search, { query: ' ab ' })).toMatchObject({ query: 'ab', pageSize: 20 });
    expect(await refusalOf(Search, { query: ' a ' })).toEqual(['/query minLength']);
    expect(await refusalOf(Search, { query: 5 })).toEqual(['/query isString', '/query minLength']);
    expect(await validatorVerdict(Search, { query: ' a ' })).toBe('refuses');
  });

  it('is any JSON in the schema, and its rules stand in words', () => {
    const { schema, validatorOnlyRules } = inputContract(Search);
    expectSound(schema);
    expect(schema.required).toEqual(['query']);
    expect(schema.properties).toMatchObject({
      query: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/JsonValue' }] },
    });
    expect(validatorOnlyRules.map(({ schemaPath, rule }) => `${schemaPath} ${rule}`)).toEqual([
      '#/properties/query minLength',
      '#/properties/query isString',
    ]);
  });

  it('is missing when it is left out', async () => {
    expect(await refusalOf(Search, {})).toEqual(['/query isDefined']);
  });

  it('whose conversion throws is refused, and the value does not show', async () => {
    const outcome = await inputContract(Link).parse({ url: 'http://ann:secret@bad host/' });
    const violations = violationsIn(outcome);
    expect(violations).toMatchObject([{ path: '/url', rule: 'transform' }]);
    expect(JSON.stringify(violations)).not.toContain('secret');
    const { url } = await parsedValue(Link, { url: 'http://example.org/a' });
    expect(url).toBeInstanceOf(URL);
  });

  it('is named where its conversion throws, also within a nested DTO', async () => {
    class Outer {
      @ValidateNested({ each: true }) @Type(() => Link) links!: Link[];
      @Transform(({ value }) => value.trim()) @IsString() text!: string;
    }
    const raw = { links: [{ url: 'http://example.org' }, { url: 'no' }], text: 5 };
    expect(await refusalOf(Outer, raw)).toEqual(['/links/1/url transform', '/text transform']);
  });

  it('has an initialiser that its rules accept', () => {
    class Padded {
      @Transform(({ value }) => String(value).trim()) @MaxLength(2) code = ' ab ';
    }
    expect(problemsOf(() => inputContract(Padded))).toMatchObject([
      { code: 'illegal_property', place: { class: 'Padded', member: 'code' } },
    ]);
  });

  it('is of the type that its rules name where a dialect cannot carry any JSON value', () => {
    const spec = makeSpec('text.search', '1.0.0', { input: inputContract(Search) });
    for (const dialect of ['openai-strict', 'gemini'] as const) {
      const { definition, changes } = describeTool(spec, { dialect });
      expect(definition.inputSchema.properties).toMatchObject({ query: { type: 'string' } });
      expect(changes).toContainEqual(
        expect.objectContaining({ pointer: '/properties/query', keyword: 'anyOf', change: 'narrowed' }),
      );
    }
  });

  it('may become what JSON has no word for', async () => {
    class Tags {
      @Transform(({ value }) => (typeof value === 'string' ? value.split(',') : value))
      @IsString({ each: true })
      tags!: string[];
    }
    expect(await parsedValue(Tags, { tags: 'a,b' })).toMatchObject({ tags: ['a', 'b'] });
    expect(await accepts(Tags, { tags: ['a'] })).toBe(true);
    expect(await refusalOf(Tags, { tags: [1] })).toEqual(['/tags/0 isString']);
    expect(await refusalOf(Tags, { tags: 5 })).toEqual(['/tags isArray']);
  });
});

describe('a property under another name', () => {
  it('goes by that name in JSON, and by its own in the instance', async () => {
    const { schema } = inputContract(Search);
    expect(schema.properties).toMatchObject({ page_size: { type: ['integer', 'null'], default: 20 } });
    expect(await parsedValue(Search, { query: 'ab', page_size: 5 })).toMatchObject({ pageSize: 5 });
    expect(await refusalOf(Search, { query: 'ab', page_size: 0 })).toEqual(['/page_size min']);
    expect(await refusalOf(Search, { query: 'ab', pageSize: 5 })).toEqual(['/pageSize whitelistValidation']);
  });

  it('that another property has is refused', () => {
    class Twice {
      @IsString() a!: string;
      @Expose({ name: 'a' }) @IsString() b!: string;
    }
    expect(problemsOf(() => inputContract(Twice))).toMatchObject([
      { code: 'illegal_property', place: { class: 'Twice', member: 'b' } },
    ]);
  });
});

describe('what stands beside a converted property', () => {
  it('is made as always: nested DTOs, dates, and null for the default', async () => {
    const raw = { query: 'ab', page_size: null, inner: { n: 1 }, at: '2026-01-31T09:30:00Z' };
    const made = await parsedValue(Search, raw);
    expect(made.pageSize).toBe(20);
    expect(made.inner).toBeInstanceOf(Inner);
    expect(made.at).toEqual(new Date('2026-01-31T09:30:00Z'));
    expect(await refusalOf(Search, { ...raw, inner: { n: 0 } })).toEqual(['/inner/n min']);
  });

  it('does not let a name of Object.prototype through', async () => {
    const raw = JSON.parse('{"query":{"constructor":{"name":"x"}}}');
    expect(await accepts(Search, raw)).toBe(false);
  });
});

it('@Expose without a name changes nothing', async () => {
  class Shown {
    @Expose() @IsInt() n = 3;
  }
  expect(await parsedValue(Shown, {})).toEqual(Object.assign(new Shown(), { n: 3 }));
  expect(outputContract({ kind: 'class', cls: Shown }).schema).toEqual(inputContract(Shown).schema);
});
