/**
 * Judges one property of a DTO: sorts its rules, and reports every one that cannot be taken.
 * Invariant: a property is part of the model only when each of its rules contributes.
 */
import { IS_OPTIONAL } from 'class-validator';
import { RESERVED_NAMES } from '../contract/names';
import type { DeclarationProblemCode } from '../errors/declaration-error';
import type { PropertyFacts } from './class-facts';
import { inconsistencies, type PropertyProblem } from './consistency';
import type { Defaults } from './defaults';
import type { PropertyModel, RuleUse } from './property-model';
import { judgeType } from './property-type';
import { findConstraint, type RecordedRule } from './recorded-rules';
import { findRule, isOriginal, isStricter } from './rules/table';
import { judgeText } from './text';

/** Takes one problem of the class that is being judged. */
export type Report = (
  code: DeclarationProblemCode,
  member: string | undefined,
  message: string,
  mend: string,
) => void;

const KNOWN_RULES_ONLY =
  'Write the rule with the decorators that docs/describe.md lists, or check it in the handler.';

/** What a recorded rule is, apart from the ones that the table knows. */
function structureOf(rule: RecordedRule): 'optional' | 'allow' | 'nested' | 'rule' | 'refused' {
  if (rule.validateIf !== undefined) return 'refused';
  if (rule.type === 'whitelistValidation') return 'allow';
  if (rule.type === 'nestedValidation') return 'nested';
  if (rule.type === 'conditionalValidation') {
    return rule.name === IS_OPTIONAL && !rule.each ? 'optional' : 'refused';
  }
  return rule.type === 'promiseValidation' ? 'refused' : 'rule';
}

function nameOf(rule: RecordedRule): string {
  return rule.name ?? rule.constraintCls?.name ?? rule.type;
}

function unsupported(message: string, mend = KNOWN_RULES_ONLY): PropertyProblem {
  return { code: 'unsupported_rule', message, mend };
}

function isProblem(judged: RuleUse | PropertyProblem): judged is PropertyProblem {
  return 'mend' in judged;
}

/** Judges one rule among the others of its property. */
function judgeRule(rule: RecordedRule, rules: readonly RecordedRule[]): RuleUse | PropertyProblem {
  const known = findRule(rule.name);
  const constraint = findConstraint(rule);
  if (known === undefined || constraint === undefined)
    return unsupported(`the rule ${nameOf(rule)} is not known`);
  const namesWhere = (each: boolean) => new Set(rules.filter((one) => one.each === each).map(nameOf));
  const constraints: readonly unknown[] = rule.constraints ?? [];
  const contribution = isOriginal(known, constraint, constraints)
    ? known.contribute(constraints, {
        siblings: namesWhere(rule.each),
        elements: rule.each ? new Set() : namesWhere(true),
      })
    : isStricter(known, constraint, constraints)
      ? known.otherwise
      : undefined;
  if (contribution === undefined) {
    return unsupported(`the rule ${nameOf(rule)} is a custom one with the name of one of class-validator's`);
  }
  return contribution.grade === 'refused'
    ? unsupported(`${nameOf(rule)}: ${contribution.message}`, contribution.mend)
    : { recorded: rule, constraint, contribution };
}

/** What is wrong with a property before its rules are looked at one by one. */
function outerProblems(facts: PropertyFacts, refused: readonly string[]): readonly PropertyProblem[] {
  const isConditional = (rule: RecordedRule) => structureOf(rule) === 'refused';
  return [
    ...(facts.transformed
      ? [
          unsupported(
            '@Transform, @Expose and @Exclude are not supported',
            'Validate the value as it arrives and convert it in the handler.',
          ),
        ]
      : []),
    ...facts.rules
      .filter(isConditional)
      .map((rule) => unsupported(`the condition or rule ${nameOf(rule)} has no JSON Schema`)),
    ...(refused.length > 0
      ? [
          {
            code: 'illegal_property' as const,
            message: `@JSONSchema holds ${refused.join(', ')}, which is not enforced`,
            mend: 'Keep title, description, examples and deprecated, and write rules with class-validator.',
          },
        ]
      : []),
  ];
}

/** Judges a property; an empty list when it cannot be part of the model, which has then been reported. */
export function judgeProperty(
  facts: PropertyFacts,
  defaults: Defaults,
  report: Report,
): readonly PropertyModel[] {
  const { name } = facts;
  if (typeof name !== 'string' || RESERVED_NAMES.has(name)) {
    const message = 'the name is a symbol or a member of Object.prototype';
    report('illegal_property', String(name), message, 'Rename it.');
    return [];
  }
  const structures = new Set(facts.rules.map(structureOf));
  const rules = facts.rules.filter((rule) => structureOf(rule) === 'rule');
  const nested = facts.rules.find((rule) => structureOf(rule) === 'nested');
  const judged = rules.map((rule) => judgeRule(rule, rules));
  const uses = judged.flatMap((one) => (isProblem(one) ? [] : one));
  const type = judgeType(facts.type, nested !== undefined);
  const { text, refused } = judgeText(facts.text);
  const sorted = {
    rules: uses.filter(({ recorded }) => !recorded.each),
    elementRules: uses.filter(({ recorded }) => recorded.each),
    list: nested?.each === true || rules.some((rule) => rule.each),
  };
  const problems = [
    ...outerProblems(facts, refused),
    ...judged.filter(isProblem),
    ...('problem' in type
      ? [{ code: 'unsupported_type' as const, ...type.problem }]
      : inconsistencies({ ...sorted, value: type.value, reflected: facts.type?.reflected })),
  ];
  for (const { code, message, mend } of problems) report(code, name, message, mend);
  if (problems.length > 0 || 'problem' in type) return [];
  const optional = structures.has('optional');
  const isFree = [...structures].every((structure) => structure === 'allow');
  return [
    {
      name,
      optional,
      required: !optional && !isFree && !defaults.initialised.has(name),
      ...sorted,
      value: type.value,
      text,
      default: defaults.shown.get(name),
    },
  ];
}
