/**
 * The check that a rule is the one whose name it carries, and that no decorator of class-validator is missing.
 * Invariant: a rule that only borrows a name from the table is a custom one, and shows in words alone.
 */
import * as classValidator from 'class-validator';
import {
  IsInstance,
  IsString,
  registerDecorator,
  Validate,
  ValidateBy,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { inputContract } from 'toolcrib';
import { problemsOf } from '../../fixtures/declaration-problems';
import { dtoWith } from '../../fixtures/dto-with';
import { propertyNode } from '../../fixtures/strict-schema';
import { PATTERN_FORMS, TEXT_FORMS, VALUE_FORMS } from './forms';

class Thing {}

@ValidatorConstraint({ name: 'isInt' })
class Even implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return typeof value === 'number' && value % 2 === 0;
  }
}

/** A rule of a name of the table, which may say what the original says. */
function custom(
  name: string,
  validate: (value: unknown) => boolean,
  constraints: unknown[] = [],
  defaultMessage?: () => string,
) {
  return ValidateBy({
    name,
    constraints,
    validator: defaultMessage === undefined ? { validate } : { validate, defaultMessage },
  });
}

const BORROWED: readonly (readonly [string, PropertyDecorator])[] = [
  ['isInt and takes text', custom('isInt', (value) => value === 'ok')],
  ['isString and takes anything', custom('isString', () => true)],
  ['isBoolean and takes nothing', custom('isBoolean', () => false)],
  [
    'isInt and takes odd integers',
    custom('isInt', (value) => Number.isInteger(value) && Number(value) % 2 !== 0),
  ],
  [
    'minLength and counts from another bound',
    custom('minLength', (value) => typeof value === 'string' && value.length >= 3, [1]),
  ],
  [
    'isString and throws',
    custom('isString', () => {
      throw new Error('broken');
    }),
  ],
  ['isString and has no words', custom('isString', (value) => typeof value === 'string')],
  ['isInt, as a class', Validate(Even)],
  [
    'isUuid, in the words of the original, and takes no version 4',
    custom(
      'isUuid',
      (value) => classValidator.isUUID(value) && !classValidator.isUUID(value, '4'),
      [],
      () => '$property must be a UUID',
    ),
  ],
  [
    'isIBAN, in the words of the original, and takes a number',
    custom(
      'isIBAN',
      (value) => value === 7,
      [],
      () => '$property must be an IBAN',
    ),
  ],
  [
    'arrayUnique, in the words of the original, and takes a text',
    custom(
      'arrayUnique',
      (value) => value === 'ok' || classValidator.isArray(value),
      [],
      () => "All $property's elements must be unique",
    ),
  ],
];

/** What says when rules run, or runs rules of its own, has no row; IsDate needs a Date to look at. */
const ELSEWHERE: readonly string[] = [
  'Allow',
  'IsDate',
  'IsOptional',
  'Validate',
  'ValidateBy',
  'ValidateIf',
  'ValidateNested',
  'ValidatePromise',
];

describe('the table of rules', () => {
  it.each(BORROWED)('does not show a custom rule that is called %s', (_, decorator) => {
    const { schema, validatorOnlyRules } = inputContract(dtoWith(decorator));
    expect(propertyNode(schema, 'v')).not.toHaveProperty('type');
    expect(validatorOnlyRules).toHaveLength(1);
  });

  it('does not show an asynchronous rule under a known name', () => {
    const cls = dtoWith();
    registerDecorator({
      name: 'isString',
      target: cls,
      propertyName: 'v',
      async: true,
      validator: { validate: async (value: unknown) => typeof value === 'string' },
    });
    expect(propertyNode(inputContract(cls).schema, 'v')).not.toHaveProperty('type');
  });

  it('shows the original beside a custom rule', () => {
    const cls = dtoWith(
      IsString(),
      custom('even', () => true),
    );
    expect(propertyNode(inputContract(cls).schema, 'v').type).toBe('string');
  });

  it('refuses what no JSON could pass', () => {
    expect(problemsOf(() => inputContract(dtoWith(IsInstance(Thing))))).toMatchObject([
      { code: 'unsupported_rule', place: { class: 'Made', member: 'v' } },
    ]);
  });

  it('knows every decorator of properties that class-validator exports', () => {
    const decorators = Object.entries(classValidator)
      .filter(([name, value]) => /^[A-Z].*[a-z]/.test(name) && typeof value === 'function')
      .filter(([name, value]) => !String(value).startsWith('class ') && name !== 'ValidatorConstraint')
      .map(([name]) => name);
    const formed = new Set(
      [...VALUE_FORMS, ...TEXT_FORMS, ...PATTERN_FORMS].map(([form]) => form.split('(')[0] ?? ''),
    );
    expect(decorators).toHaveLength(113);
    expect(decorators.filter((name) => !formed.has(name) && !ELSEWHERE.includes(name))).toEqual([]);
  });
});
