/**
 * Initialisers as defaults.
 * Invariant: an initialised property is not required, and what a schema shows as its default is what a
 * handler gets without it.
 */
import { Type } from 'class-transformer';
import {
  Allow,
  IsArray,
  IsBoolean,
  IsDate,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Min,
  ValidateNested,
} from 'class-validator';
import { type Class, inputContract } from 'toolcrib';
import { problemsOf } from '../fixtures/declaration-problems';
import { expectSound, propertyNode } from '../fixtures/strict-schema';
import { accepts, parsedValue } from '../fixtures/verdicts';

class Page {
  @IsInt() @Min(1) size = 20;
  @IsBoolean() dryRun = true;
}

describe('an initialiser', () => {
  it('SCH-12: makes the property optional and shows as its default', async () => {
    const { schema } = inputContract(Page);
    expectSound(schema);
    expect(schema).not.toHaveProperty('required');
    expect(propertyNode(schema, 'size')).toMatchObject({ type: 'integer', minimum: 1, default: 20 });
    expect(propertyNode(schema, 'dryRun')).toEqual({ type: 'boolean', default: true });
    const value = await parsedValue(Page, {});
    expect(value).toBeInstanceOf(Page);
    expect(value).toEqual({ size: 20, dryRun: true });
    expect(await parsedValue(Page, { size: 5, dryRun: false })).toEqual({ size: 5, dryRun: false });
  });

  it('does not make null acceptable', async () => {
    expect(await accepts(Page, { size: null })).toBe(false);
  });

  it('of any JSON is shown, falsy ones too', () => {
    class Falsy {
      @IsInt() zero = 0;
      @IsString() empty = '';
      @IsBoolean() no = false;
      @IsArray() list: unknown[] = [];
      @IsObject() map = { a: [1] };
    }
    const { schema } = inputContract(Falsy);
    expectSound(schema);
    const shown = ['zero', 'empty', 'no', 'list', 'map'].map((name) => propertyNode(schema, name).default);
    expect(shown).toEqual([0, '', false, [], { a: [1] }]);
  });

  it('of a property that is not in the instance, or undefined, is none', () => {
    class Bare {
      @IsInt() required!: number;
      @IsInt() undecided: number | undefined = undefined;
      @IsInt() nothing: number | null = null;
    }
    expect(inputContract(Bare).schema.required).toEqual(['required', 'undecided', 'nothing']);
  });

  it('that differs at every call is applied and not shown', async () => {
    let count = 0;
    class Counted {
      @IsInt() at = ++count;
    }
    const contract = inputContract(Counted);
    expect(contract.schema).not.toHaveProperty('required');
    expect(propertyNode(contract.schema, 'at')).not.toHaveProperty('default');
    const [one, other] = [await parsedValue(Counted, {}), await parsedValue(Counted, {})];
    expect(other.at).toBeGreaterThan(one.at);
  });

  it('that JSON cannot carry is applied and not shown', async () => {
    class Odd {
      @Allow() big: unknown = 1n;
      @Allow() fn: unknown = () => 1;
    }
    const { schema } = inputContract(Odd);
    expectSound(schema);
    expect(propertyNode(schema, 'big')).not.toHaveProperty('default');
    expect(propertyNode(schema, 'fn')).not.toHaveProperty('default');
    expect((await parsedValue(Odd, {})).big).toBe(1n);
  });

  it('is made anew for each call', async () => {
    class Tags {
      @IsString({ each: true }) tags: string[] = [];
    }
    (await parsedValue(Tags, {})).tags.push('a');
    expect(await parsedValue(Tags, {})).toEqual({ tags: [] });
  });

  it('of a Date, or of a nested DTO, is kept', async () => {
    class Part {
      @IsInt() n = 1;
    }
    class Whole {
      @Type(() => Date) @IsDate() at = new Date('2024-01-31T09:30:00Z');
      @ValidateNested() @Type(() => Part) part = new Part();
    }
    expectSound(inputContract(Whole).schema);
    expect(inputContract(Whole).schema).not.toHaveProperty('required');
    const value = await parsedValue(Whole, {});
    expect(value.at).toEqual(new Date('2024-01-31T09:30:00Z'));
    expect(value.part).toBeInstanceOf(Part);
    expect(await accepts(Whole, { at: propertyNode(inputContract(Whole).schema, 'at').default })).toBe(true);
  });

  it('applies inside a nested DTO that is given without it', async () => {
    class Filter {
      @IsOptional() @ValidateNested() @Type(() => Page) page?: Page;
    }
    const value = await parsedValue(Filter, { page: {} });
    expect(value.page).toBeInstanceOf(Page);
    expect(value.page).toEqual({ size: 20, dryRun: true });
  });

  it('HYD-03: stands when null is sent for an optional property', async () => {
    class List {
      @IsOptional() @IsInt() limit = 10;
      @IsOptional() @IsIn(['asc', 'desc']) order = 'asc';
    }
    for (const raw of [{ limit: null, order: null }, {}, { limit: null }]) {
      expect(await parsedValue(List, raw)).toEqual({ limit: 10, order: 'asc' });
    }
  });

  it('HYD-03: gives way to null where the property lists it and is not optional', async () => {
    class Sorted {
      @IsIn(['asc', 'desc', null]) order: string | null = 'asc';
    }
    expect(await parsedValue(Sorted, { order: null })).toEqual({ order: null });
    expect(await parsedValue(Sorted, {})).toEqual({ order: 'asc' });
  });
});

describe('a constructor', () => {
  class Throws {
    @IsInt() n!: number;
    constructor() {
      throw new Error('not today');
    }
  }
  class Needs {
    @IsInt() cents: number;
    constructor(init: { cents: number }) {
      this.cents = init.cents;
    }
  }
  class Freezes {
    @IsInt() n = 1;
    constructor() {
      Object.freeze(this);
    }
  }
  class ThrowsText {
    @IsInt() n!: number;
    constructor() {
      throw 'a text';
    }
  }

  const failing: readonly Class[] = [Throws, Needs, Freezes, ThrowsText];

  it.each(failing)('that fails is a problem of the class: %p', (cls) => {
    expect(problemsOf(() => inputContract(cls))).toMatchObject([
      { code: 'illegal_dto', place: { class: cls.name } },
    ]);
  });
});
