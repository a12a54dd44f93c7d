/**
 * The check that a rule is the one whose name it carries.
 * Invariant: a rule that is not in the table, or only borrows a name from it, is refused and never dropped.
 */
import {
  ArrayContains,
  IsEmpty,
  IsInstance,
  IsIP,
  IsJSON,
  IsOptional,
  IsPhoneNumber,
  IsString,
  NotEquals,
  registerDecorator,
  Validate,
  ValidateBy,
  ValidateIf,
  ValidatePromise,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { inputContract } from 'toolcrib';
import { problemsOf } from '../../fixtures/declaration-problems';
import { dtoWith } from '../../fixtures/dto-with';

class Thing {}

@ValidatorConstraint({ name: 'even' })
class Even implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return typeof value === 'number' && value % 2 === 0;
  }
}

@ValidatorConstraint()
class Unnamed implements ValidatorConstraintInterface {
  validate(): boolean {
    return true;
  }
}

function custom(name: string, validate: (value: unknown) => boolean, constraints: unknown[] = []) {
  return ValidateBy({ name, constraints, validator: { validate } });
}

const REFUSED: readonly (readonly [string, PropertyDecorator])[] = [
  ['a rule of class-validator that is not in the table', IsIP()],
  ['IsJSON', IsJSON()],
  ['IsPhoneNumber', IsPhoneNumber('US')],
  ['IsEmpty', IsEmpty()],
  ['NotEquals', NotEquals('a')],
  ['ArrayContains', ArrayContains(['a'])],
  ['IsInstance', IsInstance(Thing)],
  ['ValidatePromise', ValidatePromise()],
  ['a condition', ValidateIf(() => true)],
  ['a condition in the options of a rule', IsString({ validateIf: () => true })],
  ['IsOptional on the elements', IsOptional({ each: true })],
  ['a named constraint class', Validate(Even)],
  ['an unnamed constraint class', Validate(Unnamed)],
  ['a custom rule', custom('even', (value) => value === 2)],
  ['a custom rule that is called isInt and takes text', custom('isInt', (value) => value === 'ok')],
  ['a custom rule that is called isString and takes anything', custom('isString', () => true)],
  ['a custom rule that is called isBoolean and takes nothing', custom('isBoolean', () => false)],
  [
    'a custom rule that is called isInt and takes odd integers only',
    custom('isInt', (value) => Number.isInteger(value) && Number(value) % 2 !== 0),
  ],
  [
    'a custom rule that is called minLength and counts from another bound',
    custom('minLength', (value) => typeof value === 'string' && value.length >= 3, [1]),
  ],
  [
    'a custom rule that throws',
    custom('isString', () => {
      throw new Error('broken');
    }),
  ],
];

describe('the table of rules', () => {
  it.each(REFUSED)('refuses %s', (_, decorator) => {
    expect(problemsOf(() => inputContract(dtoWith(decorator)))).toEqual([
      {
        code: 'unsupported_rule',
        place: { class: 'Made', member: 'v' },
        message: expect.any(String),
        mend: expect.any(String),
      },
    ]);
  });

  it('refuses a custom rule beside a known one', () => {
    const cls = dtoWith(
      IsString(),
      custom('even', () => true),
    );
    expect(problemsOf(() => inputContract(cls))).toMatchObject([{ code: 'unsupported_rule' }]);
  });

  it('refuses an asynchronous rule under a known name', () => {
    const cls = dtoWith();
    registerDecorator({
      name: 'isString',
      target: cls,
      propertyName: 'v',
      async: true,
      validator: { validate: async (value: unknown) => typeof value === 'string' },
    });
    expect(problemsOf(() => inputContract(cls))).toMatchObject([
      { code: 'unsupported_rule', place: { class: 'Made', member: 'v' } },
    ]);
  });

  it('does not take a custom rule for a known one, though no probe tells them apart', () => {
    const cls = dtoWith(custom('isString', (value) => typeof value === 'string' && !value.includes('--')));
    expect(problemsOf(() => inputContract(cls))).toMatchObject([{ code: 'unsupported_rule' }]);
  });
});
