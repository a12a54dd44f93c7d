/**
 * What a run must have seen to count as a proof.
 * Invariant: a run that checked too little fails as one that found a disagreement does.
 */
import { coveredDecorators, exportedDecorators, FORMS } from './forms/all';
import { type FormReport, type ShareReport, totalOf } from './report';
import { ORDERED_PAIRS } from './stacking';

const DECORATORS = 113;
const MEASURED_FORMS = 178;
const LEAST_EXACT = 100;
const MOST_REFUSED = 19;
const LEAST_STACKED = 670;
const LEAST_ACCEPTED = 0.25;

/** How many forms of a list have each grade. */
export function gradesOf(forms: readonly FormReport[]) {
  const count = (grade: FormReport['grade']) => forms.filter((form) => form.grade === grade).length;
  return {
    exact: count('exact'),
    validatorOnly: count('validator_only'),
    refused: count('refused'),
  };
}

/** The expectations that a run does not meet, in words. */
export function unmet(report: ShareReport, pairs: number): readonly string[] {
  const total = totalOf(report);
  const { exact, refused } = gradesOf(report.alone);
  const missing = exportedDecorators().filter((name) => !coveredDecorators().includes(name));
  const claims: readonly (readonly [boolean, string])[] = [
    [missing.length === 0, `no form for ${missing.join(', ')}`],
    [coveredDecorators().length === DECORATORS, `${coveredDecorators().length} of ${DECORATORS} decorators`],
    [FORMS.length === MEASURED_FORMS, `${FORMS.length} of ${MEASURED_FORMS} forms`],
    [exact >= LEAST_EXACT, `${exact} forms are exact, not ${LEAST_EXACT}`],
    [refused <= MOST_REFUSED, `${refused} forms are refused, more than ${MOST_REFUSED}`],
    [ORDERED_PAIRS.length >= LEAST_STACKED, `${ORDERED_PAIRS.length} ordered pairs of ${LEAST_STACKED}`],
    [total.pairs >= pairs, `${total.pairs} (DTO, value) pairs of ${pairs}`],
    [
      total.accepted >= total.pairs * LEAST_ACCEPTED,
      `class-validator accepts ${total.accepted} of ${total.pairs} values, less than a quarter`,
    ],
  ];
  return claims.filter(([isMet]) => !isMet).map(([, words]) => words);
}
