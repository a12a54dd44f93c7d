/**
 * A rule in words: the author's message, or class-validator's own.
 * Invariant: the words never hold the value; whatever asks for it gets a mask.
 */
import type { RuleUse } from './property-model';

const MASK = '[value]';
const MAX_WORDS = 500;

function replaceTokens(message: string, tokens: ReadonlyMap<string, string>): string {
  return message.replace(/\$(?:property|target|value|constraint\d+)/g, (token) => tokens.get(token) ?? token);
}

/** A text of any value; an object without a prototype has none. */
function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return 'a value';
  }
}

function constraintText(constraint: unknown): string {
  if (Array.isArray(constraint)) return constraint.map(textOf).join(', ');
  if (constraint instanceof Date)
    return Number.isNaN(constraint.getTime()) ? 'no date' : constraint.toISOString();
  return typeof constraint === 'function' ? 'a computed value' : textOf(constraint);
}

/** Stands in for a value in messages: of a text or an array it tells the length, and nothing else. */
function standInFor(value: unknown): unknown {
  if (typeof value === 'string') return '*'.repeat(value.length);
  return Array.isArray(value) ? value.map(() => MASK) : MASK;
}

/**
 * Writes a rule's message for a property, and for a value, of which only a length may show. A message function
 * that fails gives the rule's name instead.
 */
export function wordsOf(
  { recorded, name, constraint }: Pick<RuleUse, 'recorded' | 'name' | 'constraint'>,
  property: string,
  value?: unknown,
): string {
  const constraints: readonly unknown[] = recorded.constraints ?? [];
  const args = {
    value: standInFor(value),
    constraints: [...constraints],
    targetName: typeof recorded.target === 'function' ? recorded.target.name : recorded.target,
    object: {},
    property,
  };
  const fallback = `${property} must satisfy the rule ${name}`;
  let message: unknown;
  try {
    message = recorded.message || constraint.defaultMessage?.(args);
    if (typeof message === 'function') message = message(args);
  } catch {
    message = fallback;
  }
  const tokens = new Map([
    ['$property', property],
    ['$target', args.targetName],
    ['$value', MASK],
    ...constraints.map((one, index) => [`$constraint${index + 1}`, constraintText(one)] as const),
  ]);
  const words = typeof message === 'string' && message !== '' ? replaceTokens(message, tokens) : fallback;
  return words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS)}…` : words;
}
