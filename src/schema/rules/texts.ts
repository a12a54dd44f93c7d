/**
 * The rules on any text: its length, what it contains, and the pattern that it matches.
 * Invariant: a pattern is shown only in the form that JSON Schema reads as class-validator reads the original.
 */
import {
  Contains,
  IsByteLength,
  IsString,
  Length,
  Matches,
  MaxLength,
  MinLength,
  NotContains,
} from 'class-validator';
import type { JsonSchema } from '../../contract/schema';
import { lengthKeywords, plainLengthKeywords } from '../patterns/text-length';
import { unicodePattern } from '../patterns/unicode-pattern';
import {
  BOUND_REFUSED,
  type Contribution,
  exact,
  exactPattern,
  numberAt,
  type Rule,
  type RuleSurroundings,
  refused,
  TEXT,
  validatorOnly,
} from './rule';

/** What class-validator counts as one, as two, or differently from JSON Schema. */
const OF_EVERY_WIDTH = ['ab', 'abc', '💩', '💩💩', '❤️', '❤️❤️', '\ud83d', '\n'];

/** Bounds a length, counted as validator.js counts it. */
function lengthBetween(min: number, max: number | undefined, isPlainText: boolean): Contribution {
  if (max !== undefined && max < 0) return refused('no text is that short', 'Give a maximum of at least 0.');
  return exact({ ...TEXT, ...(isPlainText ? plainLengthKeywords : lengthKeywords)(min, max) });
}

function contributeLength(constraints: readonly unknown[], { isPlainText }: RuleSurroundings): Contribution {
  const min = numberAt(constraints, 0);
  const max = numberAt(constraints, 1);
  const isMaxLegal = max !== undefined || constraints[1] === undefined;
  return min === undefined || !isMaxLegal ? BOUND_REFUSED : lengthBetween(min, max, isPlainText);
}

/** A character is one to four bytes of UTF-8. */
function contributeByteLength(constraints: readonly unknown[]): Contribution {
  const min = numberAt(constraints, 0);
  const max = numberAt(constraints, 1);
  if (min === undefined || (max === undefined && constraints[1] !== undefined)) return BOUND_REFUSED;
  if (max !== undefined && max < 0) return refused('no text is that short', 'Give a maximum of at least 0.');
  return validatorOnly({
    ...TEXT,
    ...(min > 0 ? { minLength: Math.ceil(min / 4) } : {}),
    ...(max === undefined ? {} : { maxLength: Math.floor(max) }),
  });
}

function toRegExp(pattern: unknown, modifiers: unknown): RegExp | undefined {
  if (pattern instanceof RegExp) return pattern;
  if (typeof pattern !== 'string') return undefined;
  try {
    return new RegExp(pattern, typeof modifiers === 'string' ? modifiers : undefined);
  } catch {
    return undefined;
  }
}

/** How deep regular expressions lie in a rule's options at most: `{ host_whitelist: [/a/] }`. */
const MAX_DEPTH = 3;

function regExpsIn(given: unknown, depth: number): readonly RegExp[] {
  if (given instanceof RegExp) return [given];
  if (depth === 0 || typeof given !== 'object' || given === null) return [];
  return Object.values(given).flatMap((one) => regExpsIn(one, depth - 1));
}

/** The regular expressions that a rule was given, whatever its name: it may run them on any text. */
export function regExpsOf(constraints: readonly unknown[]): readonly RegExp[] {
  const given = constraints.flatMap((one) => regExpsIn(one, MAX_DEPTH));
  const [source, modifiers] = constraints;
  const written = typeof source === 'string' ? toRegExp(source, modifiers) : undefined;
  return written === undefined ? given : [...given, written];
}

function contributePattern([constraint, modifiers]: readonly unknown[]): Contribution {
  const regExp = toRegExp(constraint, modifiers);
  if (regExp === undefined) return refused('the pattern is not a regular expression', 'Give a RegExp.');
  if (regExp.sticky && !regExp.global) {
    return refused(
      `${regExp} has the flag y, so that its verdict depends on the text before`,
      'Leave the flag out and begin the pattern with ^.',
    );
  }
  const pattern = unicodePattern(regExp);
  return pattern === undefined ? validatorOnly(TEXT) : exactPattern(pattern);
}

/** A text as the pattern that matches it and nothing else; a lone half of a pair has none. */
function literalPattern(seed: unknown): string | undefined {
  if (typeof seed !== 'string' || seed === '' || /\p{Cs}/u.test(seed)) return undefined;
  return seed.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&').replace(/\n/g, '\\n');
}

function containing([seed]: readonly unknown[]): Contribution {
  const pattern = literalPattern(seed);
  return pattern === undefined ? validatorOnly(TEXT) : exactPattern(pattern);
}

function notContaining([seed]: readonly unknown[]): Contribution {
  const pattern = literalPattern(seed);
  const not: JsonSchema = pattern === undefined ? {} : { not: { pattern } };
  return pattern === undefined ? validatorOnly(TEXT) : exact({ ...TEXT, ...not });
}

/** The rules on any text. */
export const TEXT_RULES: readonly Rule[] = [
  { decorator: IsString(), near: ['\ud83d'], contribute: () => exact(TEXT) },
  {
    decorator: MinLength(1),
    near: OF_EVERY_WIDTH,
    contribute: (constraints, { isPlainText }) => {
      const min = numberAt(constraints, 0);
      return min === undefined ? BOUND_REFUSED : lengthBetween(min, undefined, isPlainText);
    },
  },
  {
    decorator: MaxLength(1),
    near: OF_EVERY_WIDTH,
    contribute: (constraints, { isPlainText }) => {
      const max = numberAt(constraints, 0);
      return max === undefined ? BOUND_REFUSED : lengthBetween(0, max, isPlainText);
    },
  },
  { decorator: Length(1, 2), near: OF_EVERY_WIDTH, contribute: contributeLength },
  { decorator: IsByteLength(1, 2), near: OF_EVERY_WIDTH, contribute: contributeByteLength },
  { decorator: Matches(/a/), near: OF_EVERY_WIDTH, contribute: contributePattern },
  { decorator: Contains('a'), near: OF_EVERY_WIDTH, contribute: containing },
  { decorator: NotContains('a'), near: OF_EVERY_WIDTH, contribute: notContaining },
];
