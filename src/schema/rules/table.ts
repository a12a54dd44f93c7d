/**
 * The one table of the class-validator rules that are known, and the check that a recorded rule is one of them.
 * Invariant: a custom rule that borrows a known name is told from the original by its words and by what it
 * accepts.
 */
import type { ValidatorConstraintInterface } from 'class-validator';
import { ARRAY_RULES } from './arrays';
import { DATE_RULES } from './dates';
import { NUMBER_RULES } from './numbers';
import { originalOf } from './originals';
import type { Rule } from './rule';
import { STRING_RULES } from './strings';
import { VALUE_RULES } from './values';

const BY_NAME: ReadonlyMap<string, Rule> = new Map(
  [...STRING_RULES, ...NUMBER_RULES, ...VALUE_RULES, ...ARRAY_RULES, ...DATE_RULES].map((rule) => [
    rule.name,
    rule,
  ]),
);

const PROBES: readonly unknown[] = [
  undefined,
  null,
  true,
  false,
  0,
  -1,
  1,
  1.5,
  7,
  100,
  '',
  'a',
  'abc',
  'ORD-1234',
  '12',
  'ok',
  'a@b.co',
  'a'.repeat(300),
  [],
  ['a'],
  ['a', 'a'],
  [1, 2, 3],
  {},
  { a: 1 },
  new Date(0),
  new Date(Number.NaN),
];

/** Finds the row of the table for a rule's name. */
export function findRule(name: string | undefined): Rule | undefined {
  return name === undefined ? undefined : BY_NAME.get(name);
}

/** What a check does with a value: its verdict, or that it threw. */
function verdict(check: () => unknown): unknown {
  try {
    return check();
  } catch {
    return 'threw';
  }
}

/** The words of a rule, for one value or for each of several. */
function wordsOf(constraint: ValidatorConstraintInterface, constraints: readonly unknown[]): unknown {
  const args = { value: '', constraints: [...constraints], targetName: '', object: {}, property: '' };
  const words = verdict(() => constraint.defaultMessage?.(args));
  return typeof words === 'string' ? words.replace('each value in ', '') : words;
}

/**
 * Tells whether a constraint is class-validator's own of that name: it says what that says, and it accepts and
 * refuses what that does.
 */
export function isOriginal(
  rule: Rule,
  constraint: ValidatorConstraintInterface,
  constraints: readonly unknown[],
): boolean {
  const original = originalOf(rule.name);
  if (original === undefined || wordsOf(constraint, constraints) !== wordsOf(original, constraints))
    return false;
  const args = { value: undefined, constraints: [...constraints], targetName: '', object: {}, property: '' };
  return PROBES.every(
    (probe) =>
      verdict(() => constraint.validate(probe, { ...args, value: probe })) ===
      verdict(() => rule.predicate(probe, constraints)),
  );
}
