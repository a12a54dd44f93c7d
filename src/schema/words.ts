/**
 * A rule in words: the author's message, or class-validator's own.
 * Invariant: the words never hold the value; whatever asks for it gets a mask.
 */
import type { RuleUse } from './property-model';

const MASK = '[value]';

function replaceTokens(message: string, tokens: ReadonlyMap<string, string>): string {
  return message.replace(/\$(?:property|target|value|constraint\d+)/g, (token) => tokens.get(token) ?? token);
}

function constraintText(constraint: unknown): string {
  if (Array.isArray(constraint)) return constraint.map(String).join(', ');
  if (constraint instanceof Date)
    return Number.isNaN(constraint.getTime()) ? 'no date' : constraint.toISOString();
  return typeof constraint === 'function' ? 'a computed value' : String(constraint);
}

/** Writes a rule's message for a property. A message function that fails gives the rule's name instead. */
export function wordsOf(
  { recorded, constraint }: Pick<RuleUse, 'recorded' | 'constraint'>,
  property: string,
): string {
  const constraints: readonly unknown[] = recorded.constraints ?? [];
  const args = {
    value: MASK,
    constraints: [...constraints],
    targetName: typeof recorded.target === 'function' ? recorded.target.name : recorded.target,
    object: {},
    property,
  };
  const fallback = `${property} breaks the rule ${recorded.name ?? recorded.constraintCls.name}`;
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
  return typeof message === 'string' && message !== '' ? replaceTokens(message, tokens) : fallback;
}
