/**
 * Finds what is wrong with the rules of one property when they are taken together.
 * Invariant: rules that no value could pass, or that would check a hydrated value as if it were JSON, are
 * problems, not schemas.
 */
import { IS_ARRAY, IS_DATE, IS_DEFINED, IS_NOT_EMPTY, MAX_DATE, MIN_DATE } from 'class-validator';
import type { DeclarationProblemCode } from '../errors/declaration-error';
import type { RuleUse } from './property-model';
import { classesOf, type ValueKind } from './property-type';

const DATE_ONLY: readonly string[] = [IS_DATE, MIN_DATE, MAX_DATE];
const FIT_FOR_DATES: readonly string[] = [...DATE_ONLY, IS_DEFINED, IS_NOT_EMPTY];

/** What is known of a property once its rules have been judged one by one. */
export interface SortedRules {
  readonly rules: readonly RuleUse[];
  readonly elementRules: readonly RuleUse[];
  readonly value: ValueKind;
  readonly list: boolean;
  /** The type that the compiler emitted, where `@Type` recorded it. */
  readonly reflected: unknown;
}

/** One thing that is wrong with a property, and its mend. */
export interface PropertyProblem {
  readonly code: DeclarationProblemCode;
  readonly message: string;
  readonly mend: string;
}

function namesOf(uses: readonly RuleUse[]): readonly string[] {
  return uses.map(({ name }) => name);
}

/** The types that rules at one level ask for, integers counted as numbers; a choice only where none of it is asked for. */
function typesOf(uses: readonly RuleUse[], base: string | undefined): readonly string[] {
  const types = uses.map(({ contribution }) => contribution.keywords.type);
  const texts = [base, ...types].filter((type) => typeof type === 'string');
  const single = [...new Set(texts.map((type) => (type === 'integer' ? 'number' : type)))];
  const choices = types
    .filter(Array.isArray)
    .filter((choice) => !single.some((type) => choice.includes(type)));
  return single.length === 0 ? [] : [...single, ...choices.map((choice) => choice.join(' or '))];
}

function contradiction(types: readonly string[]): readonly PropertyProblem[] {
  if (types.length < 2) return [];
  return [
    {
      code: 'unsupported_rule',
      message: `its rules contradict each other: one takes ${types.join(', another ')}`,
      mend: 'Keep the rules of one type; those on elements have { each: true }.',
    },
  ];
}

function dateProblems({ rules, elementRules, value, list }: SortedRules): readonly PropertyProblem[] {
  if (value.kind === 'date') {
    // A custom rule is asked about the Date itself.
    const isFit = (list ? elementRules : rules).every(
      ({ name, contribution }) =>
        FIT_FOR_DATES.includes(name) || Object.keys(contribution.keywords).length === 0,
    );
    const mend = 'Keep @IsDate, @MinDate and @MaxDate.';
    return isFit
      ? []
      : [{ code: 'unsupported_rule', message: 'a rule for JSON values sits on a Date', mend }];
  }
  const isAboutDates = namesOf([...rules, ...elementRules]).some((name) => DATE_ONLY.includes(name));
  const mend = 'Add @Type(() => Date), which takes RFC 3339 text.';
  return isAboutDates ? [{ code: 'unsupported_type', message: 'JSON carries no Date', mend }] : [];
}

const BOUNDS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
] as const;

/** Finds a lowest bound that lies above a highest one. */
function emptyRange(uses: readonly RuleUse[]): readonly PropertyProblem[] {
  const values = (keyword: string) =>
    uses
      .flatMap(({ contribution: { keywords } }) => {
        // A highest length stands beside the pattern that counts as validator.js does.
        const branches = Array.isArray(keywords.anyOf) ? keywords.anyOf : [];
        return [keywords, ...branches].map((node) => new Map(Object.entries(node ?? {})).get(keyword));
      })
      .filter((value) => typeof value === 'number');
  return BOUNDS.flatMap(([lowest, highest]) => {
    const [low, high] = [Math.max(...values(lowest)), Math.min(...values(highest))];
    if (!(low > high)) return [];
    const message = `no value is at least ${low} and at most ${high}`;
    return [{ code: 'unsupported_rule', message, mend: 'Correct the bounds.' }];
  });
}

/** Lists what is wrong with the rules of a property taken together. */
export function inconsistencies(sorted: SortedRules): readonly PropertyProblem[] {
  const { rules, elementRules, value, list, reflected } = sorted;
  const isPlainJson = value.kind === 'json' && value.type === undefined;
  const isListOfOne = !isPlainJson && !list && (namesOf(rules).includes(IS_ARRAY) || reflected === Array);
  if (isListOfOne) {
    const message = 'a list is checked as if it were one of its elements';
    const nested = value.kind === 'date' ? '@IsDate({ each: true })' : '@ValidateNested({ each: true })';
    const mend = value.kind === 'json' ? `the rule of a ${value.type} with { each: true }` : nested;
    return [{ code: 'unsupported_type', message, mend: `Write ${mend}.` }];
  }
  const named = value.kind === 'json' ? value.type : undefined;
  const whole = classesOf(value).length > 0 ? 'object' : named;
  return [
    ...dateProblems(sorted),
    ...contradiction(typesOf(rules, list ? 'array' : whole)),
    ...contradiction(typesOf(elementRules, list ? whole : undefined)),
    ...emptyRange(rules),
    ...emptyRange(elementRules),
  ];
}
