/**
 * The words for the model that `@JSONSchema` carries.
 * Invariant: only annotations pass; a validation keyword, which the validator would not know, is refused.
 */
import type { JsonSchema } from '../contract/schema';
import type { JsonValue } from '../errors/body';

/** The annotations of JSON Schema 2020-12 (Validation, section 9) that a field or a class may carry. */
const ANNOTATIONS: readonly string[] = ['title', 'description', 'examples', 'deprecated'];

/** The words of a field or a class, or the keywords that are refused. */
export interface JudgedText {
  readonly text: JsonSchema;
  readonly refused: readonly string[];
}

function isJson(value: unknown): value is JsonValue {
  try {
    return value !== undefined && JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}

/** Sorts what `@JSONSchema` was given into annotations and refused keywords. */
export function judgeText(given: object): JudgedText {
  if (typeof given === 'function') return { text: {}, refused: ['a function'] };
  const entries = Object.entries(given);
  const text: Record<string, JsonValue> = {};
  for (const annotation of ANNOTATIONS) {
    const value: unknown = entries.find(([keyword]) => keyword === annotation)?.[1];
    if (isJson(value)) text[annotation] = JSON.parse(JSON.stringify(value));
  }
  return { text, refused: entries.map(([keyword]) => keyword).filter((one) => !ANNOTATIONS.includes(one)) };
}
