/**
 * The valid inputs that a DTO's examples make.
 * Invariant: what is made of the examples is what its author wrote, and the input's contract takes it.
 */
import { Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { type Class, inputContract, NoInput } from 'toolcrib';
import { exampleInputs } from '../../src/testing/examples';
import { openSampleApp } from '../fixtures/sample-app';

function madeOf(cls: Class): readonly unknown[] {
  return exampleInputs(inputContract(cls).schema);
}

class Address {
  @JSONSchema({ examples: ['Berlin', 'Bonn'] })
  @IsString()
  city!: string;
}

@JSONSchema({ examples: [{ city: 'Ulm' }] })
class Place {
  @JSONSchema({ examples: ['Berlin'] })
  @IsString()
  city!: string;
}

class Order {
  @JSONSchema({ examples: ['ORD-1'] })
  @IsString()
  id!: string;

  @ValidateNested()
  @Type(() => Address)
  to!: Address;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Place)
  via!: Place[];

  @JSONSchema({ examples: [3] })
  @IsOptional()
  @IsInt()
  count?: number;

  @IsOptional()
  @ValidateNested()
  @Type(() => Address)
  from?: Address;
}

class Folder {
  @JSONSchema({ examples: ['root'] })
  @IsString()
  name!: string;

  @ValidateNested()
  @Type(() => Folder)
  parent!: object;
}

class Unshown {
  @IsString()
  id!: string;

  @JSONSchema({ examples: [3] })
  @IsInt()
  count!: number;
}

class Optional {
  @IsOptional()
  @IsInt()
  count?: number;
}

@JSONSchema({ examples: [{ count: 1 }, {}] })
class Shown extends Optional {}

describe('the examples of a DTO', () => {
  it('are put together from those of its fields, nested ones and lists too', () => {
    const order = { id: 'ORD-1', to: { city: 'Berlin' }, via: [{ city: 'Ulm' }], count: 3 };
    expect(madeOf(Order)).toEqual([order]);
  });

  it('are those of the class where it has any', () => {
    expect(madeOf(Shown)).toEqual([{ count: 1 }, {}]);
    expect(madeOf(Place)).toEqual([{ city: 'Ulm' }]);
  });

  it.each([
    ['a required field has none', Unshown],
    ['a class holds itself', Folder],
    ['no field has any', Optional],
  ])('are none where %s', (_, cls) => {
    expect(madeOf(cls)).toEqual([]);
  });

  it('are the empty input where there is nothing to give', () => {
    expect(madeOf(NoInput)).toEqual([{}]);
  });

  it('of the samples are all taken', async () => {
    const app = await openSampleApp();
    for (const { key, input } of app.toolkit.registry.list()) {
      const examples = exampleInputs(input.schema);
      expect([key, examples.length]).toEqual([key, 1]);
      for (const example of examples)
        expect([key, await input.parse(example)]).toMatchObject([key, { ok: true }]);
    }
    await app.close();
  });
});
