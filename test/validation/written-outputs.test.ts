/**
 * Outputs that class-transformer's decorators change on their way out.
 * Invariant: what leaves fits the schema that the model was shown, and nothing that `@Exclude` hides leaves, be the
 * output an instance or a plain object.
 */
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  Allow,
  IsDate,
  IsDateString,
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  ValidateNested,
} from 'class-validator';
import { type Class, inputContract, outputContract } from 'toolcrib';
import { problemsOf } from '../fixtures/declaration-problems';
import { compileStrictly } from '../fixtures/strict-schema';
import { violationsIn } from '../fixtures/verdicts';

/** A decimal that says nothing of itself, as a library's would not. */
class Decimal {
  constructor(private readonly digits: string) {}
  text(): string {
    return this.digits;
  }
}
const toText = ({ value }: { value: unknown }) => (value instanceof Decimal ? value.text() : value);

class Person {
  @Expose({ name: 'full_name' }) @IsString() fullName!: string;
  @Exclude() @IsString() passwordHash!: string;
  @Exclude() session = 'S3CR3T';
}
class Order {
  @IsString() id!: string;
  @Transform(toText, { toPlainOnly: true }) @Matches(/^\d+\.\d\d$/) total!: Decimal;
  @ValidateNested() @Type(() => Person) buyer!: Person;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Person) others?: Person[];
  @IsOptional() @IsDate() @Type(() => Date) at?: Date;
}

const ROW = {
  id: 'o1',
  total: new Decimal('12.50'),
  buyer: { fullName: 'Ann', passwordHash: 'S3CR3T' },
  others: [{ fullName: 'Bob', passwordHash: 'S3CR3T' }],
  at: new Date(0),
};
const WRITTEN = {
  id: 'o1',
  total: '12.50',
  buyer: { full_name: 'Ann' },
  others: [{ full_name: 'Bob' }],
  at: '1970-01-01T00:00:00.000Z',
};

function made<T extends object>(cls: new () => T, members: object): T {
  return Object.assign(new cls(), members);
}

