/**
 * From JSON that has passed the gate to an instance.
 * Invariant: only declared properties are set, nothing is converted but RFC 3339 text, and the caller's own
 * objects are never part of the instance.
 */
import { Type } from 'class-transformer';
import {
  Allow,
  IsArray,
  IsDate,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  ValidateNested,
} from 'class-validator';
import { inputContract } from 'toolcrib';
import { parsedValue } from '../fixtures/verdicts';

class Line {
  @IsString() sku!: string;
  @IsInt() count = 1;
  label(): string {
    return `${this.count}x ${this.sku}`;
  }
}
class Order {
  @IsString() id!: string;
  @ValidateNested() @Type(() => Line) main!: Line;
  @ValidateNested({ each: true }) @Type(() => Line) lines: Line[] = [];
  @IsOptional() @ValidateNested() @Type(() => Line) gift?: Line;
  @IsOptional() @Type(() => Date) @IsDate() at?: Date;
  @IsOptional() @Type(() => Date) @IsDate({ each: true }) dates?: Date[];
  @IsOptional() @IsObject() meta?: Record<string, unknown>;
  @IsOptional() @IsArray() list?: unknown[];
  @Allow() free?: unknown;
}

const LINE = { sku: 'a' };

describe('an instance', () => {
  it('is of its class, as is everything nested in it, and has their methods', async () => {
    const order = await parsedValue(Order, {
      id: 'x',
      main: LINE,
      lines: [LINE, { sku: 'b', count: 2 }],
      gift: LINE,
    });
    expect(order).toBeInstanceOf(Order);
    for (const line of [order.main, order.gift, ...order.lines]) expect(line).toBeInstanceOf(Line);
    expect(order.lines.map((line) => line.label())).toEqual(['1x a', '2x b']);
  });

  it('has Dates where they are declared, and text everywhere else', async () => {
    const text = '2024-01-31T09:30:00+02:00';
    const order = await parsedValue(Order, {
      id: text,
      main: LINE,
      at: text,
      dates: [text],
      meta: { at: text },
    });
    expect(order.id).toBe(text);
    expect(order.at).toEqual(new Date('2024-01-31T07:30:00Z'));
    expect(order.dates).toEqual([new Date('2024-01-31T07:30:00Z')]);
    expect(order.meta).toEqual({ at: text });
  });

  it('keeps null where it is free-form, and leaves it out where it means absent', async () => {
    const order = await parsedValue(Order, {
      id: 'x',
      main: LINE,
      gift: null,
      at: null,
      free: null,
      meta: { a: null },
    });
    expect(order.free).toBeNull();
    expect(order.meta).toEqual({ a: null });
    expect([order.gift, order.at]).toEqual([undefined, undefined]);
  });

  it('shares nothing with the arguments', async () => {
    const raw = {
      id: 'x',
      main: { sku: 'a' },
      lines: [{ sku: 'b' }],
      meta: { inner: { a: 1 } },
      list: [[1]],
      free: { b: [1] },
    };
    const before = structuredClone(raw);
    const order = await parsedValue(Order, raw);
    raw.main.sku = 'changed';
    raw.lines.push({ sku: 'c' });
    raw.meta.inner.a = 2;
    raw.list[0]?.push(2);
    raw.free.b.push(2);
    expect(order).toMatchObject({ ...before, main: { sku: 'a' }, lines: [{ sku: 'b' }] });
    expect(order.lines).toHaveLength(1);
  });

  it('leaves the arguments as they were, frozen ones too', async () => {
    const raw = Object.freeze({ id: 'x', main: Object.freeze({ sku: 'a' }), meta: Object.freeze({ a: 1 }) });
    const before = JSON.stringify(raw);
    const order = await parsedValue(Order, raw);
    expect(JSON.stringify(raw)).toBe(before);
    Object.assign(order.meta ?? {}, { a: 2 });
    expect(order.meta).toEqual({ a: 2 });
  });

  it('is new for every call', async () => {
    const contract = inputContract(Order);
    const raw = { id: 'x', main: LINE };
    const outcomes = [await contract.parse(raw), await contract.parse(raw)];
    const [one, other] = outcomes.map((outcome) => (outcome.ok ? outcome.value : undefined));
    expect(one).toEqual(other);
    expect(one).not.toBe(other);
    expect(one?.lines).not.toBe(other?.lines);
  });

  it('runs the constructor, and then sets what was sent', async () => {
    class Counted {
      @IsInt() n = 1;
      @Allow() doubled = this.n * 2;
    }
    expect(await parsedValue(Counted, { n: 5 })).toEqual({ n: 5, doubled: 2 });
  });
});
