/**
 * Initialisers that break the rules of their own property.
 * Invariant: what the schema lets a caller leave out, class-validator would accept too.
 */
import { Type } from 'class-transformer';
import {
  ArrayMinSize,
  IsDate,
  IsEmail,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { type Class, inputContract } from 'toolcrib';
import { problemsOf } from '../fixtures/declaration-problems';
import type { Dto } from '../fixtures/dto-with';
import { accepts, validatorVerdict } from '../fixtures/verdicts';

class Part {
  @IsInt() @Min(1) n = 1;
  @IsOptional() @IsString() note?: string;
}
class Required {
  @IsString() name!: string;
}
function partOf(n: number): Part {
  return Object.assign(new Part(), { n });
}

class Bound {
  @Min(5) v = 3;
}
class WrongType {
  @IsInt() v: unknown = '3';
}
class InWords {
  @IsEmail() v = 'nobody';
}
class Corner {
  @MinLength(2) v = '❤️';
}
class Element {
  @Matches(/^a/u, { each: true }) v = ['a', 'b'];
}
class Size {
  @IsString({ each: true }) @ArrayMinSize(1) v: string[] = [];
}
class When {
  @Type(() => Date) @IsDate() v = new Date(Number.NaN);
}
class Nested {
  @ValidateNested() @Type(() => Part) v = partOf(0);
}
class NestedList {
  @ValidateNested({ each: true }) @Type(() => Part) v = [partOf(1), partOf(0)];
}
class Lacking {
  @ValidateNested() @Type(() => Required) v = new Required();
}
class Below extends Bound {}

const BROKEN: readonly Dto[] = [
  Bound,
  WrongType,
  InWords,
  Corner,
  Element,
  Size,
  When,
  Nested,
  NestedList,
  Lacking,
  Below,
];

describe('an initialiser that breaks a rule of its property', () => {
  it.each(BROKEN)('is a problem of the declaration: %p', async (cls) => {
    expect(problemsOf(() => inputContract(cls))).toMatchObject([
      { code: 'illegal_property', place: { class: cls.name, member: 'v' } },
    ]);
    expect(await validatorVerdict(cls, {})).not.toBe('accepts');
  });

  it('is one where it is nested, under the name of the class that has it', () => {
    class Outer {
      @ValidateNested() @Type(() => Bound) inner!: Bound;
    }
    expect(problemsOf(() => inputContract(Outer))).toMatchObject([
      { place: { class: 'Bound', member: 'v' } },
    ]);
  });
});

describe('an initialiser that keeps to the rules', () => {
  class Sound {
    @IsInt() @Min(1) size = 1;
    @IsEmail() mail = 'a@b.co';
    @IsOptional() @IsInt() none: number | null = null;
    @IsString({ each: true }) @ArrayMinSize(1) tags = ['a'];
    @Type(() => Date) @IsDate() at = new Date(0);
    @ValidateNested() @Type(() => Part) part = new Part();
    @ValidateNested({ each: true }) @Type(() => Part) parts = [new Part()];
  }

  it('is accepted, by class-validator too', async () => {
    const cls: Class<Sound> = Sound;
    expect(await accepts(cls, {})).toBe(true);
    expect(await validatorVerdict(Sound, {})).toBe('accepts');
  });
});
