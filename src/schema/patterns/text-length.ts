/**
 * The length rules of class-validator as JSON Schema keywords.
 * Invariant: a string satisfies the keywords exactly when validator.js counts it within the bounds. It counts
 * code points, less each variation selector (VS15, VS16) that follows anything but a variation selector.
 */
import { isSchema, type JsonSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';

const SELECTOR = '[\\uFE0E\\uFE0F]';
/** One counted character. The lookahead keeps the reading unique: no backtracking, and no count too high. */
const COUNTED = `(?:[^\\uFE0E\\uFE0F](?:${SELECTOR}|(?!${SELECTOR}))|${SELECTOR})`;

/** No string of the engine is as long: it stands for every bound above, and for Infinity. */
const UNREACHABLE = 2 ** 29;
const NO_STRING: JsonSchema = Object.freeze({ minLength: 1, maxLength: 0 });

function minimum(min: number): JsonSchema {
  if (!(min > 0)) return {};
  const count = Math.min(Math.ceil(min), UNREACHABLE);
  // The count never exceeds the code points, and it is zero for the empty text alone.
  if (count === 1 || count === UNREACHABLE) return { minLength: count };
  return { minLength: count, pattern: `^${COUNTED}{${count}}` };
}

function maximum(max: number): JsonSchema {
  if (max >= UNREACHABLE) return {};
  if (!(max >= 0)) return NO_STRING;
  const count = Math.floor(max);
  if (count === 0) return { maxLength: 0 };
  // Ordinary texts pass by the first branch and never meet the regular expression.
  return { anyOf: [{ maxLength: count }, { pattern: `^${COUNTED}{0,${count}}$` }] };
}

/**
 * The keywords for a string that `isLength` of validator.js accepts with these bounds; undefined is no bound.
 * A range that no string can meet gives keywords that no string can meet.
 */
export function lengthKeywords(min: number | undefined, max: number | undefined): JsonSchema {
  const upper = max === undefined ? {} : maximum(max);
  return upper === NO_STRING ? NO_STRING : { ...minimum(min ?? 0), ...upper };
}

/** The keywords for the same texts where something else sees to it that none holds a variation selector. */
export function plainLengthKeywords(min: number | undefined, max: number | undefined): JsonSchema {
  const { minLength } = minimum(min ?? 0);
  if (max !== undefined && !(max >= 0)) return NO_STRING;
  return {
    ...(minLength === undefined ? {} : { minLength }),
    ...(max === undefined || max >= UNREACHABLE ? {} : { maxLength: Math.floor(max) }),
  };
}

/** Tells the patterns of exact lengths from those that say what a text looks like. */
export function isLengthPattern(pattern: unknown): boolean {
  const prefix = `^${COUNTED}`;
  if (typeof pattern !== 'string' || !pattern.startsWith(prefix)) return false;
  return /^\{\d+\}$|^\{0,\d+\}\$$/.test(pattern.slice(prefix.length));
}

/** The bound that the alternatives of an exact maximum state; undefined for any others. */
function boundIn(alternatives: unknown): JsonValue | undefined {
  const [plain, exact] = Array.isArray(alternatives) ? alternatives : [];
  return isSchema(plain) && isSchema(exact) && isLengthPattern(exact.pattern) ? plain.maxLength : undefined;
}

/** Rewrites a schema so that its lengths are plain `minLength` and `maxLength`, for people to read. */
export function restateLengths(schema: JsonSchema): JsonSchema {
  const restate = (_: string, node: JsonValue): JsonValue => {
    if (!isSchema(node)) return node;
    const maxLength = boundIn(node.anyOf);
    const isIdle = ([keyword, value]: readonly [string, JsonValue]) =>
      (keyword === 'anyOf' && maxLength !== undefined) || (keyword === 'pattern' && isLengthPattern(value));
    const kept = Object.entries(node).filter((entry) => !isIdle(entry));
    return { ...Object.fromEntries(kept), ...(maxLength === undefined ? {} : { maxLength }) };
  };
  return JSON.parse(JSON.stringify(schema, restate));
}
