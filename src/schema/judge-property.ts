/**
 * Judges one property of a DTO: sorts its rules, and reports every one that cannot be taken.
 * Invariant: a property is part of the model only when each of its rules contributes.
 */
import { RESERVED_NAMES } from '../contract/names';
import type { DeclarationProblemCode } from '../errors/declaration-error';
import type { PropertyFacts } from './class-facts';
import { inconsistencies, type PropertyProblem } from './consistency';
import type { Defaults } from './defaults';
import { isProblem, judgeRule, nameOf, type Role, roleOf, slowProblem } from './judge-rule';
import type { Condition, PropertyModel, Way } from './property-model';
import { designProblem, judgeType } from './property-type';
import type { RecordedRule } from './recorded-rules';
import { judgeText } from './text';

/** Takes one problem of the class that is being judged. */
export type Report = (
  code: DeclarationProblemCode,
  member: string | undefined,
  message: string,
  mend: string,
) => void;

function isCondition(value: unknown): value is Condition {
  return typeof value === 'function';
}

function withRole(rules: readonly RecordedRule[], role: Role): readonly RecordedRule[] {
  return rules.filter((rule) => roleOf(rule) === role);
}

/** What is wrong with a property before its rules are looked at one by one. */
function outerProblems(facts: PropertyFacts, refused: readonly string[]): readonly PropertyProblem[] {
  const idle = facts.rules.filter((rule) => roleOf(rule) !== 'rule' && rule.validateIf !== undefined);
  return [
    ...facts.problems.map((problem) => ({ code: 'unsupported_rule' as const, ...problem })),
    ...withRole(facts.rules, 'promise').map(() => ({
      code: 'unsupported_rule' as const,
      message: '@ValidatePromise() waits for a promise, and JSON carries none',
      mend: 'Declare the value itself.',
    })),
    ...idle.map((rule) => ({
      code: 'unsupported_rule' as const,
      message: `class-validator does not look at { validateIf } of ${nameOf(rule)}`,
      mend: 'Write @ValidateIf(condition) beside it.',
    })),
    ...(refused.length > 0
      ? [
          {
            code: 'illegal_property' as const,
            message: `@JSONSchema holds ${refused.join(', ')}, which is not enforced`,
            mend: 'Keep title, description, examples, default, deprecated and x-mcp-header; write rules with class-validator.',
          },
        ]
      : []),
  ];
}

/** What is wrong with a type that `@Transform` is meant to make. */
function transformProblems(facts: PropertyFacts): readonly PropertyProblem[] {
  const isTyped = facts.type !== undefined || withRole(facts.rules, 'nested').length > 0;
  if (!facts.transformed || !isTyped) return [];
  const message = '@Transform stands beside @Type or @ValidateNested';
  const mend = 'Let @Transform alone make the value, or convert it in the handler.';
  return [{ code: 'unsupported_type', message, mend }];
}

/** Judges a property; an empty list when it cannot be part of the model, which has then been reported. */
export function judgeProperty(
  facts: PropertyFacts,
  defaults: Defaults,
  way: Way,
  report: Report,
): readonly PropertyModel[] {
  const { name } = facts;
  const { transformed, type: recorded, key = name } = facts;
  if (typeof name !== 'string' || [name, key].some((one) => one === '' || RESERVED_NAMES.has(one))) {
    const message = 'the name is empty, a symbol or a member of Object.prototype';
    report('illegal_property', String(name), message, 'Rename it.');
    return [];
  }
  const roles = new Set(facts.rules.map(roleOf));
  const rules = withRole(facts.rules, 'rule');
  const [nested] = withRole(facts.rules, 'nested');
  // A rule that may run away is not even tried.
  const quick = rules.filter((rule) => slowProblem(rule) === undefined);
  const judged = rules.map((rule) => slowProblem(rule) ?? judgeRule(rule, { rules: quick, transformed }));
  const uses = judged.flatMap((one) => (isProblem(one) ? [] : one));
  const named = judgeType(recorded, nested !== undefined);
  const isJson = 'value' in named && named.value.kind === 'json' && !transformed;
  const misdeclared = isJson ? designProblem(facts.designed) : undefined;
  const type = misdeclared === undefined ? named : { problem: misdeclared };
  const { text, refused } = judgeText(facts.text);
  const sorted = {
    rules: uses.filter((use) => use.recorded.each !== true),
    elementRules: uses.filter((use) => use.recorded.each === true),
    list: nested?.each === true || rules.some((rule) => rule.each),
  };
  const together =
    transformed || 'problem' in type
      ? []
      : inconsistencies({ ...sorted, value: type.value, reflected: recorded?.reflected });
  const problems = [
    ...outerProblems(facts, refused),
    ...judged.filter(isProblem),
    ...transformProblems(facts),
    ...('problem' in type ? [{ code: 'unsupported_type' as const, ...type.problem }] : together),
  ];
  for (const { code, message, mend } of problems) report(code, name, message, mend);
  if (problems.length > 0 || 'problem' in type) return [];
  const optional = roles.has('optional');
  const conditions = withRole(facts.rules, 'condition').map((rule) => rule.constraints?.[0]);
  const isFree = [...roles].every((role) => role === 'allow');
  return [
    {
      name,
      way,
      key,
      optional,
      required: !optional && !isFree && !defaults.initialised.has(name),
      ...sorted,
      conditions: conditions.filter(isCondition),
      transformed,
      value: type.value,
      text,
      default: defaults.shown.get(name),
    },
  ];
}
