/**
 * The cases of validation: failures that people met with systems like this one, by their ids.
 * Invariant: schema and runtime give the same verdict in each.
 */
import 'reflect-metadata';
import {
  IsEmail,
  IsString,
  Matches,
  MaxLength,
  Validate,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { inputContract } from 'toolcrib';
import { problemsOf } from '../fixtures/declaration-problems';
import { compileStrictly } from '../fixtures/strict-schema';
import { accepts, refusalOf, violationsIn } from '../fixtures/verdicts';

it('VAL-01: a rule on each element takes no lone value', async () => {
  class MailInput {
    @IsEmail({}, { each: true }) to!: string[];
  }
  expect(await refusalOf(MailInput, { to: 'ann@example.org' })).toEqual(['/to isArray']);
  expect(await accepts(MailInput, { to: ['ann@example.org'] })).toBe(true);
});

it('VAL-03: a DTO without properties takes {}, and rules in groups hold always', async () => {
  class NoArgs {}
  expect(await accepts(NoArgs, {})).toBe(true);
  expect(await refusalOf(NoArgs, { x: 1 })).toEqual(['/x whitelistValidation']);
  class Grouped {
    @IsString({ groups: ['admin'] }) q!: string;
  }
  expect(await accepts(Grouped, { q: 'x' })).toBe(true);
  expect(await refusalOf(Grouped, { q: 1 })).toEqual(['/q isString']);
  const outcome = await inputContract(Grouped).parse({});
  expect(violationsIn(outcome).map(({ path }) => path)).toEqual(['/q']);
});

it('VAL-04: unknown properties are refused by schema and runtime alike', async () => {
  class In {
    @IsString() q!: string;
  }
  const admits = compileStrictly(inputContract(In).schema);
  for (const [key, value] of [
    ['page', 2],
    ['o', { deep: 1 }],
  ] as const) {
    expect(await refusalOf(In, { q: 'a', [key]: value })).toEqual([`/${key} whitelistValidation`]);
    expect(admits({ q: 'a', [key]: value })).toBe(false);
  }
});

it('VAL-06: an asynchronous rule is waited for, and one that fails has refused', async () => {
  @ValidatorConstraint({ async: true })
  class Owned implements ValidatorConstraintInterface {
    async validate(id: unknown): Promise<boolean> {
      if (id === 'lost') throw new Error('no connection');
      return id === 'mine';
    }
  }
  class DocInput {
    @Validate(Owned) id!: string;
  }
  expect(await accepts(DocInput, { id: 'mine' })).toBe(true);
  for (const id of ['theirs', 'lost']) expect(await refusalOf(DocInput, { id })).toEqual(['/id Owned']);
});

it('VAL-07: a pattern that can run away is refused at the start', () => {
  class SlugInput {
    @MaxLength(10) @Matches(/^(a+)+$/) slug!: string;
  }
  expect(problemsOf(() => inputContract(SlugInput))).toMatchObject([
    { code: 'unsupported_rule', place: { class: 'SlugInput', member: 'slug' } },
  ]);
});