/** What leaves of an output; fails the test where it is refused, or is not what the schema says. */
async function written(cls: Class, output: unknown, kind: 'class' | 'list' = 'class'): Promise<unknown> {
  const contract = outputContract({ kind, cls });
  const outcome = await contract.parse(output);
  if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome.violations)}`);
  expect(contract.schema === undefined || compileStrictly(contract.schema)(outcome.value)).toBe(true);
  expect(await contract.check(outcome.value)).toEqual(outcome);
  return outcome.value;
}

async function refusalOf(cls: Class | undefined, output: unknown): Promise<readonly string[]> {
  const contract = outputContract(cls && { kind: 'class', cls });
  const violations = violationsIn(await contract.parse(output));
  expect(JSON.stringify(violations)).not.toContain('S3CR3T');
  return violations.map(({ path, rule }) => `${path} ${rule}`);
}

describe('a declared output', () => {
  it('is written by its decorators, of instances and of plain objects', async () => {
    const buyer = made(Person, ROW.buyer);
    const others = [made(Person, { fullName: 'Bob', passwordHash: 'S3CR3T' })];
    for (const output of [ROW, made(Order, ROW), made(Order, { ...ROW, buyer, others }), { ...ROW, buyer }]) {
      expect(await written(Order, output)).toEqual(WRITTEN);
    }
    expect(await written(Order, [ROW, made(Order, ROW)], 'list')).toEqual([WRITTEN, WRITTEN]);
  });

  it('is shown as it is written', () => {
    const { schema } = outputContract({ kind: 'class', cls: Order });
    expect(schema).toMatchObject({
      properties: { total: { type: 'string' }, buyer: { $ref: '#/$defs/Person' } },
      $defs: {
        Person: {
          properties: { full_name: { type: 'string' } },
          required: ['full_name'],
          additionalProperties: false,
        },
      },
    });
    expect(JSON.stringify(schema)).not.toMatch(/passwordHash|session|fullName/);
  });

  it('does not change what the handler holds', async () => {
    const output = Object.freeze({ ...ROW, buyer: Object.freeze({ ...ROW.buyer }) });
    expect(await written(Order, output)).toEqual(WRITTEN);
  });

  it('is refused with what was not declared, the written name of a property included', async () => {
    expect(await refusalOf(Order, { ...ROW, secret: 'S3CR3T' })).toEqual(['/secret whitelistValidation']);
    expect(await refusalOf(Order, { ...ROW, buyer: { full_name: 'S3CR3T' } })).toEqual([
      '/buyer/full_name whitelistValidation',
    ]);
    expect(await refusalOf(Order, { ...ROW, total: new Decimal('S3CR3T') })).toEqual(['/total matches']);
  });

  it('is written by a toJSON where it is no instance of a decorated class', async () => {
    expect(await written(Order, { toJSON: () => ROW })).toEqual(WRITTEN);
    class Said extends Person {
      toJSON(): object {
        return { passwordHash: this.passwordHash };
      }
    }
    expect(await written(Said, made(Said, ROW.buyer))).toEqual({ full_name: 'Ann' });
  });

  it('of a subclass is written by the decorators of the subclass', async () => {
    class Staff extends Person {
      @Exclude() salary = 'S3CR3T';
    }
    expect(await written(Person, made(Staff, ROW.buyer))).toEqual({ full_name: 'Ann' });
  });

  it('of another decorated class keeps what either class hides', async () => {
    class Row {
      fullName = 'Ann';
      passwordHash = 'S3CR3T';
      @Exclude() token = 'S3CR3T';
    }
    expect(await written(Person, new Row())).toEqual({ full_name: 'Ann' });
  });

  it('may be a class that shows only what it exposes, and so may its subclasses', async () => {
    @Exclude()
    class Account {
      @Expose() @IsInt() id = 1;
      @IsString() secret = 'S3CR3T';
      pin = 'S3CR3T';
    }
    class Premium extends Account {
      bonus = 'S3CR3T';
    }
    expect(await written(Account, new Account())).toEqual({ id: 1 });
    expect(await written(Account, { id: 2, secret: 'S3CR3T', unknown: 'S3CR3T' })).toEqual({ id: 2 });
    expect(await written(Premium, new Premium())).toEqual({ id: 1 });
    expect(await written(Account, new Premium())).toEqual({ id: 1 });
  });

  it('may hold exposed getters and methods, which plain objects are read through too', async () => {
    class Named {
      @IsString() first!: string;
      @Expose() @IsString() get full(): string {
        return `${this.first} Lee`;
      }
      @Expose() @IsEmail() mail(): string {
        return `${this.first}@example.com`;
      }
    }
    const row = { first: 'Ann' };
    const expected = { ...row, full: 'Ann Lee', mail: 'Ann@example.com' };
    expect(await written(Named, made(Named, row))).toEqual(expected);
    expect(await written(Named, row)).toEqual(expected);
    expect(await refusalOf(Named, { ...row, first: 'A n n' })).toEqual(['/mail isEmail']);
    expect(problemsOf(() => inputContract(Named))).toContainEqual(
      expect.objectContaining({ code: 'illegal_property', place: { class: 'Named', member: 'full' } }),
    );
  });

  it('takes a conversion of a Date to another text, and of a bigint', async () => {
    const day = ({ value }: { value: Date }) => value.toISOString().slice(0, 10);
    class Entry {
      @Transform(day, { toPlainOnly: true }) @Type(() => Date) @IsDateString() on!: Date;
      @Transform(({ value }) => String(value), { toPlainOnly: true }) @IsString() count!: bigint;
    }
    expect(await written(Entry, { on: new Date(0), count: 2n ** 64n })).toEqual({
      on: '1970-01-01',
      count: '18446744073709551616',
    });
  });

  it('knows nothing of conversions and exclusions on the way in', async () => {
    class Both {
      @Transform(({ value }) => Number(value), { toClassOnly: true }) @IsInt() n!: number;
      @Exclude({ toClassOnly: true }) @IsInt() id!: number;
    }
    expect(await written(Both, { n: 1, id: 2 })).toEqual({ n: 1, id: 2 });
    expect(await refusalOf(Both, { n: '1', id: 2 })).toEqual(['/n isInt']);
    expect(outputContract({ kind: 'class', cls: Both }).schema).toMatchObject({
      properties: { n: { type: 'integer' }, id: { type: 'integer' } },
    });
  });

  it('tells DTOs of a union by their class, and plain objects by the tag', async () => {
    class Card {
      @IsIn(['card']) kind!: 'card';
      @Transform(({ value }) => `…${String(value).slice(-4)}`) @IsString() number!: string;
    }
    class Cash {
      @IsIn(['cash']) kind!: 'cash';
      @Exclude() @IsString() drawer!: string;
    }
    const discriminator = {
      property: 'kind',
      subTypes: [
        { name: 'card', value: Card },
        { name: 'cash', value: Cash },
      ],
    };
    class Payment {
      @ValidateNested({ each: true })
      @Type(() => Object, { keepDiscriminatorProperty: true, discriminator })
      parts!: object[];
    }
    const card = { kind: 'card', number: '5555444433331111' };
    const cash = { kind: 'cash', drawer: 'S3CR3T' };
    for (const parts of [
      [card, cash],
      [made(Card, card), made(Cash, cash)],
    ]) {
      expect(await written(Payment, { parts })).toEqual({
        parts: [{ kind: 'card', number: '…1111' }, { kind: 'cash' }],
      });
    }
  });

  it.each([
    ['a conversion that throws', { total: null, at: undefined }, '/total transform'],
    ['an invalid Date', { at: new Date(Number.NaN) }, '/at isJson'],
    ['a throwing getter', Object.defineProperty({}, 'id', { get: failing, enumerable: true }), '/id isJson'],
    ['a Map', { others: new Map() }, '/others isJson'],
    ['a promise', { others: [Promise.reject(new Error('S3CR3T'))] }, '/others/0 isJson'],
  ])('names the place of %s', async (_, changes, refusal) => {
    class Strict extends Order {
      @Transform(({ value }) => value ?? failing(), { toPlainOnly: true })
      @Transform(toText, { toPlainOnly: true })
      @IsString()
      override total: Decimal = new Decimal('1.00');
    }
    const output = Object.defineProperties({ ...ROW }, Object.getOwnPropertyDescriptors(changes));
    expect(await refusalOf(Strict, output)).toEqual([refusal]);
  });

  it('keeps what a conversion threw for the log', async () => {
    class Thrower {
      @Transform(failing, { toPlainOnly: true }) @IsInt() n = 1;
    }
    const outcome = await outputContract({ kind: 'class', cls: Thrower }).parse(new Thrower());
    expect(outcome).toMatchObject({ ok: false, cause: { message: 'S3CR3T' } });
  });

  it('stops at its bound before everything is written', async () => {
    let count = 0;
    class Wide {
      @Transform(({ value }) => {
        count += 1;
        return value;
      })
      @Allow()
      text = 'x'.repeat(100);
    }
    const many = Array.from({ length: 10_000 }, () => new Wide());
    const outcome = await outputContract({ kind: 'list', cls: Wide }).parse(many, 1_000);
    expect(violationsIn(outcome)).toMatchObject([{ rule: 'maxBytes' }]);
    expect(count).toBeLessThan(20);
  });

  it('is refused where it holds itself, or ends nowhere', async () => {
    class Node {
      @Exclude() hidden = 'S3CR3T';
      @IsOptional() @ValidateNested() @Type(() => Node) next?: Node;
    }
    const ring = new Node();
    ring.next = new Node();
    ring.next.next = ring;
    expect(await refusalOf(Node, ring)).toEqual(['/next/next isJson']);
    class Endless {
      @Expose() @IsOptional() @ValidateNested() @Type(() => Endless) get next(): Endless {
        return new Endless();
      }
    }
    expect(await refusalOf(Endless, new Endless())).toHaveLength(1);
  });
});

function failing(): never {
  throw new Error('S3CR3T');
}
