/**
 * The rules that run after the gate.
 * Invariant: class-validator's own constraint decides on the hydrated value, at its own place; one that throws
 * has refused.
 */
import { Type } from 'class-transformer';
import {
  ArrayUnique,
  IsEmail,
  IsInt,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  MaxDate,
  MinDate,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { inputContract } from 'toolcrib';
import { accepts, refusalOf } from '../fixtures/verdicts';

class Contact {
  @IsEmail() mail!: string;
  @IsOptional() @IsUrl() site?: string;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Contact) others?: Contact[];
}
class Mailing {
  @IsEmail({}, { each: true }) to!: string[];
  @IsOptional() @IsEmail() from?: string;
  @IsEmail() reply = 'a@b.co';
  @ValidateNested() @Type(() => Contact) owner!: Contact;
}

const OWNER = { mail: 'a@b.co' };

describe('the rules that run after the gate', () => {
  it('name the place of every value that breaks one, at any depth', async () => {
    // What only the rules refuse: the schema asks for little more than an @ between two texts.
    const bad = 'a@b';
    const raw = {
      to: ['a@b.co', bad, bad],
      from: bad,
      reply: bad,
      owner: { mail: bad, site: 'a', others: [OWNER, { mail: bad, others: [{ mail: bad }] }] },
    };
    expect(await refusalOf(Mailing, raw)).toEqual([
      '/from isEmail',
      '/owner/mail isEmail',
      '/owner/others/1/mail isEmail',
      '/owner/others/1/others/0/mail isEmail',
      '/owner/site isUrl',
      '/reply isEmail',
      '/to/1 isEmail',
      '/to/2 isEmail',
    ]);
  });

  it('leave alone what is absent, null under IsOptional, or not sent', async () => {
    expect(await accepts(Mailing, { to: [], owner: OWNER })).toBe(true);
    expect(
      await accepts(Mailing, { to: [], from: null, owner: { ...OWNER, site: null, others: null } }),
    ).toBe(true);
  });

  it('do not run on what the gate has refused', async () => {
    let ran = 0;
    const bound = () => {
      ran += 1;
      return new Date(0);
    };
    class Watched {
      @IsInt() n!: number;
      @Type(() => Date) @MinDate(bound) at!: Date;
    }
    const contract = inputContract(Watched);
    const at = '2024-01-31T09:30:00Z';
    ran = 0;
    expect((await contract.parse({ n: 'x', at })).ok).toBe(false);
    expect(ran).toBe(0);
    expect((await contract.parse({ n: 1, at })).ok).toBe(true);
    expect(ran).toBe(1);
  });

  it('see Dates, not text', async () => {
    class Window {
      @Type(() => Date) @MinDate(new Date('2024-01-01T00:00:00Z')) from!: Date;
      @Type(() => Date) @MaxDate(new Date('2025-01-01T00:00:00Z'), { each: true }) until!: Date[];
    }
    const fits = '2024-06-01T00:00:00Z';
    expect(await accepts(Window, { from: fits, until: [fits] })).toBe(true);
    expect(
      await refusalOf(Window, { from: '2023-06-01T00:00:00Z', until: [fits, '2026-01-01T00:00:00Z'] }),
    ).toEqual(['/from minDate', '/until/1 maxDate']);
  });

  it('refuse when they throw', async () => {
    expect(await refusalOf(Contact, { mail: '\ud83d@b.co' })).toEqual(['/mail isEmail']);
  });

  it('all run, those of the array and of its elements', async () => {
    class Tags {
      @ArrayUnique((one: string) => one.toLowerCase())
      @IsEmail({}, { each: true })
      tags!: string[];
    }
    expect(await refusalOf(Tags, { tags: ['a@b', 'a@b.co', 'A@B.CO'] })).toEqual([
      '/tags arrayUnique',
      '/tags/0 isEmail',
    ]);
  });

  it('run for a class that only reaches them, through itself and through others', async () => {
    class Leaf {
      @IsEmail() mail!: string;
    }
    class Branch {
      @IsString() name!: string;
      @IsOptional() @ValidateNested() @Type(() => Branch) next?: Branch;
      @IsOptional() @ValidateNested() @Type(() => Leaf) leaf?: Leaf;
    }
    const raw = { name: 'a', next: { name: 'b', next: { name: 'c', leaf: { mail: 'x' } } } };
    expect(await refusalOf(Branch, raw)).toEqual(['/next/next/leaf/mail isEmail']);
  });
});
