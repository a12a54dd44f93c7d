/**
 * What rules answer, and what they are asked about, beyond plain booleans.
 * Invariant: verdicts count as class-validator counts them, and a rule sees the instance that the handler gets,
 * with the nulls that the caller wrote.
 */
import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsInt,
  IsOptional,
  IsString,
  IsUrl,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { inputContract } from 'toolcrib';
import { problemsOf } from '../fixtures/declaration-problems';
import { dtoWith } from '../fixtures/dto-with';
import { accepts, parsedValue, refusalOf, validatorVerdict } from '../fixtures/verdicts';

function ruleOf(validate: (value: unknown) => unknown) {
  // As untyped code answers: class-validator's own type allows booleans and promises of them.
  const validator = {
    validate: (value: unknown): boolean => JSON.parse('null') ?? Reflect.apply(validate, undefined, [value]),
  };
  return ValidateBy({ name: 'answer', validator });
}

describe('a verdict', () => {
  it('that can be waited for is waited for, whatever made it', async () => {
    const later = (verdict: boolean) => ({
      // biome-ignore lint/suspicious/noThenProperty: query builders have one too.
      then: (resolve: (answer: boolean) => void) => resolve(verdict),
    });
    expect(await accepts(dtoWith(ruleOf(() => later(true))), { v: 1 })).toBe(true);
    expect(await refusalOf(dtoWith(ruleOf(() => later(false))), { v: 1 })).toEqual(['/v answer']);
  });

  it('on an initialiser may be rejected later without harm to the process', async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    class Down {
      @ValidateBy({
        name: 'down',
        async: true,
        validator: { validate: () => Promise.reject(new Error('no')) },
      })
      v = 'x';
    }
    inputContract(Down);
    await new Promise(setImmediate);
    process.off('unhandledRejection', onUnhandled);
    expect(unhandled).toEqual([]);
  });
});

describe('a condition', () => {
  class Inner {
    @IsOptional() @IsInt() n = 7;
  }
  class Outer {
    @ValidateNested() @Type(() => Inner) a!: Inner;
    @ValidateIf((one: Outer) => one.a.n === null) @IsString() s!: string;
  }

  it('sees the nulls of nested DTOs, and the handler their initialisers', async () => {
    expect(await refusalOf(Outer, { a: { n: null }, s: 1 })).toEqual(['/s isString']);
    expect(await validatorVerdict(Outer, { a: { n: null }, s: 1 })).toBe('refuses');
    expect(await parsedValue(Outer, { a: { n: null }, s: 'x' })).toMatchObject({ a: { n: 7 }, s: 'x' });
  });

  it('sees the very instance, with what it keeps beside its properties', async () => {
    const kept = new WeakMap<object, boolean>();
    class Keeping {
      @IsOptional() @IsInt() n?: number;
      @IsBoolean() on!: boolean;
      @ValidateIf((one: object) => kept.get(one) === true) @IsString() s!: string;
      constructor() {
        kept.set(this, true);
      }
    }
    expect(await refusalOf(Keeping, { n: null, on: true, s: 5 })).toEqual(['/s isString']);
  });

  it('that holds demands its rules of the initialiser too', async () => {
    class Defaulted {
      @ValidateIf(() => true) @IsInt() v: unknown = 'not an integer';
    }
    expect(await refusalOf(Defaulted, {})).toEqual(['/v isInt']);
  });
});

describe('an initialiser', () => {
  class Leaf {
    @IsInt() x = 1;
  }
  class Lone {
    @IsInt({ each: true }) v: unknown = 'xx';
  }
  class Literal {
    @ValidateNested() @Type(() => Leaf) v: object = { x: 1 };
  }
  class Extra {
    @ValidateNested() @Type(() => Leaf) v = Object.assign(new Leaf(), { extra: 1 });
  }

  it.each([Lone, Literal, Extra])('that class-validator refuses is refused at the start: %p', (cls) => {
    expect(problemsOf(() => inputContract<object>(cls))).toMatchObject([
      { code: 'illegal_property', place: { class: cls.name, member: 'v' } },
    ]);
  });
});

it('a regular expression in the options of a rule may not run away either', () => {
  const cls = dtoWith(IsUrl({ host_whitelist: [/^(a+)+$/] }));
  expect(problemsOf(() => inputContract(cls))).toMatchObject([{ code: 'unsupported_rule' }]);
});

it('a scalar that @Type names for a list is refused without each', () => {
  expect(
    problemsOf(() =>
      inputContract(
        dtoWith(
          IsArray(),
          Type(() => String),
        ),
      ),
    ),
  ).toMatchObject([{ code: 'unsupported_type' }]);
});
