/**
 * What is known of how class-transformer writes a class.
 * Invariant: a class that is written as it is, and reaches none that is not, is known as that.
 */
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsDate, IsInt, IsOptional, ValidateNested } from 'class-validator';
import { inputContract, outputContract } from 'toolcrib';
import { rewrittenOf, writtenOf } from '../../src/schema/written';

class Plain {
  @IsInt() n = 1;
}
class Typed {
  @Expose() @IsInt() n = 1;
  @IsOptional() @IsDate() @Type(() => Date) at?: Date;
  @IsOptional() @ValidateNested() @Type(() => Plain) plain?: Plain;
  @IsOptional() @ValidateNested() @Type(() => Typed) self?: Typed;
}
class Hiding {
  @Exclude() @IsInt() secret = 1;
  @IsInt() n = 1;
}
class Reaching {
  @ValidateNested() @Type(() => Middle) middle!: object;
}
class Middle {
  @IsOptional() @ValidateNested() @Type(() => Reaching) back?: Reaching;
  @IsOptional() @ValidateNested() @Type(() => Hiding) hiding?: Hiding;
}

it('a class that nothing changes is written as it is', () => {
  for (const cls of [Plain, Typed, Date, Object, Map]) expect(rewrittenOf(cls)).toBeUndefined();
  for (const cls of [Plain, Typed]) {
    const { schema } = outputContract({ kind: 'class', cls });
    expect(schema).toBe(outputContract({ kind: 'class', cls }).schema);
    expect(schema).toBe(inputContract(cls).schema);
  }
});

it('a class that reaches one that is changed is known by it, also through itself', () => {
  for (const cls of [Hiding, Middle, Reaching]) expect(rewrittenOf(cls)?.cls).toBe(cls);
  const { schema } = outputContract({ kind: 'class', cls: Reaching });
  expect(schema).toMatchObject({ $defs: { Hiding: { properties: { n: { type: 'integer' } } } } });
  expect(JSON.stringify(schema)).not.toContain('secret');
});

it('a conversion is found where nothing else was recorded, own or inherited', () => {
  class Base {
    @Transform(({ value }) => value) a = 1;
  }
  class Child extends Base {
    @Transform(({ value }) => value, { toClassOnly: true }) b = 2;
  }
  const found = writtenOf(Child)?.properties;
  expect(found?.get('a')?.transforms).toHaveLength(1);
  expect(found?.get('b')?.transforms).toHaveLength(0);
});
