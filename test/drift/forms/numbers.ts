/**
 * The forms for numbers, dates and arrays.
 * Invariant: see form.ts.
 */
import { Type } from 'class-transformer';
import {
  ArrayContains,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotContains,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsDate,
  IsDivisibleBy,
  IsEnum,
  IsInt,
  IsLatitude,
  IsLongitude,
  IsNegative,
  IsNumber,
  IsPositive,
  Max,
  MaxDate,
  Min,
  MinDate,
} from 'class-validator';
import { type Form, formsOf } from './form';

enum Level {
  A,
  B,
  C,
}

const START = new Date('2024-01-01T00:00:00Z');

/** The forms for numbers. */
export const NUMBER_FORMS = formsOf('number', [
  ['IsLatitude', (o) => IsLatitude(o), [0, 90, -90, 1.5, '45.5', '-90'], [90.1, 91, -91, '', '91']],
  ['IsLongitude', (o) => IsLongitude(o), [0, 180, -180, 1.5, '180', '+12'], [180.5, 181, '-181', '']],
  ['IsDivisibleBy(5)', (o) => IsDivisibleBy(5, o), [0, 5, 10, -15, 100], [1, 4, 7.5, '5', 0.5]],
  ['IsDivisibleBy(0.5)', (o) => IsDivisibleBy(0.5, o), [], [0, 0.5, 1]],
  ['IsDivisibleBy(0.1)', (o) => IsDivisibleBy(0.1, o), [], [0, 0.1, 1]],
  ['IsPositive', (o) => IsPositive(o), [1, 0.5, 5e-324, 1e21], [0, -1, -0.5, '1']],
  ['IsNegative', (o) => IsNegative(o), [-1, -0.5, -5e-324], [0, -0, 1, '-1']],
  ['Min(1)', (o) => Min(1, o), [1, 2, 1.5, 1e21], [0.99, 0, -1, '1']],
  ['Max(10)', (o) => Max(10, o), [10, 9.99, -5, 0], [10.01, 11, 1e21, '1']],
  ['IsNumber', (o) => IsNumber({}, o), [0, 1.5, -2, 1e21, 1e-7], ['1', null, true]],
  [
    'IsNumber({maxDecimalPlaces:2})',
    (o) => IsNumber({ maxDecimalPlaces: 2 }, o),
    [1, 1.5, 1.25, -0.01, 100, 0],
    [1.234, 0.001, '1.25', 1e-7],
  ],
  ['IsNumber({allowInfinity})', (o) => IsNumber({ allowInfinity: true }, o), [1, 1.5], ['1', null]],
  ['IsNumber({allowNaN})', (o) => IsNumber({ allowNaN: true }, o), [1, 1.5], ['1', null]],
  ['IsEnum(numeric enum)', (o) => IsEnum(Level, o), [0, 1, 2], [3, -1, '0', 'a', 0.5]],
  ['IsInt', (o) => IsInt(o), [0, 1, -3, 100, 2 ** 53 - 1], [1.5, '1', 1e-7]],
]);

/** The forms for latitudes as text. */
export const LATITUDE_TEXT = formsOf('text', [
  ['IsLatitude (string)', (o) => IsLatitude(o), ['45.5', '-90', '0', '+1.5'], ['91', '', ' 1', '1.']],
]);

const LATER = ['2024-01-01T00:00:00Z', '2025-06-01T12:00:00.5+02:00', '2024-02-29T10:00:00Z'];
const EARLIER = ['1999-12-31T23:59:59Z', '2023-12-31T23:59:59.999Z', '1970-01-01T00:00:00Z'];
const NO_DATES = ['2024-02-30T10:00:00Z', '2023-02-29T10:00:00Z', '2024-02-29', 'soon', '', 5, null];
const DATES_ODD = [...NO_DATES, '2016-12-31T23:59:60Z', '2024-01-01t00:00:00z', '2024-01-01T24:00:00Z'];

