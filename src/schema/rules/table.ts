/**
 * The one table of class-validator's rules, and the check that a recorded rule is the one whose name it carries.
 * Invariant: a custom rule that borrows a name is told from the original by its words and by what it accepts,
 * near the border of the original and far from it.
 */
import type { ValidatorConstraintInterface } from 'class-validator';
import { letGo } from '../apply-rule';
import { findConstraint, recordedFor } from '../recorded-rules';
import { ALPHABET_RULES } from './alphabets';
import { ARRAY_RULES } from './arrays';
import { CODE_RULES } from './codes';
import { DATE_RULES } from './dates';
import { DOCUMENT_RULES } from './documents';
import { IDENTIFIER_RULES } from './identifiers';
import { NETWORK_RULES } from './network';
import { NOTATION_RULES } from './notations';
import { NUMBER_RULES } from './numbers';
import { NUMERAL_RULES } from './numerals';
import { PROBES, probesFrom } from './probes';
import type { Rule } from './rule';
import { TEXT_RULES } from './texts';
import { TIME_RULES } from './times';
import { VALUE_RULES } from './values';

/** All rows of the table. */
const RULES: readonly Rule[] = [
  ...VALUE_RULES,
  ...NUMBER_RULES,
  ...ARRAY_RULES,
  ...DATE_RULES,
  ...TEXT_RULES,
  ...ALPHABET_RULES,
  ...NUMERAL_RULES,
  ...CODE_RULES,
  ...IDENTIFIER_RULES,
  ...NETWORK_RULES,
  ...TIME_RULES,
  ...NOTATION_RULES,
  ...DOCUMENT_RULES,
];

/** What the decorators of the table record. */
class Witness {}

interface Original {
  readonly rule: Rule;
  readonly constraint: ValidatorConstraintInterface;
}

let originals: ReadonlyMap<string, Original> | undefined;

function readOriginals(): ReadonlyMap<string, Original> {
  const entries = RULES.flatMap((rule, index) => {
    rule.decorator(Witness.prototype, 'value');
    const recorded = recordedFor(Witness)[index];
    const constraint = recorded === undefined ? undefined : findConstraint(recorded)?.instance;
    return recorded?.name === undefined || constraint === undefined
      ? []
      : [[recorded.name, { rule, constraint }] as const];
  });
  return new Map(entries);
}

function originalOf(name: string): Original | undefined {
  originals ??= readOriginals();
  return originals.get(name);
}

/** Finds the row of the table for a rule's name. */
export function findRule(name: string | undefined): Rule | undefined {
  return name === undefined ? undefined : originalOf(name)?.rule;
}

/** What a check does with a value: its verdict, or that it threw. */
function verdict(check: () => unknown): unknown {
  try {
    const given = check();
    letGo(given);
    return given;
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

/** What a constraint says of a value, whatever a pattern with a memory was asked before. */
function verdictOf(
  constraint: ValidatorConstraintInterface,
  value: unknown,
  constraints: readonly unknown[],
): unknown {
  for (const one of constraints) if (one instanceof RegExp) one.lastIndex = 0;
  const args = { value, constraints: [...constraints], targetName: '', object: {}, property: '' };
  return verdict(() => constraint.validate(value, args));
}

function originalFor(rule: Rule): ValidatorConstraintInterface | undefined {
  originals ??= readOriginals();
  return [...originals.values()].find((original) => original.rule === rule)?.constraint;
}

/** How a constraint compares with class-validator's own: its verdict on every probe, beside the original's. */
function compared(
  rule: Rule,
  constraint: ValidatorConstraintInterface,
  constraints: readonly unknown[],
): readonly { readonly theirs: unknown; readonly original: unknown }[] | undefined {
  const original = originalFor(rule);
  if (original === undefined || wordsOf(constraint, constraints) !== wordsOf(original, constraints)) {
    return undefined;
  }
  return [...PROBES, ...rule.near, ...probesFrom(constraints)].map((probe) => ({
    theirs: verdictOf(constraint, probe, constraints),
    original:
      rule.predicate === undefined
        ? verdictOf(original, probe, constraints)
        : verdict(() => rule.predicate?.(probe, constraints)),
  }));
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
  const verdicts = compared(rule, constraint, constraints);
  return verdicts?.every(({ theirs, original }) => theirs === original) ?? false;
}

/**
 * Tells whether a constraint may be class-validator's own of that name, made stricter by an argument that was
 * not recorded: it says what that says, and refuses what that refuses.
 */
export function isStricter(
  rule: Rule,
  constraint: ValidatorConstraintInterface,
  constraints: readonly unknown[],
): boolean {
  const verdicts = compared(rule, constraint, constraints);
  return verdicts?.every(({ theirs, original }) => theirs === original || theirs === false) ?? false;
}
