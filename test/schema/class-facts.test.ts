/**
 * Inheritance of rules, types and texts.
 * Invariant: a class has exactly the rules that class-validator would run on its instances.
 */
import { Type } from 'class-transformer';
import {
  Allow,
  IsDate,
  IsDefined,
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { inputContract } from 'toolcrib';
import { problemsOf } from '../fixtures/declaration-problems';
import { type Decorators, type Dto, decorate, dtoOf } from '../fixtures/dto-with';
import { JSON_POOL } from '../fixtures/rule-forms';
import { expectSound, propertyNode } from '../fixtures/strict-schema';
import { accepts, parsedValue, refusalOf, validatorVerdict } from '../fixtures/verdicts';

class Part {
  @IsInt() n!: number;
}

/** Values on which no stricter reading differs from class-validator. */
const PLAIN_POOL = JSON_POOL.filter(
  (v) => !(typeof v === 'number' && Math.abs(v) > Number.MAX_SAFE_INTEGER) && !String(v).includes('\u{fe0f}'),
);

/** A class and its descendants, each with decorators of its own on `v`; the last is returned. */
function lineage(...generations: readonly Decorators[]): Dto {
  return generations.reduce<Dto>(
    (parent, decorators) => {
      const child = class extends parent {};
      decorate(child, 'v', decorators);
      return child;
    },
    class {},
  );
}

const LINEAGES: readonly (readonly [string, readonly Decorators[]])[] = [
  ['a child without rules', [[IsString(), MaxLength(3)], []]],
  ['a child that replaces a rule by one of another type', [[IsString()], [IsInt()]]],
  ['a child that repeats less', [[IsString(), MaxLength(2)], [MinLength(1)]]],
  ['a child that tightens a bound', [[MaxLength(4)], [MaxLength(2)]]],
  ['a child that loosens a bound', [[MaxLength(2)], [MaxLength(4)]]],
  ['a child of an optional property', [[IsOptional(), IsString()], [IsInt()]]],
  ['a child that makes a property optional', [[IsInt()], [IsOptional()]]],
  ['a child of a defined property', [[IsDefined(), IsString()], [IsInt()]]],
  ['a child that demands a property', [[IsString()], [IsDefined()]]],
  ['a child that allows a property', [[IsString()], [Allow()]]],
  ['a child of an allowed property', [[Allow()], [IsString()]]],
  ['a grandchild', [[IsString()], [IsInt()], [Min(1)]]],
  ['a grandchild under a child without rules', [[IsString()], [], [MinLength(2)]]],
  ['a grandchild without rules', [[IsString()], [MinLength(2)], []]],
  ['a child that lists values', [[IsIn(['a', 'b'])], [IsIn(['b', 1])]]],
];

describe('inheritance', () => {
  it.each(LINEAGES)('%s has the rules that class-validator runs', async (_, generations) => {
    const cls = lineage(...generations);
    const contract = inputContract(cls);
    expectSound(contract.schema);
    for (const v of PLAIN_POOL) {
      const { ok } = await contract.parse({ v });
      expect({ v, ok }).toEqual({ v, ok: (await validatorVerdict(cls, { v })) === 'accepts' });
    }
  });

  it('leaves the parent as it was', async () => {
    const parent = dtoOf({ v: [IsString()] });
    const before = inputContract(parent).schema;
    const child = class extends parent {};
    decorate(child, 'v', [IsInt()]);
    decorate(child, 'w', [IsInt()]);
    expect(propertyNode(inputContract(child).schema, 'v').type).toBe('integer');
    expect(inputContract(parent).schema).toEqual(before);
    expect(await accepts(parent, { v: 'a' })).toBe(true);
  });

  it("puts an ancestor's properties first, and keeps siblings apart", () => {
    class Base {
      @IsInt() a!: number;
    }
    class One extends Base {
      @IsInt() b!: number;
    }
    class Other extends Base {
      @IsInt() c!: number;
    }
    expect(inputContract(One).schema.required).toEqual(['a', 'b']);
    expect(inputContract(Other).schema.required).toEqual(['a', 'c']);
  });

  it('carries types down', async () => {
    class Base {
      @Type(() => Date) @IsDate() at!: Date;
      @ValidateNested() @Type(() => Part) part!: Part;
    }
    class Child extends Base {
      @IsString() s!: string;
    }
    const value = await parsedValue(Child, { at: '2024-01-31T09:30:00Z', part: { n: 1 }, s: 'a' });
    expect(value).toBeInstanceOf(Child);
    expect(value.at).toEqual(new Date('2024-01-31T09:30:00Z'));
    expect(value.part).toBeInstanceOf(Part);
    expect(await refusalOf(Child, { at: 'x', part: { n: 'x' }, s: 1 })).toEqual([
      '/at isDate',
      '/part/n isInt',
      '/s isString',
    ]);
  });

  it('carries the text of a property down until the child gives its own, and that of a class not at all', () => {
    @JSONSchema({ description: 'the base' })
    class Base {
      @JSONSchema({ description: 'kept' }) @IsString() kept!: string;
      @JSONSchema({ description: 'old' }) @IsString() replaced!: string;
    }
    class Child extends Base {
      @JSONSchema({ description: 'new' }) @IsString() declare replaced: string;
    }
    const { schema } = inputContract(Child);
    expect(schema).not.toHaveProperty('description');
    expect(propertyNode(schema, 'kept').description).toBe('kept');
    expect(propertyNode(schema, 'replaced').description).toBe('new');
  });

  it("does not take a parent's text for the class's own where minifying gave both one name", () => {
    @JSONSchema({ description: 'the base' })
    class Base {
      @IsString() s!: string;
    }
    const child = class extends Base {};
    Object.defineProperty(child, 'name', { value: 'Base' });
    expect(inputContract(child).schema).not.toHaveProperty('description');
    expect(inputContract(Base).schema.description).toBe('the base');
  });

  it('runs an inherited rule that the schema cannot say', async () => {
    class Base {
      @IsEmail() mail!: string;
    }
    class Child extends Base {}
    expect(await refusalOf(Child, { mail: 'a' })).toEqual(['/mail isEmail']);
    expect(inputContract(Child).validatorOnlyRules).toMatchObject([{ schemaPath: '#/properties/mail' }]);
  });

  it('carries a problem down, under the name of the class that is described', () => {
    class Base {
      @IsIn([]) v!: string;
    }
    class Child extends Base {}
    expect(problemsOf(() => inputContract(Child))).toMatchObject([
      { code: 'unsupported_rule', place: { class: 'Child', member: 'v' } },
    ]);
  });
});

describe('what is recorded', () => {
  it('in a group counts, as it does for class-validator without groups', async () => {
    const cls = dtoOf({ v: [IsString({ groups: ['create'] })] });
    for (const v of ['a', 1]) {
      expect(await accepts(cls, { v })).toBe((await validatorVerdict(cls, { v })) === 'accepts');
    }
  });

  it('for other classes costs nothing: no rule of another class shows', () => {
    for (let count = 0; count < 50; count += 1) dtoOf({ other: [IsString()] }, 'Crowd');
    expect(Object.keys(inputContract(Part).schema.properties ?? {})).toEqual(['n']);
  });
});
