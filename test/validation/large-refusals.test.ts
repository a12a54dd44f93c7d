/**
 * Values and schemas so large that compiling, or listing all that is wrong, would not end in reasonable space.
 * Invariant: they are refused by proper violations, 20 at most, whether code may be generated or not.
 */
import { Type } from 'class-transformer';
import { ArrayContains, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { type Class, inputContract, schemaInputContract } from 'toolcrib';
import { mayGenerateCode } from '../../src/validation/code-generation';
import { compileSchema } from '../../src/validation/compile';
import { dtoOf, dtoWith } from '../fixtures/dto-with';
import { accepts, refusalOf, violationsIn } from '../fixtures/verdicts';

jest.mock('../../src/validation/code-generation', () => ({ mayGenerateCode: jest.fn(() => true) }));

const MANY = 19_990;

function repeated(count: number, value: unknown): unknown[] {
  return Array.from({ length: count }, () => value);
}

/** A class whose instances hold one of the next class, and so on. */
function chainOf(length: number): Class<object> {
  return Array.from({ length }).reduce<Class<object>>(
    (next) => dtoOf({ next: [IsOptional(), ValidateNested(), Type(() => next)] }),
    dtoOf({ n: [IsInt()] }),
  );
}

describe.each([
  ['may', true],
  ['may not', false],
])('where code %s be generated', (_, may) => {
  beforeEach(() => jest.mocked(mayGenerateCode).mockReturnValue(may));

  it('many elements with many errors each are refused by 20 violations', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 100 }, (_one, at) => [`p${at}`, { type: 'string' }] as const),
    );
    const items = { type: 'object', required: Object.keys(properties), properties };
    const schema = { type: 'array', items };
    const value = repeated(1_999, {});
    expect(compileSchema(schema, 'imported').errors(value).length).toBeLessThan(13_000);
    const contract = schemaInputContract({ type: 'object', properties: { v: schema } });
    const violations = violationsIn(await contract.parse({ v: value }));
    expect(violations).toHaveLength(20);
    expect(violations[0]).toMatchObject({ path: '/v/0/p0', rule: 'required' });
  });

  it('as many empty elements as the limits allow are refused as they should be', async () => {
    class Line {
      @IsString() a!: string;
      @IsInt() b!: number;
    }
    class Order {
      @ValidateNested({ each: true }) @Type(() => Line) lines!: Line[];
    }
    const told = await refusalOf(Order, { lines: repeated(MANY, {}) });
    expect(told).toHaveLength(20);
    expect(told.slice(0, 2)).toEqual(['/lines/0/a isDefined', '/lines/0/b isDefined']);
  });

  it('errors of ordinary values are listed whole', async () => {
    const schema = { type: 'array', items: { type: 'string', minLength: 1 } };
    const compiled = compileSchema(schema);
    expect(compiled.errors(repeated(999, 1))).toHaveLength(999);
    expect(compiled.errors(repeated(5_000, ''))).toHaveLength(5_000);
    const some = [...repeated(1_500, 'a'), 1, '', ...repeated(1_500, 'a'), 1];
    expect(compiled.errors(some).map(({ instancePath }) => instancePath)).toEqual([
      '/1500',
      '/1501',
      '/3002',
    ]);
  });

  it('classes linked by the hundred are a contract', async () => {
    const cls = chainOf(300);
    inputContract(cls).warm();
    expect(await accepts(cls, { next: { next: {} } })).toBe(true);
    expect(await refusalOf(cls, { next: { next: { next: 1 } } })).toEqual([
      '/next/next/next nestedValidation',
    ]);
  });

  it('a list of hundreds that must be contained is left to class-validator', async () => {
    const values = Array.from({ length: 300 }, (_one, at) => at);
    const cls = dtoWith(ArrayContains(values));
    expect(inputContract(cls).validatorOnlyRules).toHaveLength(1);
    expect(await accepts(cls, { v: [...values, 'x'] })).toBe(true);
    expect(await accepts(cls, { v: values.slice(1) })).toBe(false);
    const few = dtoWith(ArrayContains(values.slice(0, 50)));
    expect(inputContract(few).validatorOnlyRules).toEqual([]);
  });
});
