/**
 * The rules on dates, and the one text form that a date takes.
 * Invariant: what the schema admits becomes the Date that the text names; nothing else becomes one.
 */
import { Type } from 'class-transformer';
import { IsDate, IsDefined, IsNotEmpty, MaxDate, MinDate } from 'class-validator';
import fc from 'fast-check';
import { inputContract } from 'toolcrib';
import { type Decorators, dtoWith } from '../../fixtures/dto-with';
import { compileStrictly, expectSound, propertyNode } from '../../fixtures/strict-schema';
import { accepts, parsedValue, refusalOf, violationsIn } from '../../fixtures/verdicts';

const RUNS = { seed: 20260131, numRuns: 500 };
const isDateType = Type(() => Date);
const When = dtoWith(isDateType, IsDate());
const admits = compileStrictly(inputContract(When).schema);

const LEGAL = [
  '2024-01-31T09:30:00Z',
  '2024-02-29T00:00:00Z',
  '2000-02-29T23:59:59.999999999+23:59',
  '1999-12-31T23:59:59.9-00:00',
  '0000-01-01T00:00:00Z',
  '0004-02-29T12:00:00Z',
  '9999-12-31T23:59:59Z',
];
const ILLEGAL = [
  '',
  '2024-01-31',
  '2024-01-31T09:30:00',
  '2024-01-31T09:30Z',
  '2024-01-31 09:30:00Z',
  '2024-01-31t09:30:00z',
  '2023-02-29T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2024-02-30T00:00:00Z',
  '2024-04-31T00:00:00Z',
  '2024-13-01T00:00:00Z',
  '2024-00-01T00:00:00Z',
  '2024-01-00T00:00:00Z',
  '2024-01-31T24:00:00Z',
  '2024-01-31T09:60:00Z',
  '2016-12-31T23:59:60Z',
  '2024-01-31T09:30:00+24:00',
  '2024-01-31T09:30:00+0100',
  '+002024-01-31T09:30:00Z',
  '24-01-31T09:30:00Z',
  ' 2024-01-31T09:30:00Z',
  '2024-01-31T09:30:00Z\n',
  'http://localhost:3000',
  'x 1',
  '1700000000000',
];

describe('a date', () => {
  it('is shown as RFC 3339 text, and the format only names it', () => {
    const { schema, validatorOnlyRules } = inputContract(When);
    expectSound(schema);
    expect(propertyNode(schema, 'v')).toEqual({
      type: 'string',
      format: 'date-time',
      pattern: expect.any(String),
    });
    expect(validatorOnlyRules).toEqual([]);
  });

  it.each(LEGAL)('is made of %s', async (v) => {
    expect(admits({ v })).toBe(true);
    expect(await parsedValue(When, { v })).toEqual(Object.assign(new When(), { v: new Date(v) }));
  });

  it.each(ILLEGAL)('is not made of %j', async (v) => {
    expect(admits({ v })).toBe(false);
    expect(await refusalOf(When, { v })).toEqual(['/v isDate']);
  });

  it('is not made of anything but text', async () => {
    for (const v of [0, 1_700_000_000_000, true, null, [], ['2024-01-31T09:30:00Z'], {}]) {
      expect(await refusalOf(When, { v })).toEqual(['/v isDate']);
    }
  });

  it('is made of every moment of the years 0 to 9999 that is written with milliseconds', () => {
    const moments = fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moments, (moment) => admits({ v: moment.toISOString() })),
      RUNS,
    );
  });

  it('is never made of a day that the calendar lacks', () => {
    const pad = (value: number, width: number) => String(value).padStart(width, '0');
    const days = fc.tuple(fc.nat(9999), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 28, max: 31 }));
    const exists = (year: number, month: number, day: number) => {
      const date = new Date(0);
      date.setUTCFullYear(year, month - 1, day);
      return date.getUTCMonth() === month - 1;
    };
    fc.assert(
      fc.property(days, ([year, month, day]) => {
        const v = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T00:00:00Z`;
        return admits({ v }) === exists(year, month, day);
      }),
      { ...RUNS, numRuns: 3_000 },
    );
  });

  it('takes IsDefined and IsNotEmpty beside it', async () => {
    for (const rule of [IsDefined(), IsNotEmpty()]) {
      const cls = dtoWith(isDateType, rule, IsDate());
      expect(await accepts(cls, { v: '2024-01-31T09:30:00Z' })).toBe(true);
      expect(await accepts(cls, { v: null })).toBe(false);
      expect(await accepts(cls, {})).toBe(false);
    }
  });

  it('may stand in a list', async () => {
    const cls = dtoWith(isDateType, IsDate({ each: true }));
    expect(await parsedValue(cls, { v: ['2024-01-31T09:30:00Z'] })).toEqual({
      v: [new Date('2024-01-31T09:30:00Z')],
    });
    expect(await refusalOf(cls, { v: ['2024-01-31T09:30:00Z', '2024-01-31'] })).toEqual(['/v/1 isDate']);
  });
});

describe('the bounds of a date', () => {
  const FROM = new Date('2024-01-01T00:00:00Z');
  const TO = new Date('2025-01-01T00:00:00Z');
  const BOUNDED: readonly (readonly [string, Decorators])[] = [
    ['a Date', [isDateType, MinDate(FROM), MaxDate(TO)]],
    ['a function', [isDateType, MinDate(() => FROM), MaxDate(() => TO)]],
    ['a Date, beside IsDate', [isDateType, IsDate(), MinDate(FROM), MaxDate(TO)]],
  ];

  it.each(BOUNDED)('given by %s stand in words and are enforced', async (_, decorators) => {
    const cls = dtoWith(...decorators);
    const { schema, validatorOnlyRules } = inputContract(cls);
    const { description } = propertyNode(schema, 'v');
    expect(validatorOnlyRules.map(({ rule }) => rule).sort()).toEqual(['maxDate', 'minDate']);
    for (const { text } of validatorOnlyRules) expect(description).toContain(text);
    expect(await accepts(cls, { v: '2024-01-01T00:00:00Z' })).toBe(true);
    expect(await accepts(cls, { v: '2025-01-01T01:00:00+01:00' })).toBe(true);
    expect(await refusalOf(cls, { v: '2023-12-31T23:59:59Z' })).toEqual(['/v minDate']);
    expect(await refusalOf(cls, { v: '2025-01-01T00:00:00-00:01' })).toEqual(['/v maxDate']);
  });

  it('given by a function are asked anew at every call', async () => {
    let bound = new Date('2024-01-01T00:00:00Z');
    const contract = inputContract(
      dtoWith(
        isDateType,
        MinDate(() => bound),
      ),
    );
    const v = '2024-06-01T00:00:00Z';
    expect((await contract.parse({ v })).ok).toBe(true);
    bound = new Date('2025-01-01T00:00:00Z');
    expect((await contract.parse({ v })).ok).toBe(false);
  });

  it('given by a function that comes to throw refuse', async () => {
    let isBroken = false;
    const bound = () => {
      if (isBroken) throw new Error('no clock');
      return new Date('2024-01-01T00:00:00Z');
    };
    const contract = inputContract(dtoWith(isDateType, MinDate(bound)));
    isBroken = true;
    const violations = violationsIn(await contract.parse({ v: '2024-06-01T00:00:00Z' }));
    expect(violations).toMatchObject([{ path: '/v', rule: 'minDate' }]);
  });
});
