/**
 * Asks schema, contract and class-validator about one document, and says what their answers amount to.
 * Invariant: every difference is allowed by name or is a disagreement; nothing is passed over.
 */
import { plainToInstance } from 'class-transformer';
import { type ValidationError, validate } from 'class-validator';
import type { InputContract, JsonValue, ParseOutcome, Violation } from 'toolcrib';
import type { Dto } from '../fixtures/dto-with';
import { isWithinOpen, type Reading, readingOf, tokensOf } from './readings';
import type { DtoSpec } from './spec';

/** A rule that refused, and where. */
type Broken = Pick<Violation, 'path' | 'rule'>;

/** What class-validator alone says; a throw is its own failure. */
export interface ValidatorAnswer {
  readonly verdict: 'accepts' | 'refuses' | 'throws';
  readonly errors: readonly ValidationError[];
}

/** The three answers about one document. */
export interface Answers {
  readonly admitted: boolean;
  readonly outcome: ParseOutcome<unknown>;
  readonly validator: ValidatorAnswer;
}

/** A difference that is allowed. */
export type Allowed = Reading | 'validator_only';

/** What three answers amount to: the differences that are allowed, or a disagreement. */
export type Finding = { readonly allowed: ReadonlySet<Allowed> } | { readonly disagreement: string };

function brokenBy(errors: readonly ValidationError[], at = ''): readonly Broken[] {
  return errors.flatMap(({ property, constraints, children }) => {
    const key = String(property ?? '')
      .replaceAll('~', '~0')
      .replaceAll('/', '~1');
    const path = `${at}/${key}`;
    const own = Object.keys(constraints ?? {}).map((rule) => ({ path, rule }));
    return [...own, ...brokenBy(children ?? [], path)];
  });
}

/** Asks class-validator as a careful application would: hydrated, and with unknown properties forbidden. */
export async function askValidator(cls: Dto, document: object): Promise<ValidatorAnswer> {
  try {
    const options = { whitelist: true, forbidNonWhitelisted: true };
    const errors = await validate(plainToInstance(cls, document), options);
    return { verdict: errors.length === 0 ? 'accepts' : 'refuses', errors };
  } catch {
    return { verdict: 'throws', errors: [] };
  }
}

/** Tells a rule that the schema leaves to the validator, by its name and its property. */
export function leftToValidator({ validatorOnlyRules }: Pick<InputContract, 'validatorOnlyRules'>) {
  const left = new Set(
    validatorOnlyRules.map(({ schemaPath, rule }) => `${tokensOf(schemaPath).at(-1)} ${rule}`),
  );
  const isIndex = (token: string) => /^\d+$/.test(token);
  return ({ path, rule }: Broken): boolean => {
    const property = tokensOf(path).findLast((token) => !isIndex(token));
    return left.has(`${property} ${rule}`);
  };
}

function explained(spec: DtoSpec, document: JsonValue, violations: readonly Violation[]): Finding {
  const allowed = new Set<Allowed>();
  for (const violation of violations) {
    const reading = readingOf(spec, document, violation);
    if (reading === undefined) {
      const what = `class-validator accepts and the contract refuses: ${violation.path} ${violation.rule}`;
      return { disagreement: what };
    }
    allowed.add(reading);
  }
  return { allowed };
}

/** Judges the answers about one document. */
export function judge(
  spec: DtoSpec,
  document: JsonValue,
  { admitted, outcome, validator }: Answers,
  isLeft: (broken: Broken) => boolean,
): Finding {
  const isAccepted = validator.verdict === 'accepts';
  if (outcome.ok && !admitted) return { disagreement: 'the contract takes what its schema refuses' };
  if (outcome.ok) {
    if (isAccepted) return { allowed: new Set() };
    const broken = brokenBy(validator.errors);
    const isEmptyDto = broken.length > 0 && broken.every(({ rule }) => rule === 'unknownValue');
    if (isEmptyDto) return { allowed: new Set(['empty_dto']) };
    const rules = broken.map(({ path, rule }) => `${path} ${rule}`).join(', ');
    return { disagreement: `class-validator ${validator.verdict} and the contract takes: ${rules}` };
  }
  if (admitted) {
    const unexpected = [...outcome.violations, ...brokenBy(validator.errors)].find(
      (one) => !isLeft(one) && !isWithinOpen(spec, document, one.path),
    );
    if (unexpected !== undefined) {
      return { disagreement: `the schema admits what breaks ${unexpected.path} ${unexpected.rule}` };
    }
    if (!isAccepted) return { allowed: new Set(['validator_only', ...thrown(validator)]) };
  }
  return isAccepted ? explained(spec, document, outcome.violations) : { allowed: new Set(thrown(validator)) };
}

function thrown({ verdict }: ValidatorAnswer): readonly Allowed[] {
  return verdict === 'throws' ? ['throwing_rule'] : [];
}
