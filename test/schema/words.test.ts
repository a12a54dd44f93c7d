/**
 * The words of a broken rule: class-validator's own, or the author's.
 * Invariant: the words are those that class-validator would write for the same value, and never hold the value.
 */
import { plainToInstance, Type } from 'class-transformer';
import {
  IsEmail,
  IsIn,
  IsInt,
  Length,
  Matches,
  Max,
  MaxLength,
  MinDate,
  MinLength,
  ValidateNested,
  type ValidationArguments,
  validate,
} from 'class-validator';
import fc from 'fast-check';
import { inputContract } from 'toolcrib';
import { type Decorators, type Dto, dtoWith } from '../fixtures/dto-with';
import { JSON_POOL, RULE_FORMS } from '../fixtures/rule-forms';
import { violationsIn } from '../fixtures/verdicts';

const FORMS = [...RULE_FORMS].map(([id, { decorate, family }]) => ({ id, decorate, family }));
/** Those whose words depend neither on the value nor on how an array prints null. */
const STEADY = FORMS.filter(({ id }) => !id.startsWith('Length') && !id.includes('null'));

/** The messages of class-validator for the property `v`, by rule. */
async function validatorWords(cls: Dto, v: unknown): Promise<Readonly<Record<string, string>>> {
  try {
    const errors = await validate(plainToInstance(cls, { v }));
    return Object.assign({}, ...errors.map(({ constraints }) => constraints ?? {}));
  } catch {
    return {};
  }
}

/** Holds the message of every refusal of a pool value against class-validator's, and counts them. */
async function compareWords(cls: Dto, values: readonly unknown[]): Promise<number> {
  const contract = inputContract(cls);
  let compared = 0;
  for (const v of values) {
    const outcome = await contract.parse({ v });
    if (outcome.ok) continue;
    const words = await validatorWords(cls, v);
    for (const { rule, message } of outcome.violations) {
      if (words[rule] === undefined) continue;
      expect({ v, message }).toEqual({ v, message: words[rule] });
      compared += 1;
    }
  }
  return compared;
}

/** The messages of a refusal of `v`. */
async function messagesOf(decorators: Decorators, v: unknown): Promise<readonly string[]> {
  const outcome = await inputContract(dtoWith(...decorators)).parse({ v });
  return violationsIn(outcome).map(({ message }) => message);
}

describe('the words of a rule', () => {
  it.each(STEADY)('$id: are those of class-validator', async ({ decorate }) => {
    expect(await compareWords(dtoWith(decorate()), JSON_POOL)).toBeGreaterThan(0);
  });

  it.each(STEADY.filter(({ family }) => family !== 'array'))(
    '$id: are those of class-validator on elements',
    async ({ decorate }) => {
      const lists = JSON_POOL.map((one) => [one]);
      expect(await compareWords(dtoWith(decorate({ each: true })), lists)).toBeGreaterThan(0);
    },
  );

  it('name the bound of a length that is broken, though they do not see the value', async () => {
    const LONG = 'a'.repeat(30);
    for (const [min, max] of [
      [2, 3],
      [10, 20],
      [1, 4],
    ] as const) {
      const [tooShort] = await messagesOf([Length(min, max)], 'a'.repeat(min - 1));
      const [tooLong] = await messagesOf([Length(min, max)], LONG);
      expect(tooShort).toContain(String(min));
      expect(tooLong).toContain(String(max));
    }
  });

  it('name null where a list has it', async () => {
    expect((await messagesOf([IsIn(['a', null])], 'b'))[0]).toContain('null');
  });

  it('name the bound of a date in a form that does not depend on the machine', async () => {
    const [message] = await messagesOf(
      [Type(() => Date), MinDate(new Date('2024-01-01T00:00:00Z'))],
      '2023-01-01T00:00:00Z',
    );
    expect(message).toContain('2024-01-01T00:00:00.000Z');
  });
});

