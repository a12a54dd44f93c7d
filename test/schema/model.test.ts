/**
 * The judgement of whole classes, and of those that they reach.
 * Invariant: everything that is wrong is reported together, under the class that has it.
 */
import { Exclude, Type } from 'class-transformer';
import { Allow, IsInt, IsOptional, IsString, Matches, ValidateNested } from 'class-validator';
import { inputContract, outputContract } from 'toolcrib';
import { problemsOf } from '../fixtures/declaration-problems';
import { dtoOf } from '../fixtures/dto-with';
import { accepts } from '../fixtures/verdicts';

class Forgotten {
  @IsString() a!: string;
  b = 1;
  c: string | undefined;
}
class Inner {
  @Matches(/(a+)+b/) pattern!: string;
  @IsOptional() @ValidateNested() @Type(() => Outer) back?: object;
}
class Outer {
  @Exclude() @IsString() address!: string;
  @ValidateNested() @Type(() => Inner) inner!: Inner;
  @ValidateNested({ each: true }) @Type(() => Forgotten) others!: Forgotten[];
}

describe('a class', () => {
  it('with a property that has no rule is refused, also where the property is undefined', () => {
    expect(problemsOf(() => inputContract(Forgotten))).toMatchObject([
      { code: 'property_without_rule', place: { class: 'Forgotten', member: 'b' } },
      { code: 'property_without_rule', place: { class: 'Forgotten', member: 'c' } },
    ]);
  });

  it('whose property has @Type and no rule is refused', () => {
    class Typed {
      @Type(() => Date) at!: Date;
    }
    expect(problemsOf(() => inputContract(Typed))).toMatchObject([
      { code: 'property_without_rule', place: { class: 'Typed', member: 'at' } },
    ]);
  });

  it('takes @Allow as the rule of a property that may hold anything', async () => {
    class Free {
      @Allow() anything: unknown;
    }
    for (const anything of [null, 1, 'a', [], {}]) expect(await accepts(Free, { anything })).toBe(true);
    expect(await accepts(Free, {})).toBe(true);
  });

  it('reports its own problems and those of all classes that it reaches, once', () => {
    const problems = problemsOf(() => inputContract(Outer));
    expect(problems.map(({ code, place }) => `${place.class}.${place.member} ${code}`)).toEqual([
      'Outer.address unsupported_rule',
      'Inner.pattern unsupported_rule',
      'Forgotten.b property_without_rule',
      'Forgotten.c property_without_rule',
    ]);
    expect(problemsOf(() => inputContract(Outer))).toEqual(problems);
  });

  it('is judged for outputs as for inputs, but for what @Exclude hides', () => {
    const [hidden, ...problems] = problemsOf(() => inputContract(Outer));
    expect(hidden).toMatchObject({ place: { member: 'address' } });
    expect(problemsOf(() => outputContract({ kind: 'class', cls: Outer }))).toEqual(problems);
    expect(problemsOf(() => outputContract({ kind: 'list', cls: Outer }))).toEqual(problems);
  });

  it('that only refers to a broken one is refused too', () => {
    const cls = dtoOf({ part: [ValidateNested(), Type(() => Forgotten)] }, 'Innocent');
    expect(problemsOf(() => inputContract(cls))).toMatchObject([
      { place: { class: 'Forgotten', member: 'b' } },
      { place: { class: 'Forgotten', member: 'c' } },
    ]);
  });

  it('may have methods and static members', async () => {
    class Rich {
      static readonly limit = 5;
      @IsInt() n!: number;
      double(): number {
        return this.n * 2;
      }
    }
    const outcome = await inputContract(Rich).parse({ n: 2 });
    expect(outcome.ok && outcome.value.double()).toBe(4);
    expect(await accepts(Rich, { n: 2, double: 1 })).toBe(false);
  });
});
