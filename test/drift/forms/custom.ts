/**
 * The forms of rules that an author writes: named, unnamed and asynchronous.
 * Invariant: a rule judges the value alone, so that two runs of it agree.
 */
import {
  Validate,
  ValidateBy,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { formsOf } from './form';

function isEven(value: unknown): boolean {
  return typeof value === 'string' && value.length % 2 === 0;
}

@ValidatorConstraint({ name: 'evenLength' })
class Named implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return isEven(value);
  }

  defaultMessage(): string {
    return '$property must have an even length';
  }
}

@ValidatorConstraint()
class Unnamed implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return isEven(value);
  }
}

@ValidatorConstraint({ name: 'evenLengthLater', async: true })
class Async implements ValidatorConstraintInterface {
  async validate(value: unknown): Promise<boolean> {
    return isEven(value);
  }
}

const EVEN = ['', 'ab', 'abcd', 'xy', '💩'];
const ODD = ['a', 'abc', ' '];

/** The custom forms. */
export const CUSTOM_FORMS = formsOf('text', [
  ['Validate(Named)', (o) => Validate(Named, o), EVEN, ODD],
  ['Validate(Unnamed)', (o) => Validate(Unnamed, o), EVEN, ODD],
  ['Validate(Async)', (o) => Validate(Async, o), EVEN, ODD],
  [
    'ValidateBy',
    (o) => ValidateBy({ name: 'evenText', validator: { validate: (value) => isEven(value) } }, o),
    EVEN,
    ODD,
  ],
]);
