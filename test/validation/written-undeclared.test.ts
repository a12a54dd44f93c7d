/**
 * Outputs that class-transformer's decorators change, where no DTO was declared or it cannot be one.
 * Invariant: what `@Exclude` hides never leaves, and a DTO whose schema would not say what is written is refused.
 */
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsInt } from 'class-validator';
import { outputContract } from 'toolcrib';
import { problemsOf } from '../fixtures/declaration-problems';
import { violationsIn } from '../fixtures/verdicts';

class Person {
  @Expose({ name: 'full_name' }) fullName = 'Ann';
  @Exclude() passwordHash = 'S3CR3T';
}

function failing(): never {
  throw new Error('S3CR3T');
}

describe('a DTO that cannot be an output', () => {
  it('exposes what has no rule, stands in groups, or renames on the way in alone', () => {
    class Loose {
      @Expose() loose!: string;
      @Expose({ groups: ['admin'] }) @IsInt() grouped!: number;
      @Expose({ name: 'b', toClassOnly: true }) @IsInt() a!: number;
      @Exclude({ toClassOnly: true }) @IsInt() fine!: number;
    }
    expect(
      problemsOf(() => outputContract({ kind: 'class', cls: Loose }))
        .map(({ code, place }) => `${place.member} ${code}`)
        .sort(),
    ).toEqual(['a unsupported_rule', 'loose property_without_rule']);
  });

  it('writes two properties by one name', () => {
    class Twice {
      @Expose({ name: 'b' }) @IsInt() a!: number;
      @IsInt() b!: number;
    }
    expect(problemsOf(() => outputContract({ kind: 'class', cls: Twice }))).toMatchObject([
      { code: 'illegal_property', place: { member: 'b' } },
    ]);
  });
});

describe('an output that was not declared', () => {
  const any = outputContract(undefined);

  it('is written by the decorators of the classes of its instances', async () => {
    const output = { rows: [new Person()], plain: 'Ann' };
    expect(await any.parse(output)).toEqual({
      ok: true,
      value: { rows: [{ full_name: 'Ann' }], plain: 'Ann' },
    });
    class Grouped {
      @Expose({ groups: ['admin'] }) secret = 'S3CR3T';
      a = 1;
    }
    expect(await any.parse(new Grouped())).toEqual({ ok: true, value: { a: 1 } });
  });

  it('reads plain objects as what @Type names, and Maps not at all', async () => {
    class Holder {
      @Type(() => Person) one: object = { fullName: 'Ann', passwordHash: 'S3CR3T' };
      map?: Map<string, number>;
    }
    expect(await any.parse(new Holder())).toEqual({ ok: true, value: { one: { full_name: 'Ann' } } });
    const output = Object.assign(new Holder(), { map: new Map([['a', 1]]) });
    expect(violationsIn(await any.parse(output))).toMatchObject([{ path: '/map', rule: 'isJson' }]);
  });

  it('names the place where a conversion throws', async () => {
    class Faulty {
      @Transform(failing) a = 1;
    }
    const violations = violationsIn(await any.parse({ list: [new Faulty()] }));
    expect(violations).toMatchObject([{ path: '/list/0/a', rule: 'transform' }]);
    expect(JSON.stringify(violations)).not.toContain('S3CR3T');
  });

  it('knows a conversion where nothing else was recorded of a class', async () => {
    class Priced {
      @Transform(({ value, key, obj }) => `${key} ${value} ${obj instanceof Priced}`) price = 1n;
    }
    expect(await any.parse(new Priced())).toEqual({ ok: true, value: { price: 'price 1 true' } });
  });

  it('takes a subclass as hidden as its parent', async () => {
    @Exclude()
    class Closed {
      @Expose() id = 1;
      secret = 'S3CR3T';
    }
    class Child extends Closed {}
    class Open extends Closed {
      @Expose() more = 2;
    }
    expect(await any.parse([new Child(), new Open()])).toEqual({
      ok: true,
      value: [{ id: 1 }, { id: 1, more: 2 }],
    });
  });
});
