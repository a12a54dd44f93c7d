/**
 * The words for the model that `@JSONSchema` carries.
 * Invariant: only annotations pass; a validation keyword, which the validator would not know, is refused.
 */
import { type JsonSchema, MCP_HEADER } from '../contract/schema';
import type { JsonValue } from '../errors/body';

/** The annotations of JSON Schema 2020-12 (Validation, section 9) that a field or a class may carry, and MCP's own. */
const ANNOTATIONS: readonly string[] = [
  'title',
  'description',
  'examples',
  'default',
  'deprecated',
  MCP_HEADER,
];

/** The words of a field or a class, or the keywords that are refused. */
export interface JudgedText {
  readonly text: JsonSchema;
  readonly refused: readonly string[];
}

/** Tells whether an annotation has a value that the meta-schema takes. */
function isFit(annotation: string, value: unknown): boolean {
  if (annotation === 'default') return isJson(value);
  if (annotation === 'examples') return Array.isArray(value) && isJson(value);
  return typeof value === (annotation === 'deprecated' ? 'boolean' : 'string');
}

function isJson(value: unknown): boolean {
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
    if (isFit(annotation, value)) text[annotation] = JSON.parse(JSON.stringify(value));
  }
  const isTaken = ([keyword, value]: readonly [string, unknown]) => value === undefined || keyword in text;
  return { text, refused: entries.filter((entry) => !isTaken(entry)).map(([keyword]) => keyword) };
}
