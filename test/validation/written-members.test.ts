/**
 * What the members of a written object hold: plain objects by whichever class knows them, and promises of nobody.
 * Invariant: what either class excludes stays out of plain objects within, and no promise is left unheard.
 */
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsInt, IsObject, IsString, ValidateNested } from 'class-validator';
import { outputContract } from 'toolcrib';
import { violationsIn } from '../fixtures/verdicts';
import { watchProcess } from '../torture/host';

const any = outputContract(undefined);

class Buyer {
  @Expose({ name: 'full_name' }) @IsString() name!: string;
  @Exclude() @IsString() hash!: string;
}

describe('a plain object in an instance of another class than the DTO', () => {
  class Entity {
    @IsInt() id = 1;
    @ValidateNested() @Type(() => Buyer) buyer: object = { name: 'Ann', hash: 'S3CR3T' };
    @Exclude() password = 'S3CR3T';
  }

  it('is written as its own class says where the DTO takes any object', async () => {
    class Loose {
      @Expose({ name: 'ID' }) @IsInt() id!: number;
      @IsObject() buyer!: object;
    }
    const contract = outputContract({ kind: 'class', cls: Loose });
    expect(await contract.parse(new Entity())).toEqual({
      ok: true,
      value: { ID: 1, buyer: { full_name: 'Ann' } },
    });
  });

  it('is written as the DTO says where that names a class', async () => {
    class Named {
      @IsString() name!: string;
      @Exclude() hash!: string;
    }
    class Strict {
      @Expose({ name: 'ID' }) @IsInt() id!: number;
      @ValidateNested() @Type(() => Named) buyer!: Named;
    }
    const contract = outputContract({ kind: 'class', cls: Strict });
    expect(await contract.parse(new Entity())).toEqual({
      ok: true,
      value: { ID: 1, buyer: { name: 'Ann' } },
    });
  });
});

describe('a promise that is rejected', () => {
  const rejected = async () => {
    throw new Error('S3CR3T');
  };

  it('is heard where a @Transform drops what the one before has made', async () => {
    class Dropped {
      @Transform(rejected) @Transform(() => 'text') first = 1;
    }
    class Thrown {
      @Transform(rejected) @Transform(({ value }) => value.toUpperCase()) first = 1;
    }
    const watch = watchProcess();
    const kept = await any.parse(new Dropped());
    const refused = await any.parse(new Thrown());
    await new Promise(setImmediate);
    watch.stop();
    expect(watch.seen).toEqual([]);
    expect(kept).toEqual({ ok: true, value: { first: 'text' } });
    expect(violationsIn(refused)).toMatchObject([{ path: '/first', rule: 'transform' }]);
  });

  it('is heard where a @Transform drops what a getter has made', async () => {
    class Loading {
      @Expose() @Transform(() => 'text') get first(): unknown {
        return rejected();
      }
    }
    const watch = watchProcess();
    const kept = await any.parse(new Loading());
    await new Promise(setImmediate);
    watch.stop();
    expect(watch.seen).toEqual([]);
    expect(kept).toEqual({ ok: true, value: { first: 'text' } });
  });
});
