/**
 * Rules that are not class-validator's own, and those that hold under a condition.
 * Invariant: each runs after the gate, is named in words, and decides as class-validator would have it decide.
 */
import { Type } from 'class-transformer';
import {
  IsDate,
  IsInt,
  IsOptional,
  IsString,
  MinLength,
  registerDecorator,
  Validate,
  ValidateBy,
  type ValidationArguments,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { inputContract } from 'toolcrib';
import { problemsOf } from '../fixtures/declaration-problems';
import { type Decorators, dtoOf, dtoWith } from '../fixtures/dto-with';
import { compileStrictly } from '../fixtures/strict-schema';
import { accepts, refusalOf, validatorVerdict, violationsIn } from '../fixtures/verdicts';

@ValidatorConstraint({ name: 'even' })
class Even implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return typeof value === 'number' && value % 2 === 0;
  }
  defaultMessage({ property }: ValidationArguments): string {
    return `${property} must be even`;
  }
}

@ValidatorConstraint({ async: true })
class Owned implements ValidatorConstraintInterface {
  async validate(value: unknown): Promise<boolean> {
    if (value === 'broken') throw new Error('the store is down');
    return value === 'mine';
  }
}

/** A rule of an application, made as class-validator's manual shows. */
function StartsWith(prefix: string) {
  return (target: object, propertyName: string): void =>
    registerDecorator({
      name: 'startsWith',
      target: target.constructor,
      propertyName,
      constraints: [prefix],
      validator: {
        validate: (value: unknown, args?: ValidationArguments) =>
          typeof value === 'string' && value.startsWith(String(args?.constraints[0])),
      },
    });
}

const CUSTOM: readonly (readonly [string, string, Decorators, unknown, unknown])[] = [
  ['a constraint class', 'even', [Validate(Even)], 2, 3],
  ['a constraint class without a name', 'Owned', [Validate(Owned)], 'mine', 'theirs'],
  ['an asynchronous rule that fails', 'Owned', [Validate(Owned)], 'mine', 'broken'],
  ['a decorator of the application', 'startsWith', [StartsWith('ab')], 'abc', 'xyz'],
  [
    'a rule made by ValidateBy',
    'truthy',
    [ValidateBy({ name: 'truthy', validator: { validate: (value) => Boolean(value) } })],
    'a',
    '',
  ],
];

describe('a custom rule', () => {
  it.each(CUSTOM)('%s runs after the gate', async (_, rule, decorators, good, bad) => {
    const cls = dtoWith(...decorators);
    const { schema, validatorOnlyRules } = inputContract(cls);
    expect(validatorOnlyRules).toMatchObject([{ schemaPath: '#/properties/v', rule }]);
    const admits = compileStrictly(schema);
    for (const v of [good, bad]) expect(admits({ v })).toBe(true);
    expect(await accepts(cls, { v: good })).toBe(true);
    expect(await refusalOf(cls, { v: bad })).toEqual([`/v ${rule}`]);
    expect(await validatorVerdict(cls, { v: bad })).not.toBe('accepts');
  });

  it('stands beside the rules that the schema states', async () => {
    const cls = dtoWith(IsInt(), Validate(Even));
    expect(await accepts(cls, { v: 2 })).toBe(true);
    expect(await refusalOf(cls, { v: 3 })).toEqual(['/v even']);
    expect(await refusalOf(cls, { v: '2' })).toEqual(['/v isInt']);
  });

  it('on elements is asked about each, and is given the whole', async () => {
    const seen: unknown[] = [];
    const validate = (value: unknown, args?: ValidationArguments) => {
      seen.push([value, args?.value]);
      return value !== 'b';
    };
    const cls = dtoWith(ValidateBy({ name: 'each', validator: { validate } }, { each: true }));
    expect(await refusalOf(cls, { v: ['a', 'b'] })).toEqual(['/v/1 each']);
    expect(seen).toEqual([
      ['a', ['a', 'b']],
      ['b', ['a', 'b']],
    ]);
  });

  it('accepts with any truthy answer, as class-validator has it', async () => {
    const validate = (value: unknown): boolean => JSON.parse(value === 'a' ? '1' : '0');
    const cls = dtoWith(ValidateBy({ name: 'one', validator: { validate } }));
    expect(await accepts(cls, { v: 'a' })).toBe(true);
    expect(await accepts(cls, { v: 'b' })).toBe(false);
    expect(await validatorVerdict(cls, { v: 'a' })).toBe('accepts');
  });

  it('that nothing names, and whose message asks for the value, shows no value', async () => {
    const validator = { validate: () => false, defaultMessage: () => '$property is not $value' };
    const outcome = await inputContract(dtoWith(ValidateBy({ name: 'no', validator }))).parse({
      v: 'secret',
    });
    expect(JSON.stringify(violationsIn(outcome))).not.toContain('secret');
  });

  it('whose class cannot be made is refused', () => {
    @ValidatorConstraint()
    class Unmade implements ValidatorConstraintInterface {
      constructor() {
        throw new Error('no database');
      }
      validate(): boolean {
        return true;
      }
    }
    expect(problemsOf(() => inputContract(dtoWith(Validate(Unmade))))).toMatchObject([
      { code: 'unsupported_rule', place: { member: 'v' } },
    ]);
  });

  it('on a Date is asked about the Date', async () => {
    const validate = (value: unknown) => value instanceof Date && value.getUTCFullYear() > 2000;
    const cls = dtoWith(
      IsDate(),
      Type(() => Date),
      ValidateBy({ name: 'recent', validator: { validate } }),
    );
    expect(await accepts(cls, { v: '2026-01-31T09:30:00Z' })).toBe(true);
    expect(await refusalOf(cls, { v: '1999-01-31T09:30:00Z' })).toEqual(['/v recent']);
  });

  it('leaves all rules to run at once, and reports all', async () => {
    const cls = dtoOf({ a: [Validate(Owned)], b: [Validate(Even)], c: [Validate(Owned), IsString()] });
    expect(await refusalOf(cls, { a: 'x', b: 1, c: 'y' })).toEqual(['/a Owned', '/b even', '/c Owned']);
  });
});

describe('a rule with validateIf', () => {
  const isCounted = (holder: object): boolean => Reflect.get(holder, 'counted') === true;
  const cls = dtoOf({
    counted: [IsOptional()],
    v: [IsString(), MinLength(3, { validateIf: isCounted })],
  });

  it('runs where its condition holds, and only there', async () => {
    expect(await accepts(cls, { v: 'a' })).toBe(true);
    expect(await accepts(cls, { v: 'abc', counted: true })).toBe(true);
    expect(await refusalOf(cls, { v: 'a', counted: true })).toEqual(['/v minLength']);
    expect(await validatorVerdict(cls, { v: 'a' })).toBe('accepts');
    expect(await validatorVerdict(cls, { v: 'a', counted: true })).toBe('refuses');
  });

  it('says nothing in the schema but words', () => {
    const { schema, validatorOnlyRules } = inputContract(cls);
    expect(schema.properties).toMatchObject({ v: { type: 'string' } });
    expect(schema.properties).not.toMatchObject({ v: { minLength: 3 } });
    expect(validatorOnlyRules).toMatchObject([{ schemaPath: '#/properties/v', rule: 'minLength' }]);
  });
});