describe("an author's message", () => {
  it('is used, with its tokens replaced', async () => {
    const message = '$property of $target takes $constraint1 to $constraint2, $constraint1 at least';
    expect(await messagesOf([Length(2, 4, { message })], 'a')).toEqual([
      'v of Made takes 2 to 4, 2 at least',
    ]);
    expect(await messagesOf([IsIn(['b', 'c'], { message: 'one of $constraint1' })], 'a')).toEqual([
      'one of b, c',
    ]);
    expect(await messagesOf([Matches(/^b/, { message: 'like $constraint1' })], 'a')).toEqual(['like /^b/']);
    expect(await messagesOf([IsInt({ each: true, message: 'whole!' })], [1, 'a'])).toEqual(['whole!']);
  });

  it('keeps tokens that stand for nothing', async () => {
    expect(await messagesOf([IsInt({ message: '$constraint1 $other costs $5' })], 'a')).toEqual([
      '$constraint1 $other costs $5',
    ]);
  });

  it('never holds the value, of the gate or of a rule that runs after it', async () => {
    const secret = 'hunter2-hunter2';
    for (const rule of [
      Max(1, { message: 'got $value' }),
      MinLength(99, { message: '$value$value' }),
      IsEmail({}, { message: '$value' }),
      IsIn(['a'], { message: ({ value }: ValidationArguments) => `got ${value}` }),
      IsEmail({}, { message: (args: ValidationArguments) => JSON.stringify(args) }),
    ]) {
      for (const message of await messagesOf([rule], secret)) {
        expect(message).not.toContain(secret);
        expect(message.length).toBeGreaterThan(0);
      }
    }
  });

  it('made by a function sees the rule and not the value', async () => {
    const seen: ValidationArguments[] = [];
    const message = (args: ValidationArguments) => {
      seen.push(args);
      return 'no';
    };
    expect(await messagesOf([Length(2, 4, { message })], 'secret')).toEqual(['no']);
    expect(seen).not.toHaveLength(0);
    for (const { property, constraints, targetName, object, value } of seen) {
      expect({ property, constraints, targetName, object }).toEqual({
        property: 'v',
        constraints: [2, 4],
        targetName: 'Made',
        object: {},
      });
      expect(value).not.toBe('secret');
    }
  });

  it('does not grow with the value', async () => {
    const message = ({ value }: ValidationArguments) => `got ${value}`;
    for (const rule of [IsEmail({}, { message }), IsInt({ message }), MaxLength(3, { message })]) {
      for (const v of ['S'.repeat(100_000), Array.from({ length: 10_000 }, () => 'S')]) {
        for (const words of await messagesOf([rule], v)) expect(words.length).toBeLessThan(10_000);
      }
    }
  });

  it('made by a function that fails gives words of our own', async () => {
    const failing: readonly (() => string)[] = [
      () => {
        throw new Error('secret');
      },
      () => '',
      () => String(Object.create(null)),
    ];
    for (const message of failing) {
      const [words] = await messagesOf([IsInt({ message })], 'secret');
      expect(words).toBeTruthy();
      expect(words).not.toContain('secret');
    }
  });

  it('made by a function cannot change the rule', async () => {
    const message = ({ constraints }: ValidationArguments) => {
      constraints.length = 0;
      return 'no';
    };
    const contract = inputContract(dtoWith(IsEmail({ require_tld: false }, { message })));
    for (let count = 0; count < 3; count += 1) {
      expect((await contract.parse({ v: 'a' })).ok).toBe(false);
      expect((await contract.parse({ v: 'a@localhost' })).ok).toBe(true);
    }
  });

  it('of a nested property names that property', async () => {
    class Part {
      @IsInt({ message: '$property of $target' }) n!: number;
    }
    const outcome = await inputContract(
      dtoWith(
        ValidateNested(),
        Type(() => Part),
      ),
    ).parse({ v: { n: 'a' } });
    expect(violationsIn(outcome)).toEqual([{ path: '/v/n', rule: 'isInt', message: 'n of Part' }]);
  });
});

describe('a refused value', () => {
  it('is never repeated, whatever the rule', async () => {
    const forms = fc.constantFrom(...FORMS);
    const secrets = fc.string({ minLength: 12, maxLength: 24 }).map((text) => `S3CR3T${text}`);
    const wrap = fc.constantFrom(
      (one: string): unknown => one,
      (one: string): unknown => [one],
      (one: string): unknown => ({ [one]: one }),
    );
    await fc.assert(
      fc.asyncProperty(forms, secrets, wrap, async ({ decorate }, secret, wrapped) => {
        const outcome = await inputContract(dtoWith(decorate())).parse({ v: wrapped(secret) });
        if (!outcome.ok) expect(JSON.stringify(outcome)).not.toContain('S3CR3T');
      }),
      { seed: 20260131, numRuns: 200 },
    );
  });
});
