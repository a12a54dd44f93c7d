/**
 * Judges one property of a DTO: sorts its rules, and reports every one that cannot be taken.
 * Invariant: a property is part of the model only when each of its rules contributes.
 */
import {
  IS_ARRAY,
  IS_DATE,
  IS_DEFINED,
  IS_NOT_EMPTY,
  IS_OPTIONAL,
  MAX_DATE,
  MIN_DATE,
} from 'class-validator';
import { RESERVED_NAMES } from '../contract/names';
import type { DeclarationProblemCode } from '../errors/declaration-error';
import { findConstraint, type PropertyFacts, type RecordedRule } from './class-facts';
import type { Defaults } from './defaults';
import type { PropertyModel, RuleUse } from './property-model';
import { judgeType } from './property-type';
import type { RuleSurroundings } from './rules/rule';
import { findRule, isOriginal } from './rules/table';
import { judgeText } from './text';

/** Takes one problem of the class that is being judged. */
export type Report = (
  code: DeclarationProblemCode,
  member: string | undefined,
  message: string,
  mend: string,
) => void;

const DATE_ONLY: readonly string[] = [IS_DATE, MIN_DATE, MAX_DATE];
const FIT_FOR_DATES: readonly string[] = [...DATE_ONLY, IS_DEFINED, IS_NOT_EMPTY];
const ASK_FOR_SUPPORT =
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

function useOf(rule: RecordedRule, surroundings: RuleSurroundings): RuleUse | string | [string, string] {
  const known = findRule(rule.name);
  const constraint = findConstraint(rule);
  if (known === undefined || constraint === undefined) return `the rule ${nameOf(rule)} is not known`;
  const constraints: readonly unknown[] = rule.constraints ?? [];
  const contribution = isOriginal(known, constraint, constraints)
    ? known.contribute(constraints, surroundings)
    : known.otherwise;
  if (contribution === undefined) {
    return `the rule ${nameOf(rule)} is a custom one with the name of one of class-validator's`;
  }
  return contribution.grade === 'refused'
    ? [`${nameOf(rule)}: ${contribution.message}`, contribution.mend]
    : { recorded: rule, constraint, contribution };
}

/** The types that rules at one level ask for; over one means that no value can pass them all. */
function typesOf(uses: readonly RuleUse[], base: string | undefined): readonly string[] {
  const types = uses.map(({ contribution }) => contribution.keywords.type);
  const texts = [base, ...types].filter((type) => typeof type === 'string');
  return [...new Set(texts.map((type) => (type === 'integer' ? 'number' : type)))];
}

/** Judges a property; an empty list when it cannot be part of the model, which has then been reported. */
export function judgeProperty(
  facts: PropertyFacts,
  defaults: Defaults,
  report: Report,
): readonly PropertyModel[] {
  const { name } = facts;
  let isSound = true;
  const refuse: Report = (...problem) => {
    isSound = false;
    report(...problem);
  };
  if (typeof name !== 'string' || RESERVED_NAMES.has(name)) {
    refuse(
      'illegal_property',
      String(name),
      'the name is a symbol or a member of Object.prototype',
      'Rename it.',
    );
    return [];
  }
  if (facts.transformed) {
    const mend = 'Validate the value as it arrives and convert it in the handler.';
    refuse('unsupported_rule', name, '@Transform, @Expose and @Exclude are not supported', mend);
  }
  const structures = facts.rules.map((rule) => ({ rule, is: structureOf(rule) }));
  for (const { rule } of structures.filter(({ is }) => is === 'refused')) {
    refuse(
      'unsupported_rule',
      name,
      `the condition or rule ${nameOf(rule)} has no JSON Schema`,
      ASK_FOR_SUPPORT,
    );
  }
  const rules = structures.filter(({ is }) => is === 'rule').map(({ rule }) => rule);
  const nested = structures.find(({ is }) => is === 'nested')?.rule;
  const namesOf = (each: boolean) => new Set(rules.filter((rule) => rule.each === each).map(nameOf));
  const [onValue, onElements] = [namesOf(false), namesOf(true)];
  const uses = rules.flatMap((rule) => {
    const use = useOf(rule, {
      siblings: rule.each ? onElements : onValue,
      elements: rule.each ? new Set() : onElements,
    });
    if (typeof use === 'string') refuse('unsupported_rule', name, use, ASK_FOR_SUPPORT);
    else if (Array.isArray(use)) refuse('unsupported_rule', name, use[0], use[1]);
    else return [use];
    return [];
  });
  const list = nested?.each === true || onElements.size > 0;
  const judged = judgeType(facts.type, nested !== undefined);
  if ('problem' in judged) {
    refuse('unsupported_type', name, judged.problem.message, judged.problem.mend);
    return [];
  }
  const { value } = judged;
  if (nested !== undefined && !list && (onValue.has(IS_ARRAY) || facts.type?.reflected === Array)) {
    const mend = 'Write @ValidateNested({ each: true }).';
    refuse('unsupported_type', name, 'a list of nested DTOs is checked as if it were one', mend);
  }
  const describing = list ? onElements : onValue;
  if (value.kind === 'date' && [...describing].some((one) => !FIT_FOR_DATES.includes(one))) {
    refuse(
      'unsupported_rule',
      name,
      'a rule for JSON values sits on a Date',
      'Keep @IsDate, @MinDate and @MaxDate.',
    );
  }
  if (value.kind !== 'date' && [...onValue, ...onElements].some((one) => DATE_ONLY.includes(one))) {
    refuse(
      'unsupported_type',
      name,
      'JSON carries no Date',
      'Add @Type(() => Date), which takes RFC 3339 text.',
    );
  }
  const whole = value.kind === 'class' ? 'object' : undefined;
  for (const types of [
    typesOf(
      uses.filter(({ recorded }) => !recorded.each),
      list ? 'array' : whole,
    ),
    typesOf(
      uses.filter(({ recorded }) => recorded.each),
      whole,
    ),
  ]) {
    if (types.length < 2) continue;
    const message = `its rules contradict each other: one takes ${types.join(', another ')}`;
    refuse(
      'unsupported_rule',
      name,
      message,
      'Keep the rules of one type; those on elements have { each: true }.',
    );
  }
  const { text, refused } = judgeText(facts.text);
  if (refused.length > 0) {
    const mend = 'Keep title, description, examples and deprecated, and write rules with class-validator.';
    refuse('illegal_property', name, `@JSONSchema holds ${refused.join(', ')}, which is not enforced`, mend);
  }
  const optional = structures.some(({ is }) => is === 'optional');
  const isFree = structures.every(({ is }) => is === 'allow');
  return isSound
    ? [
        {
          name,
          optional,
          required: !optional && !isFree && !defaults.initialised.has(name),
          list,
          rules: uses.filter(({ recorded }) => !recorded.each),
          elementRules: uses.filter(({ recorded }) => recorded.each),
          value,
          text,
          default: defaults.shown.get(name),
        },
      ]
    : [];
}
