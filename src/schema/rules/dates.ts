/**
 * The rules on dates, and the one text form that a date takes in JSON.
 * Invariant: a date is an RFC 3339 date-time (section 5.6) that exists in the calendar; `format` only names it.
 */
import { IsDate, MaxDate, MinDate } from 'class-validator';
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

/** The rules on dates. They sit on properties with `@Type(() => Date)`. */
export const DATE_RULES: readonly Rule[] = [
  { decorator: IsDate(), near: ['1970-01-01T00:00:00Z'], contribute: () => exact({}) },
  {
    decorator: MinDate(new Date(0)),
    near: [new Date(1), new Date(-1), '1970-01-01T00:00:00Z'],
    contribute: () => validatorOnly({}),
  },
  {
    decorator: MaxDate(new Date(0)),
    near: [new Date(1), new Date(-1), '1970-01-01T00:00:00Z'],
    contribute: () => validatorOnly({}),
  },
];
