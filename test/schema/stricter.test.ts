/**
 * The closed list of readings that differ from class-validator's own.
 * Invariant: for each there is an example, on which schema and contract agree and class-validator does not.
 */
import { Type } from 'class-transformer';
import {
  Allow,
  IsArray,
  IsDate,
  IsEmail,
  IsEnum,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  Max,
  Min,
  NotEquals,
  ValidateNested,
} from 'class-validator';
import { inputContract, STRICTER_READINGS } from 'toolcrib';
import { type Decorators, type Dto, dtoOf, dtoWith } from '../fixtures/dto-with';
import { compileStrictly } from '../fixtures/strict-schema';
import { accepts, refusalOf, type ValidatorVerdict, validatorVerdict } from '../fixtures/verdicts';

enum Priority {
  Low,
  High,
}
class Part {
  @IsInt() n!: number;
}
const aPart = Type(() => Part);
const dates: Decorators = [Type(() => Date), IsDate()];

/** A class, a value that class-validator judges differently, and where the contract refuses it. */
interface Example {
  readonly reading: keyof typeof STRICTER_READINGS;
  readonly cls: Dto;
  readonly raw: object;
  readonly refusal: readonly string[];
  readonly validator?: ValidatorVerdict;
  /** A rule that runs after the gate refuses; the schema admits. */
  readonly admitted?: true;
}

function tight(
  reading: Example['reading'],
  decorators: Decorators,
  v: unknown,
  ...refusal: readonly string[]
): Example {
  return { reading, cls: dtoWith(...decorators), raw: { v }, refusal };
}

function broken(decorators: Decorators, v: unknown, rule: string): Example {
  const example = tight('throwing_rule', decorators, v, `/v ${rule}`);
  return { ...example, validator: 'throws', admitted: true };
}

const nestedList: Decorators = [ValidateNested({ each: true }), aPart];

class Shape {
  @IsString() kind!: string;
}
class Circle extends Shape {
  @IsInt() radius!: number;
}
const aShape = Type(() => Shape, {
  keepDiscriminatorProperty: true,
  discriminator: { property: 'kind', subTypes: [{ name: 'circle', value: Circle }] },
});

const EXAMPLES: readonly Example[] = [
  tight('known_discriminators', [ValidateNested(), aShape], { kind: 'square' }, '/v/kind isIn'),
  tight('each_means_array', [IsString({ each: true })], 'a', '/v isArray'),
  tight('each_means_array', [Min(1, { each: true })], 2, '/v isArray'),
  tight('each_means_array', nestedList, { n: 1 }, '/v isArray'),
  tight('nested_is_object', [ValidateNested(), aPart], [{ n: 1 }], '/v nestedValidation'),
  tight('nested_is_object', [ValidateNested(), aPart], [], '/v nestedValidation'),
  tight('nested_is_object', nestedList, [[{ n: 1 }]], '/v/0 nestedValidation'),
  {
    reading: 'required',
    cls: dtoOf({ one: [ValidateNested(), aPart], many: nestedList }),
    raw: {},
    refusal: ['/many isDefined', '/one isDefined'],
  },
  ...['toString', 'constructor', 'hasOwnProperty', '__proto__'].map(
    (key): Example => ({
      reading: 'no_prototype_keys',
      cls: dtoWith(IsInt()),
      raw: JSON.parse(`{"v":1,"${key}":1}`),
      refusal: [`/${key} whitelistValidation`],
    }),
  ),
  tight('no_prototype_keys', [IsObject()], { toString: 1 }, '/v/toString whitelistValidation'),
  tight(
    'no_prototype_keys',
    [IsArray()],
    [{ a: JSON.parse('{"__proto__":{"b":1}}') }],
    '/v/0/a/__proto__ whitelistValidation',
  ),
  tight('no_prototype_keys', [Allow()], { valueOf: null }, '/v/valueOf whitelistValidation'),
  tight('numeric_enum', [IsEnum(Priority)], 'High', '/v isEnum'),
  tight('numeric_enum', [IsEnum(Priority, { each: true })], [0, 'Low'], '/v/1 isEnum'),
  tight('rfc3339_dates', dates, '2024-02-30T00:00:00Z', '/v isDate'),
  tight('rfc3339_dates', dates, '2024-01-31', '/v isDate'),
  tight('rfc3339_dates', dates, 'http://localhost:3000', '/v isDate'),
  tight('rfc3339_dates', dates, 0, '/v isDate'),
  tight('rfc3339_dates', dates, true, '/v isDate'),
  tight('no_conversion', [Type(() => Number), IsInt()], '5', '/v isInt'),
  tight('no_conversion', [Type(() => Boolean), NotEquals(false)], 'false', '/v type'),
  tight('exact_integers', [IsInt()], 2 ** 53, '/v isInt'),
  tight('exact_integers', [IsInt()], -1e21, '/v isInt'),
  tight('exact_integers', [IsInt({ each: true })], [1, 2 ** 60], '/v/1 isInt'),
  tight('finite_numbers', [Min(1)], JSON.parse('1e400'), '/v isJson'),
  tight('finite_numbers', [Allow()], [JSON.parse('-1e400')], '/v/0 isJson'),
  broken([IsEmail()], '\ud83d@b.co', 'isEmail'),
  broken([IsNumber({ maxDecimalPlaces: 2 })], 1e-7, 'isNumber'),
];

describe('STRICTER_READINGS', () => {
  it.each(EXAMPLES)(
    '$reading: $raw',
    async ({ cls, raw, refusal, validator = 'accepts', admitted = false }) => {
      expect(await validatorVerdict(cls, raw)).toBe(validator);
      expect(await refusalOf(cls, raw)).toEqual(refusal);
      expect(compileStrictly(inputContract(cls).schema)(raw)).toBe(admitted);
    },
  );

  it('exact_integers: a wider bound of its own does not widen an integer', async () => {
    const cls = dtoWith(IsInt(), Min(-1e20), Max(1e20));
    for (const v of [2 ** 60, -(2 ** 60)]) {
      expect(await refusalOf(cls, { v })).toEqual(['/v isInt']);
      expect(compileStrictly(inputContract(cls).schema)({ v })).toBe(false);
    }
  });

  it('exact_integers: a bound beyond the range is not lost', async () => {
    for (const rule of [Min(1e20), Max(-1e20)]) {
      const cls = dtoWith(IsInt(), rule);
      expect(await validatorVerdict(cls, { v: 0 })).toBe('refuses');
      expect(await accepts(cls, { v: 0 })).toBe(false);
    }
  });

  it('empty_dto: a DTO without properties takes {}', async () => {
    class Nothing {}
    expect(await validatorVerdict(Nothing, {})).toBe('refuses');
    expect(await accepts(Nothing, {})).toBe(true);
    expect(compileStrictly(inputContract(Nothing).schema)({})).toBe(true);
  });

  it('has an example for each, and no more', () => {
    const shown = new Set<string>([...EXAMPLES.map(({ reading }) => reading), 'empty_dto']);
    expect([...shown].sort()).toEqual(Object.keys(STRICTER_READINGS).sort());
    expect(Object.isFrozen(STRICTER_READINGS)).toBe(true);
  });
});
