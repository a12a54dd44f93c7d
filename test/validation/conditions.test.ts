/**
 * Properties under @ValidateIf.
 * Invariant: where the condition holds the property is held to all its rules, and elsewhere to none; the schema
 * admits both.
 */
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Min, ValidateIf, ValidateNested } from 'class-validator';
import { inputContract } from 'toolcrib';
import { dtoWith } from '../fixtures/dto-with';
import { compileStrictly } from '../fixtures/strict-schema';
import { accepts, parsedValue, refusalOf, validatorVerdict } from '../fixtures/verdicts';

class Address {
  @IsString() city!: string;
  @IsInt() @Min(1) door!: number;
}

class Delivery {
  @IsIn(['ship', 'fetch']) how!: string;
  @ValidateIf((one: Delivery) => one.how === 'ship') @ValidateNested() @Type(() => Address) to!: Address;
  @ValidateIf((one: Delivery) => one.how === 'fetch') @IsInt() @Min(1) shop!: number;
}

class Letter {
  @IsOptional() @IsString() note?: string | null;
  @ValidateIf((one: Letter) => one.note !== undefined) @IsInt() pages!: number;
}

describe('a conditional property', () => {
  it('sees the nulls that the caller wrote, though the handler gets none', async () => {
    for (const raw of [{ note: null, pages: 'two' }, { note: null, pages: 2 }, { pages: 'two' }]) {
      const verdict = (await accepts(Letter, raw)) ? 'accepts' : 'refuses';
      expect(verdict).toBe(await validatorVerdict(Letter, raw));
    }
    expect(await parsedValue(Letter, { note: null, pages: 2 })).toEqual({ note: undefined, pages: 2 });
  });

  it('is held to its rules where the condition holds', async () => {
    const to = { city: 'Rome', door: 1 };
    expect(await accepts(Delivery, { how: 'ship', to })).toBe(true);
    expect(await accepts(Delivery, { how: 'fetch', shop: 3 })).toBe(true);
    expect(await refusalOf(Delivery, { how: 'fetch', shop: 0 })).toEqual(['/shop min']);
    expect(await refusalOf(Delivery, { how: 'fetch', shop: 'three' })).toEqual(['/shop isInt']);
    expect(await refusalOf(Delivery, { how: 'ship', to: { city: 1, door: 0, x: 1 } })).toEqual([
      '/to/city isString',
      '/to/door min',
      '/to/x whitelistValidation',
    ]);
  });

  it('is required where the condition holds, and left out elsewhere', async () => {
    expect(await refusalOf(Delivery, { how: 'ship' })).toEqual(['/to isDefined']);
    expect(await refusalOf(Delivery, { how: 'ship', to: null })).not.toEqual([]);
    expect(inputContract(Delivery).schema.required).toEqual(['how']);
  });

  it('may be anything where the condition does not hold, as class-validator has it', async () => {
    for (const shop of ['three', null, [], { deep: [1] }]) {
      const raw = { how: 'ship', to: { city: 'Rome', door: 1 }, shop };
      expect(await parsedValue(Delivery, raw)).toMatchObject({ shop });
      expect(await validatorVerdict(Delivery, raw)).toBe('accepts');
    }
  });

  it('is made an instance where it is one', async () => {
    const { to } = await parsedValue(Delivery, { how: 'ship', to: { city: 'Rome', door: 1 } });
    expect(to).toBeInstanceOf(Address);
  });

  it('whose condition throws is refused', async () => {
    const cls = dtoWith(
      ValidateIf(() => {
        throw new Error('no');
      }),
      IsString(),
    );
    expect(await refusalOf(cls, { v: 'a' })).toEqual(['/v conditionalValidation']);
    expect(await validatorVerdict(cls, { v: 'a' })).toBe('throws');
  });

  it('under two conditions is held to its rules where both hold', async () => {
    const both = [ValidateIf((_, value) => value !== 'x'), ValidateIf((_, value) => value !== 'y')];
    const cls = dtoWith(...both, IsInt());
    expect(await accepts(cls, { v: 'x' })).toBe(true);
    expect(await accepts(cls, { v: 'y' })).toBe(true);
    expect(await refusalOf(cls, { v: 'z' })).toEqual(['/v isInt']);
  });

  it('that is optional too may be null or left out', async () => {
    const cls = dtoWith(
      IsOptional(),
      ValidateIf(() => true),
      IsInt(),
    );
    for (const raw of [{}, { v: null }, { v: 1 }]) expect(await accepts(cls, raw)).toBe(true);
    expect(await accepts(cls, { v: 'a' })).toBe(false);
  });

  it('has a schema that shows its shape, admits more, and says so', () => {
    const { schema, validatorOnlyRules } = inputContract(Delivery);
    const admits = compileStrictly(schema);
    expect(admits({ how: 'ship', to: 'anything', shop: 'anything' })).toBe(true);
    expect(validatorOnlyRules.map(({ schemaPath, rule }) => `${schemaPath} ${rule}`)).toEqual([
      '#/properties/to nestedValidation',
      '#/properties/shop min',
      '#/properties/shop isInt',
    ]);
  });
});
