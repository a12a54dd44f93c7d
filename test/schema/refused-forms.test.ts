/**
 * Declarations that look sound and are not: half accessors, dates in lists, empty ranges, wrong annotations.
 * Invariant: each is a problem of its property before the first call, and what stands beside it is taken.
 */
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotEmpty,
  IsDate,
  IsEmail,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { type Class, inputContract, outputContract } from 'toolcrib';
import { problemsOf } from '../fixtures/declaration-problems';
import { type Decorators, dtoWith } from '../fixtures/dto-with';
import { accepts } from '../fixtures/verdicts';

describe('an accessor', () => {
  class GetterOnly {
    @IsNumber()
    get v(): number {
      return 1;
    }
  }
  class SetterOnly {
    private kept = new Map<string, number>();
    @IsNumber()
    set v(value: number) {
      Object.defineProperty(this, 'kept', { value: new Map([['v', value]]), enumerable: false });
    }
    constructor() {
      Object.defineProperty(this, 'kept', { value: this.kept, enumerable: false, configurable: true });
    }
  }
  class InheritedGetter extends GetterOnly {}
  class InheritedSetter extends SetterOnly {}

  class Doubling {
    #kept = 0;
    @Max(10)
    get v(): number {
      return this.#kept;
    }
    set v(given: number) {
      this.#kept = given * 2;
    }
  }
  class OwnAccessor {
    @IsNumber() v!: number;
    constructor() {
      let kept = 0;
      const set = (given: number) => {
        kept = given * 2;
      };
      Object.defineProperty(this, 'v', { get: () => kept, set, enumerable: true });
    }
  }
  class Fixed {
    @IsNumber() v!: number;
    constructor() {
      Object.defineProperty(this, 'v', { value: 1, enumerable: true, writable: false });
    }
  }

  const computed: readonly Class[] = [
    GetterOnly,
    SetterOnly,
    InheritedGetter,
    InheritedSetter,
    Doubling,
    OwnAccessor,
    Fixed,
  ];

  it.each(computed)('or what cannot be written in the place of a value is refused: %p', (cls) => {
    expect(problemsOf(() => inputContract(cls))).toMatchObject([
      { code: 'illegal_property', place: { class: cls.name, member: 'v' } },
    ]);
  });
});

describe('a list of Dates', () => {
  class Unlisted {
    @Type(() => Date) @IsDate() v!: Date[];
  }
  class Optional {
    @IsOptional() @Type(() => Date) v?: Date[];
  }
  class Listed {
    @Type(() => Date) @IsDate({ each: true }) v!: Date[];
  }

  it.each<Class>([Unlisted, Optional])('without each is refused: %p', (cls) => {
    expect(problemsOf(() => inputContract(cls))).toMatchObject([
      { code: 'unsupported_type', place: { class: cls.name, member: 'v' } },
    ]);
  });

  it('with each is taken', async () => {
    expect(await accepts(Listed, { v: ['2026-01-31T09:30:00Z'] })).toBe(true);
    expect(await accepts(Listed, { v: '2026-01-31T09:30:00Z' })).toBe(false);
  });
});

describe('bounds', () => {
  const EMPTY: readonly (readonly [string, Decorators])[] = [
    ['Min over Max', [Min(5), Max(1)]],
    ['Max under Min', [IsInt(), Max(1), Min(1.5)]],
    ['Length', [Length(5, 2)]],
    ['MinLength over MaxLength', [MinLength(4), IsString(), MaxLength(3)]],
    ['two Lengths', [Length(1, 2), Length(3, 4)]],
    ['ArrayMinSize over ArrayMaxSize', [ArrayMinSize(3), ArrayMaxSize(1)]],
    ['ArrayNotEmpty over ArrayMaxSize', [ArrayNotEmpty(), ArrayMaxSize(0)]],
    ['of elements', [Min(5, { each: true }), Max(1, { each: true })]],
    ['of the length of elements', [Length(5, 2, { each: true })]],
  ];

  it.each(EMPTY)('that no value keeps are refused: %s', (_, decorators) => {
    expect(problemsOf(() => inputContract(dtoWith(...decorators)))).toMatchObject([
      { code: 'unsupported_rule', place: { class: 'Made', member: 'v' } },
    ]);
  });

  it.each([
    ['one number', [Min(5), Max(5)], 5],
    ['one length', [Length(2, 2)], 'ab'],
    ['one size', [ArrayMinSize(1), ArrayMaxSize(1)], [0]],
    ['the list and its elements', [ArrayMinSize(3), Max(1, { each: true })], [0, 1, 0]],
  ] as const)('that one value keeps are taken: %s', async (_, decorators, v) => {
    expect(await accepts(dtoWith(...decorators), { v })).toBe(true);
  });
});

describe('an annotation of the wrong kind', () => {
  const WRONG: readonly (readonly [string, Parameters<typeof JSONSchema>[0]])[] = [
    ['a description that is a number', { description: 5 as unknown as string }],
    ['a title that is a list', { title: ['a'] as unknown as string }],
    ['examples that are a text', { examples: 'a' as unknown as string[] }],
    ['examples that are an object', { examples: { a: 1 } as unknown as string[] }],
    ['examples that JSON cannot carry', { examples: [1n] }],
    ['deprecated that is a text', { deprecated: 'yes' as unknown as boolean }],
    ['a description that is null', { description: null as unknown as string }],
  ];

  it.each(WRONG)('is refused on a property and on a class: %s', (_, given) => {
    expect(problemsOf(() => inputContract(dtoWith(JSONSchema(given), IsInt())))).toMatchObject([
      { code: 'illegal_property', place: { class: 'Made', member: 'v' } },
    ]);
    const cls = dtoWith(IsInt());
    JSONSchema(given)(cls);
    expect(problemsOf(() => inputContract(cls))).toMatchObject([
      { code: 'illegal_property', place: { class: 'Made' } },
    ]);
  });
});

describe('a custom rule under a known name', () => {
  const isNumber = (value: unknown): value is number => typeof value === 'number';
  const CUSTOM: readonly (readonly [string, (value: unknown) => boolean])[] = [
    ['isPositive', (value) => isNumber(value) && value > 0 && value !== 13],
    ['isPositive', (value) => isNumber(value) && value > 0 && value < 1_000],
    ['isInt', (value) => Number.isInteger(value) && value !== 13],
    ['isInt', (value) => Number.isInteger(value) && Math.abs(Number(value)) < 1_000],
    ['isNegative', (value) => isNumber(value) && value < 0 && value !== -13],
  ];

  it.each(CUSTOM)('is never taken for it, though no probe tells them apart: %s', (name, validate) => {
    const cls = dtoWith(ValidateBy({ name, constraints: [], validator: { validate } }));
    const { validatorOnlyRules } = inputContract(cls);
    expect(validatorOnlyRules).toMatchObject([{ schemaPath: '#/properties/v', rule: name }]);
  });
});

describe('the rules that only the validator knows', () => {
  const cls = dtoWith(IsEmail());

  it('are a list that cannot be changed', () => {
    expect(inputContract(cls).validatorOnlyRules).toHaveLength(1);
    expect(Object.isFrozen(inputContract(cls).validatorOnlyRules)).toBe(true);
    expect(Object.isFrozen(outputContract({ kind: 'list', cls }).validatorOnlyRules)).toBe(true);
  });

  it('cannot be changed one by one', () => {
    expect(inputContract(cls).validatorOnlyRules.map((rule) => Object.isFrozen(rule))).toEqual([true]);
  });
});
