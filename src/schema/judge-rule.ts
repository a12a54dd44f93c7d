/**
 * Judges one recorded rule of a property.
 * Invariant: a rule is read as class-validator's own only where it is proven to be that; every other one is a
 * custom rule, which runs after the gate.
 */
import { IS_OPTIONAL, MATCHES } from 'class-validator';
import { oncePer } from '../contract/once';
import { reasonOf } from '../errors/reason';
import type { PropertyProblem } from './consistency';
import { admitsSelectors } from './patterns/selectors';
import { slowPattern } from './patterns/slow-pattern';
import type { RuleUse } from './property-model';
import { findConstraint, type RecordedConstraint, type RecordedRule } from './recorded-rules';
import { type Contribution, type RuleSurroundings, validatorOnly } from './rules/rule';
import { findRule, isOriginal, isStricter } from './rules/table';
import { regExpsOf } from './rules/texts';

/** What a recorded rule is for: to check a value, or to say when and how the others do. */
export type Role = 'optional' | 'condition' | 'allow' | 'nested' | 'rule' | 'promise';

/** Tells what a recorded rule is for. class-validator reads `each` of a check alone. */
export function roleOf(rule: RecordedRule): Role {
  if (rule.type === 'whitelistValidation') return 'allow';
  if (rule.type === 'nestedValidation') return 'nested';
  if (rule.type === 'promiseValidation') return 'promise';
  if (rule.type !== 'conditionalValidation') return 'rule';
  return rule.name === IS_OPTIONAL ? 'optional' : 'condition';
}

/** The name of a rule for people. */
export function nameOf(rule: RecordedRule): string {
  return rule.name ?? rule.constraintCls?.name ?? rule.type;
}

function problem(message: string, mend: string): PropertyProblem {
  return { code: 'unsupported_rule', message, mend };
}

/** Tells a problem from a rule in use. */
export function isProblem(judged: RuleUse | PropertyProblem): judged is PropertyProblem {
  return 'mend' in judged;
}

function findSafely(rule: RecordedRule): RecordedConstraint | PropertyProblem {
  try {
    const found = findConstraint(rule);
    return (
      found ??
      problem(
        `class-validator runs nothing for ${nameOf(rule)}, which lacks @ValidatorConstraint()`,
        'Add @ValidatorConstraint() to the class that @Validate names.',
      )
    );
  } catch (error) {
    return problem(
      `the constraint ${nameOf(rule)} cannot be made: ${reasonOf(error)}`,
      'Take no arguments in its constructor, or call useContainer() before the tools are discovered.',
    );
  }
}

/** What is wrong with a rule whose regular expression may run away, on a probe as on a call. */
export const slowProblem: (rule: RecordedRule) => PropertyProblem | undefined = oncePer(findSlow);

function findSlow(rule: RecordedRule): PropertyProblem | undefined {
  const isText = rule.name === MATCHES;
  const given: readonly unknown[] = rule.constraints ?? [];
  for (const regExp of regExpsOf(isText ? given : given.filter((one) => typeof one !== 'string'))) {
    const reason = slowPattern(regExp.source, regExp.flags);
    if (reason === undefined) continue;
    return problem(
      `${nameOf(rule)}: ${reason}`,
      'Begin it with ^, and let no two repeats that meet take the same text: ^[^@]+@[^@.]+(\\.[^@.]+)+$.',
    );
  }
  return undefined;
}

/** What is known of a rule's surroundings. */
interface Surroundings {
  readonly rules: readonly RecordedRule[];
  readonly transformed: boolean;
}

/** Tells whether a rule is class-validator's own and always holds, so that others may lean on it. */
const isProven: (rule: RecordedRule) => boolean = oncePer((rule) => {
  const known = findRule(rule.name);
  if (known === undefined || rule.validateIf !== undefined) return false;
  const found = findSafely(rule);
  return !('mend' in found) && isOriginal(known, found.instance, rule.constraints ?? []);
});

function contributionOf(
  rule: RecordedRule,
  { instance }: RecordedConstraint,
  { rules }: Surroundings,
): Contribution {
  // What the rule is about is not always there.
  if (rule.validateIf !== undefined) return validatorOnly({});
  const known = findRule(rule.name);
  if (known === undefined) return validatorOnly({});
  const namesWhere = (each: boolean) =>
    new Set(rules.filter((one) => (one.each === true) === each && isProven(one)).map(nameOf));
  const constraints: readonly unknown[] = rule.constraints ?? [];
  if (!isOriginal(known, instance, constraints)) {
    const mayBeStricter = known.otherwise !== undefined && isStricter(known, instance, constraints);
    return mayBeStricter ? known.otherwise : validatorOnly({});
  }
  const beside = rules.filter((one) => one !== rule && (one.each === true) === (rule.each === true));
  return known.contribute(constraints, {
    siblings: namesWhere(rule.each === true),
    elements: rule.each ? new Set() : namesWhere(true),
    isPlainText: beside.some((one) => isProven(one) && isPlain(one)),
  });
}

const ALONE: RuleSurroundings = { siblings: new Set(), elements: new Set(), isPlainText: false };

/** Tells whether one of class-validator's own rules takes no text with a variation selector. */
const isPlain: (rule: RecordedRule) => boolean = oncePer((rule) => {
  const contribution = findRule(rule.name)?.contribute(rule.constraints ?? [], ALONE);
  if (contribution?.grade !== 'exact' || contribution.keywords.type !== 'string') return false;
  const { pattern } = contribution.keywords;
  return typeof pattern === 'string' && !admitsSelectors(pattern);
});

/** Judges one rule among the others of its property. */
export function judgeRule(rule: RecordedRule, surroundings: Surroundings): RuleUse | PropertyProblem {
  const found = findSafely(rule);
  if ('mend' in found) return found;
  const judged = contributionOf(rule, found, surroundings);
  // What a conversion makes may be more than JSON carries.
  const isMade = surroundings.transformed && judged.grade === 'refused';
  const contribution = isMade ? validatorOnly({}) : judged;
  if (contribution.grade === 'refused') {
    return problem(`${nameOf(rule)}: ${contribution.message}`, contribution.mend);
  }
  if (rule.each && contribution.keywords.type === 'array' && !surroundings.transformed) {
    return problem(
      `${nameOf(rule)} with { each: true } is about arrays of arrays, whose inner elements nothing checks`,
      'Let the elements be a DTO that holds the inner array, with @ValidateNested({ each: true }) and @Type.',
    );
  }
  return { recorded: rule, name: found.name, constraint: found.instance, contribution };
}
