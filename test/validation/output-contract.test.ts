/**
 * Output contracts.
 * Invariant: what leaves is JSON that the output schema accepts; anything else is refused, never trimmed.
 */
import { Type } from 'class-transformer';
import {
  ArrayUnique,
  IsDate,
  IsEmail,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Min,
  ValidateNested,
} from 'class-validator';
import fc from 'fast-check';
import { type OutputContract, outputContract } from 'toolcrib';
import { compileStrictly } from '../fixtures/strict-schema';
import { violationsIn } from '../fixtures/verdicts';

class Line {
  @IsString() sku!: string;
  @IsInt() @Min(1) count!: number;
}
class Order {
  @IsString() id!: string;
  @Type(() => Date) @IsDate() at!: Date;
  @ValidateNested({ each: true }) @Type(() => Line) lines!: Line[];
  @IsOptional() @IsString() note?: string | null;
  total(): number {
    return this.lines.length;
  }
}
class Contact {
  @IsEmail() mail!: string;
  @IsOptional() @ArrayUnique() tags?: unknown[];
}

const one = outputContract({ kind: 'class', cls: Order });
const many = outputContract({ kind: 'list', cls: Order });
const contact = outputContract({ kind: 'class', cls: Contact });
const contacts = outputContract({ kind: 'list', cls: Contact });
const undeclared = outputContract(undefined);

function orderWith(changes: object = {}): Order {
  const order = new Order();
  return Object.assign(order, { id: 'x', at: new Date(0), lines: [{ sku: 'a', count: 1 }] }, changes);
}

const ORDER_JSON = { id: 'x', at: '1970-01-01T00:00:00.000Z', lines: [{ sku: 'a', count: 1 }] };

async function refusalOf(contract: OutputContract, output: unknown): Promise<readonly string[]> {
  return violationsIn(await contract.parse(output)).map(({ path, rule }) => `${path} ${rule}`);
}

describe('the output of a DTO', () => {
  it('is the JSON of an instance, or of a plain object like it', async () => {
    for (const output of [orderWith(), { ...orderWith() }, ORDER_JSON, orderWith({ note: undefined })]) {
      expect(await one.parse(output)).toEqual({ ok: true, value: ORDER_JSON });
    }
    expect(await one.parse(orderWith({ note: null }))).toEqual({
      ok: true,
      value: { ...ORDER_JSON, note: null },
    });
  });

  it('is refused with a member that was not declared, at any depth', async () => {
    expect(await refusalOf(one, orderWith({ secret: 1 }))).toEqual(['/secret whitelistValidation']);
    expect(await refusalOf(one, orderWith({ lines: [{ sku: 'a', count: 1, cost: 5 }] }))).toEqual([
      '/lines/0/cost whitelistValidation',
    ]);
  });

  it.each([
    ['a missing member', { id: undefined }, '/id isDefined'],
    ['a member of another type', { id: 5 }, '/id isString'],
    ['a broken bound', { lines: [{ sku: 'a', count: 0 }] }, '/lines/0/count min'],
    ['an invalid Date', { at: new Date(Number.NaN) }, '/at isJson'],
    ['a Date as a number', { at: 0 }, '/at isDate'],
    ['a bigint', { note: 1n }, '/note isJson'],
    ['a Map', { note: new Map() }, '/note isJson'],
    ['NaN', { lines: [{ sku: 'a', count: Number.NaN }] }, '/lines/0/count isJson'],
  ])('is refused with %s', async (_, changes, refusal) => {
    expect(await refusalOf(one, orderWith(changes))).toEqual([refusal]);
  });

  it('is refused where it is none', async () => {
    for (const output of [undefined, null, 'x', 5, [], [orderWith()]]) {
      expect((await one.parse(output)).ok).toBe(false);
    }
  });

  it('is held to the rules that the schema cannot say', async () => {
    expect(await contact.parse({ mail: 'a@b.co', tags: [1, 2] })).toMatchObject({ ok: true });
    expect(await refusalOf(contact, { mail: 'x', tags: [1, 2] })).toEqual(['/mail isEmail']);
    expect(await refusalOf(contact, { mail: 'a@b.co', tags: [1, 1] })).toEqual(['/tags arrayUnique']);
    expect(await refusalOf(contacts, [{ mail: 'a@b.co' }, { mail: 'x' }])).toEqual(['/1/mail isEmail']);
    expect(contact.validatorOnlyRules.map(({ rule }) => rule)).toEqual(['isEmail', 'arrayUnique']);
  });

  it('never repeats a value that was refused', async () => {
    const outcome = await one.parse(orderWith({ id: ['S3CR3T'], note: { S: 'S3CR3T' } }));
    expect(JSON.stringify(violationsIn(outcome))).not.toContain('S3CR3T');
  });
});

