/**
 * A keyword in words, for descriptions that say what a dialect cannot.
 * Invariant: every keyword has words, and they hold all of its value.
 */
import { isSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';

function listOf(value: JsonValue): string {
  const values = Array.isArray(value) ? value : [value];
  return values.map((one) => JSON.stringify(one)).join(', ');
}

function negation(value: JsonValue): string | undefined {
  if (!isSchema(value) || Object.keys(value).join() !== 'enum') return undefined;
  return `None of ${listOf(value.enum ?? null)}.`;
}

const SENTENCES: { readonly [keyword: string]: (value: JsonValue) => string | undefined } = {
  const: (value) => `Only ${listOf(value)}.`,
  default: (value) => `Default: ${JSON.stringify(value)}.`,
  deprecated: (value) => (value === true ? 'Deprecated.' : undefined),
  enum: (value) =>
    Array.isArray(value) && value.length === 1 ? `Only ${listOf(value)}.` : `One of ${listOf(value)}.`,
  examples: (value) =>
    Array.isArray(value) && value.length === 0 ? undefined : `Examples: ${listOf(value)}.`,
  exclusiveMaximum: (value) => `Less than ${value}.`,
  exclusiveMinimum: (value) => `Greater than ${value}.`,
  format: (value) => `Format: ${value}.`,
  multipleOf: (value) => `A multiple of ${value}.`,
  not: negation,
  pattern: (value) => `Matches the regular expression /${value}/.`,
  uniqueItems: (value) => (value === true ? 'No two items are equal.' : undefined),
};

/** Writes what a keyword says as a sentence. */
export function keywordWords(keyword: string, value: JsonValue): string {
  const sentence = Object.hasOwn(SENTENCES, keyword) ? SENTENCES[keyword]?.(value) : undefined;
  return sentence ?? `JSON Schema ${keyword}: ${JSON.stringify(value)}.`;
}

/** Joins sentences; those that end without a stop get one. */
export function joinSentences(sentences: readonly string[]): string {
  const last = sentences.length - 1;
  return sentences
    .map((sentence, index) => (index === last || /[.!?]$/.test(sentence) ? sentence : `${sentence}.`))
    .join(' ');
}
