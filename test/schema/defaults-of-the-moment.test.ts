/**
 * Initialisers that a schema must not show, and those that hold themselves.
 * Invariant: a schema is the same whenever it is made, and an initialiser never costs more than a problem.
 */
import { Type } from 'class-transformer';
import { Allow, IsDate, IsInt, IsNumber, IsOptional, ValidateNested } from 'class-validator';
import { type Class, inputContract } from 'toolcrib';
import { problemsOf } from '../fixtures/declaration-problems';
import { expectSound, propertyNode } from '../fixtures/strict-schema';
import { parsedValue } from '../fixtures/verdicts';

const NOW = Date.UTC(2026, 0, 31, 9, 30);

beforeEach(() => {
  jest.useFakeTimers({ now: NOW });
});
afterEach(() => {
  jest.useRealTimers();
});

class Stamp {
  @IsInt() at = Date.now();
}

class Momentary {
  @Type(() => Date) @IsDate() date = new Date();
  @IsInt() millis = Date.now();
  @IsNumber() later = Date.now() + 3_600_000;
  @Allow() free: unknown = new Date();
  @Allow() map: unknown = new Map([['a', 1]]);
  @Allow() set: unknown = new Set([1]);
}

const NAMES = ['date', 'millis', 'later', 'free', 'map', 'set'] as const;

describe('an initialiser of the moment, or of what JSON writes as {}', () => {
  it.each(NAMES)('is not required and not shown: %s', (name) => {
    const { schema } = inputContract(Momentary);
    expectSound(schema);
    expect(schema).not.toHaveProperty('required');
    expect(propertyNode(schema, name)).not.toHaveProperty('default');
  });

  it('is applied, anew for each call', async () => {
    inputContract(Momentary);
    jest.setSystemTime(NOW + 5_000);
    const value = await parsedValue(Momentary, {});
    expect(value.date).toEqual(new Date(NOW + 5_000));
    expect(value.millis).toBe(NOW + 5_000);
    expect(value.map).toEqual(new Map([['a', 1]]));
    expect(value.set).toEqual(new Set([1]));
  });

  it('is not shown inside another either', () => {
    class Whole {
      @ValidateNested() @Type(() => Stamp) stamp = new Stamp();
      @IsInt({ each: true }) list = [Date.now()];
      @Allow() free: unknown = { inner: new Map([['a', 1]]) };
    }
    const { schema } = inputContract(Whole);
    for (const name of ['stamp', 'list', 'free']) {
      expect(propertyNode(schema, name)).not.toHaveProperty('default');
    }
  });

  it('is told from a number that only is large', () => {
    class Large {
      @IsNumber() bytes = 1_048_576;
      @IsNumber() epoch = 0;
      @IsNumber() y2000 = 946_684_800_000;
    }
    const { schema } = inputContract(Large);
    const shown = ['bytes', 'epoch', 'y2000'].map((name) => propertyNode(schema, name).default);
    expect(shown).toEqual([1_048_576, 0, 946_684_800_000]);
  });
});

describe('an initialiser that holds itself', () => {
  class Self {
    @ValidateNested() @Type(() => Self) self: Self = this;
  }
  class Ring {
    @IsOptional() @ValidateNested({ each: true }) @Type(() => Ring) all: Ring[] = [this];
  }
  class Knot {
    @IsOptional() @ValidateNested() @Type(() => Knot) next?: Knot;
  }
  class Tied {
    @ValidateNested() @Type(() => Knot) knot: Knot = tie();
  }

  function tie(): Knot {
    const [one, other] = [new Knot(), new Knot()];
    one.next = other;
    other.next = one;
    return one;
  }

  const RINGS: readonly (readonly [Class, string])[] = [
    [Self, 'self'],
    [Ring, 'all'],
    [Tied, 'knot'],
  ];

  it.each(RINGS)('is a problem of the declaration: %p', (cls, member) => {
    expect(problemsOf(() => inputContract(cls))).toMatchObject([
      { code: 'illegal_property', place: { class: cls.name, member } },
    ]);
  });
});
