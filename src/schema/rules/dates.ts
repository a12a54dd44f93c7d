/**
 * The rules on dates, and the one text form that a date takes in JSON.
 * Invariant: a date is an RFC 3339 date-time (section 5.6) that exists in the calendar; `format` only names it.
 */
import { IS_DATE, isDate, MAX_DATE, MIN_DATE, maxDate, minDate } from 'class-validator';
import type { JsonSchema } from '../../contract/schema';
import { exact, type Rule, validatorOnly } from './rule';

const LEAP_YEAR = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)';
const DATE =
  '(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])' +
  '|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))' +
  `|${LEAP_YEAR}-02-29)`;
const TIME = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?';
const OFFSET = '(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])';

/** The schema of a date in JSON. */
export const DATE_SCHEMA: JsonSchema = Object.freeze({
  type: 'string',
  format: 'date-time',
  pattern: `^${DATE}T${TIME}${OFFSET}$`,
});

function toDate(bound: unknown): Date {
  const value: unknown = typeof bound === 'function' ? bound() : bound;
  return value instanceof Date ? value : new Date(Number.NaN);
}

/** The rules on dates. They sit on properties with `@Type(() => Date)`. */
export const DATE_RULES: readonly Rule[] = [
  { name: IS_DATE, predicate: (value) => isDate(value), contribute: () => exact({}) },
  {
    name: MIN_DATE,
    predicate: (value, [bound]) => minDate(value, toDate(bound)),
    contribute: () => validatorOnly({}),
  },
  {
    name: MAX_DATE,
    predicate: (value, [bound]) => maxDate(value, toDate(bound)),
    contribute: () => validatorOnly({}),
  },
];
