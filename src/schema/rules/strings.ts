/**
 * The rules on text.
 * Invariant: a pattern is shown only when it compiles in Unicode mode, as JSON Schema reads it.
 */
import {
  IS_DATE_STRING,
  IS_EMAIL,
  IS_ISO8601,
  IS_LENGTH,
  IS_STRING,
  IS_URL,
  IS_UUID,
  isDateString,
  isEmail,
  isISO8601,
  isString,
  isURL,
  isUUID,
  length,
  MATCHES,
  MAX_LENGTH,
  MIN_LENGTH,
  matches,
  maxLength,
  minLength,
} from 'class-validator';
import type { JsonSchema } from '../../contract/schema';
import {
  BOUND_REFUSED,
  type Contribution,
  confirmed,
  exact,
  numberAt,
  optionsOf,
  type Rule,
  refused,
  validatorOnly,
} from './rule';

const TEXT: JsonSchema = { type: 'string' };

/**
 * Bounds a length. validator.js does not count a variation selector after a character, JSON Schema does: a
 * minimum over one is therefore also run, and a maximum reads more strictly (see stricter.ts).
 */
function lengthBetween(min: number | undefined, max: number | undefined): Contribution {
  const keywords = {
    ...TEXT,
    ...(min === undefined ? {} : { minLength: Math.max(0, Math.ceil(min)) }),
    ...(max === undefined ? {} : { maxLength: Math.floor(max) }),
  };
  if (max !== undefined && max < 0) return refused('no text is that short', 'Give a maximum of at least 0.');
  return min !== undefined && min > 1 ? confirmed(keywords) : exact(keywords);
}

type UuidVersion = NonNullable<Parameters<typeof isUUID>[1]>;

function isUuidVersion(version: unknown): version is UuidVersion {
  return version !== undefined;
}

function toRegExp(pattern: unknown, modifiers: unknown): RegExp | undefined {
  if (pattern instanceof RegExp) return pattern;
  return typeof pattern === 'string'
    ? new RegExp(pattern, typeof modifiers === 'string' ? modifiers : undefined)
    : undefined;
}

function compilesInUnicodeMode(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

function contributePattern(constraints: readonly unknown[]): Contribution {
  const pattern = toRegExp(constraints[0], constraints[1]);
  if (pattern === undefined) return refused('the pattern is not a regular expression', 'Give a RegExp.');
  const lost = [...pattern.flags].filter((flag) => flag !== 'u' && flag !== 'g');
  if (lost.length > 0) {
    return refused(
      `JSON Schema has no flags, and ${pattern} has "${lost.join('')}"`,
      'Write the pattern without flags: [Aa] for the flag i, [^] for a dot under s.',
    );
  }
  if (!compilesInUnicodeMode(pattern.source)) {
    return refused(
      `${pattern} is not a pattern in Unicode mode, which JSON Schema demands`,
      'Remove needless backslashes and put a hyphen last in its class, until new RegExp(source, "u") takes it.',
    );
  }
  const keywords = { ...TEXT, pattern: pattern.source };
  return pattern.unicode ? exact(keywords) : confirmed(keywords);
}

/** The rules on text. */
export const STRING_RULES: readonly Rule[] = [
  { name: IS_STRING, predicate: (value) => isString(value), contribute: () => exact(TEXT) },
  {
    name: MIN_LENGTH,
    predicate: (value, [min]) => minLength(value, Number(min)),
    contribute: (constraints) => {
      const min = numberAt(constraints, 0);
      return min === undefined ? BOUND_REFUSED : lengthBetween(min, undefined);
    },
  },
  {
    name: MAX_LENGTH,
    predicate: (value, [max]) => maxLength(value, Number(max)),
    contribute: (constraints) => {
      const max = numberAt(constraints, 0);
      return max === undefined ? BOUND_REFUSED : lengthBetween(undefined, max);
    },
  },
  {
    name: IS_LENGTH,
    predicate: (value, [min, max]) => length(value, Number(min), max === undefined ? undefined : Number(max)),
    contribute: (constraints) => {
      const min = numberAt(constraints, 0);
      const max = numberAt(constraints, 1);
      const isMaxLegal = max !== undefined || constraints[1] === undefined;
      return min === undefined || !isMaxLegal ? BOUND_REFUSED : lengthBetween(min, max);
    },
  },
  {
    name: MATCHES,
    predicate: (value, [pattern, modifiers]) => {
      const regExp = toRegExp(pattern, modifiers);
      return regExp !== undefined && matches(String(value), regExp) && typeof value === 'string';
    },
    contribute: contributePattern,
  },
  {
    name: IS_EMAIL,
    predicate: (value, [options]) => isEmail(value, optionsOf(options)),
    contribute: () => validatorOnly(TEXT),
  },
  {
    name: IS_URL,
    predicate: (value, [options]) => typeof value === 'string' && isURL(value, optionsOf(options)),
    contribute: () => validatorOnly(TEXT),
  },
  {
    name: IS_UUID,
    predicate: (value, [version]) => isUUID(value, isUuidVersion(version) ? version : undefined),
    contribute: () => validatorOnly(TEXT),
  },
  {
    name: IS_ISO8601,
    predicate: (value, [options]) => isISO8601(value, optionsOf(options)),
    contribute: () => validatorOnly(TEXT),
  },
  {
    name: IS_DATE_STRING,
    predicate: (value, [options]) => isDateString(value, optionsOf(options)),
    contribute: () => validatorOnly(TEXT),
  },
];