describe('the output of a list', () => {
  it('is an array, empty or not', async () => {
    expect(await many.parse([])).toEqual({ ok: true, value: [] });
    expect(await many.parse([orderWith(), ORDER_JSON])).toEqual({
      ok: true,
      value: [ORDER_JSON, ORDER_JSON],
    });
  });

  it('is refused where it is one, holds something else, or holds too much', async () => {
    expect((await many.parse(orderWith())).ok).toBe(false);
    expect((await many.parse(undefined)).ok).toBe(false);
    expect(await refusalOf(many, [orderWith(), orderWith({ extra: 1 })])).toEqual([
      '/1/extra whitelistValidation',
    ]);
    expect((await many.parse([null])).ok).toBe(false);
    expect((await many.parse(new Set([orderWith()]))).ok).toBe(false);
  });
});

describe('the output of a scalar', () => {
  const values = { number: [0, -1.5], string: ['', 'a'], boolean: [true, false] };

  it.each(['number', 'string', 'boolean'] as const)('is a %s', async (type) => {
    const contract = outputContract({ kind: 'scalar', type });
    for (const [kind, given] of Object.entries(values)) {
      for (const value of given) {
        const outcome = await contract.parse(value);
        if (kind === type) expect(outcome).toEqual({ ok: true, value });
        else expect(violationsIn(outcome)).toHaveLength(1);
      }
    }
    for (const value of [undefined, null, [], {}, Number.NaN, 1n]) {
      expect((await contract.parse(value)).ok).toBe(false);
    }
  });
});

describe('the output of a tool that declares none', () => {
  it('has no schema, and may be any JSON', async () => {
    expect(undeclared.schema).toBeUndefined();
    expect(undeclared.validatorOnlyRules).toEqual([]);
    for (const output of [null, 1, 'a', true, [], { a: [1] }]) {
      expect(await undeclared.parse(output)).toEqual({ ok: true, value: output });
    }
    expect(await undeclared.parse(undefined)).toEqual({ ok: true, value: null });
    expect(await refusalOf(undeclared, { a: 1n })).toEqual(['/a isJson']);
  });
});

describe('every output contract', () => {
  class Free {
    @IsInt() n!: number;
    @IsObject() meta!: object;
  }
  const free = outputContract({ kind: 'class', cls: Free });

  it('settles for whatever it is given, and lets out only what its schema accepts', async () => {
    const admits = free.schema === undefined ? undefined : compileStrictly(free.schema);
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
    });
    const like = fc.record({ n: fc.oneof(fc.integer(), anything), meta: fc.oneof(fc.object(), anything) });
    await fc.assert(
      fc.asyncProperty(fc.oneof(like, anything), async (output) => {
        const outcome = await free.parse(output);
        if (!outcome.ok) return;
        expect(admits?.(outcome.value)).toBe(true);
        expect(JSON.parse(JSON.stringify(outcome.value))).toEqual(outcome.value);
      }),
      { seed: 20260131, numRuns: 500 },
    );
  });

  it('refuses keys that reach Object.prototype', async () => {
    const output = JSON.parse('{"n":1,"meta":{"__proto__":{"isAdmin":true}}}');
    expect(await refusalOf(free, output)).toEqual(['/meta/__proto__ whitelistValidation']);
    expect('isAdmin' in {}).toBe(false);
  });

  it('is frozen, and warms without harm', () => {
    for (const contract of [one, many, contact, undeclared]) {
      expect(Object.isFrozen(contract)).toBe(true);
      expect(() => contract.warm()).not.toThrow();
    }
  });
});

it('of nothing says so, by the rule that it breaks', async () => {
  for (const contract of [one, many, outputContract({ kind: 'scalar', type: 'string' })]) {
    for (const [output, said] of [
      [undefined, 'nothing'],
      [null, 'null'],
    ] as const) {
      const [violation, ...more] = violationsIn(await contract.parse(output));
      const [ofJson] = violationsIn(await contract.check(null));
      expect(more).toEqual([]);
      expect(violation).toEqual({ ...ofJson, message: expect.stringContaining(`answered ${said}`) });
    }
  }
});
