/**
 * The rules on dates and times that stay text.
 * Invariant: a pattern says no more than the form; a date that must exist in the calendar is validator-only.
 */
import { IsDateString, IsISO8601, IsMilitaryTime, IsRFC3339, IsTimeZone, isISO8601 } from 'class-validator';
import {
  type Contribution,
  exactPattern,
  knownOptions,
  patternRule,
  type Rule,
  TEXT,
  validatorOnly,
  widerPattern,
} from './rule';

const MONTH = '(?:0[1-9]|1[0-2])';
const DAY = '(?:0[1-9]|[12]\\d|3[01])';
const HOUR = '(?:[01]\\d|2[0-3])';
const WEEK = 'W(?:[0-4]\\d|5[0-3])(?:-?[1-7])?';
const DAY_OF_YEAR = '(?:00[1-9]|0[1-9]\\d|[12]\\d{2}|3(?:[0-5]\\d|6[1-6]))';

/** ISO 8601 as validator.js reads it; the first group holds the hyphen of the date, the second the colon of the time. */
function iso8601(separator: string): string {
  const date = `(-?)(?:${MONTH}(?:\\1${DAY})?|${WEEK}|${DAY_OF_YEAR})`;
  const hours = `(?:${HOUR}(?:(:?)[0-5]\\d)?|24:?00)(?:[.,]\\d+(?!:))?`;
  const zone = `(?:[zZ]|[+-]${HOUR}:?(?:[0-5]\\d)?)`;
  const time = `${separator}(?:${hours})?(?:\\2[0-5]\\d(?:[.,]\\d+)?)?${zone}?`;
  return `^[+-]?\\d{4}(?!\\d{2}\\b)(?:${date}(?:${time})?)?$`;
}

function contributeIso8601([constraint]: readonly unknown[]): Contribution {
  const options = knownOptions(constraint, 'strict', 'strictSeparator');
  if (options === undefined) return validatorOnly(TEXT);
  const pattern = iso8601(options.strictSeparator ? 'T' : '[T\\s]');
  return options.strict ? widerPattern(pattern) : exactPattern(pattern);
}

const RFC3339 =
  `^\\d{4}-${MONTH}-${DAY}[ tT]${HOUR}:[0-5]\\d:(?:[0-5]\\d|60)(?:\\.\\d+)?` +
  `(?:[zZ]|[+-]${HOUR}:[0-5]\\d)$`;

const MOMENTS = [
  '2024-01-31',
  '2024-02-30',
  '20240131',
  '202401',
  '2024-0131',
  '2024-W05-3',
  '2024-366',
  '2024-01-31T24:00',
  '2024-01-31 10:00:00.5+01',
  '2024-01-31T1000:00',
  '2024-01-31T10:00:60Z',
  '2024-01-31t10:00:60.25z',
  '2024-01-31T10:00:00+01:00',
  '+2024',
];

/** The rules on dates and times that stay text. */
export const TIME_RULES: readonly Rule[] = [
  { decorator: IsISO8601(), near: MOMENTS, contribute: contributeIso8601 },
  {
    decorator: IsDateString(),
    near: MOMENTS,
    contribute: contributeIso8601,
    predicate: (value, [options]) =>
      isISO8601(value, typeof options === 'object' && options !== null ? options : undefined),
  },
  patternRule(IsRFC3339(), RFC3339, MOMENTS),
  patternRule(IsMilitaryTime(), `^${HOUR}:?[0-5]\\d$`, [
    '0000',
    '23:59',
    '24:00',
    '9:00',
    '09:60',
    '09:00\n',
  ]),
  {
    decorator: IsTimeZone(),
    near: ['Europe/Berlin', 'europe/berlin', 'UTC', 'Europe/Nowhere'],
    contribute: () => validatorOnly(TEXT),
  },
];