const DATES = [
  ...formsOf('date', [
    ['MinDate(Date)', (o) => MinDate(START, o), [], [...LATER, ...EARLIER]],
    ['MaxDate(Date)', (o) => MaxDate(START, o), [], [...LATER, ...EARLIER]],
    ['MinDate(()=>Date)', (o) => MinDate(() => START, o), [], [...LATER, ...EARLIER]],
    ['MaxDate(()=>Date)', (o) => MaxDate(() => START, o), [], [...LATER, ...EARLIER]],
    ['IsDate (no @Type)', (o) => IsDate(o), [], [...LATER, ...EARLIER]],
  ]),
];

/** The forms for dates without `@Type`: JSON carries no Date, so nothing passes. */
export const DATE_FORMS: readonly Form[] = DATES;

/** The same forms where `@Type` makes a Date out of text; more than the 178. */
export const TYPED_DATE_FORMS: readonly Form[] = DATES.map(({ name, decorate }) => {
  const [accepted, refused] = name.startsWith('Min')
    ? [LATER, EARLIER]
    : name.startsWith('Max')
      ? [[...EARLIER, LATER[0] ?? ''], LATER.slice(1)]
      : [[...LATER, ...EARLIER], []];
  return {
    name: `${name.replace(' (no @Type)', '')} + @Type(()=>Date)`,
    kind: 'date',
    decorate: (options) => [Type(() => Date), ...decorate(options)],
    accepted,
    near: [...refused, ...DATES_ODD],
  };
});

/** The forms for arrays. */
export const ARRAY_FORMS = formsOf('array', [
  ['IsArray', (o) => IsArray(o), [[], [1], ['a', null], [[]]], [{}, 'a', null]],
  ['ArrayContains(["a"])', (o) => ArrayContains(['a'], o), [['a'], ['b', 'a']], [[], ['b'], ['A']]],
  [
    'ArrayContains([1,"a"])',
    (o) => ArrayContains([1, 'a'], o),
    [
      [1, 'a'],
      ['a', 2, 1],
    ],
    [[], [1], ['a'], ['1', 'a']],
  ],
  ['ArrayContains([null])', (o) => ArrayContains([null], o), [[null], [1, null]], [[], [0], ['null']]],
  ['ArrayContains([])', (o) => ArrayContains([], o), [[], [1], ['a']], [{}, 'a', null]],
  ['ArrayNotContains(["a"])', (o) => ArrayNotContains(['a'], o), [[], ['b'], [['a']]], [['a'], ['b', 'a']]],
  ['ArrayNotContains([null])', (o) => ArrayNotContains([null], o), [[], [0], [[null]]], [[null], [1, null]]],
  ['ArrayNotEmpty', (o) => ArrayNotEmpty(o), [[1], [null], [[]]], [[], {}, 'a']],
  [
    'ArrayMinSize(2)',
    (o) => ArrayMinSize(2, o),
    [
      [1, 1],
      ['a', 'b', 'c'],
    ],
    [[], [1], 'ab'],
  ],
  ['ArrayMaxSize(1)', (o) => ArrayMaxSize(1, o), [[], [1], [null]], [[1, 2], ['a', 'a'], 'a']],
  [
    'ArrayUnique',
    (o) => ArrayUnique(o),
    [[], [1, 2], ['a', 1], [{}, {}], [[1], [1]]],
    [
      [1, 1],
      ['a', 'b', 'a'],
      [null, null],
    ],
  ],
  [
    'ArrayUnique(o=>o.id)',
    (o) => ArrayUnique((one) => one?.id, o),
    [[], [{ id: 1 }, { id: 2 }], [1], [{ id: 1, x: 1 }, { id: '1' }]],
    [
      [{ id: 1 }, { id: 1 }],
      [
        { id: 1, x: 1 },
        { id: 1, x: 2 },
      ],
      [1, 2],
    ],
  ],
]);
