/**
 * All decorator forms that the proof covers.
 * Invariant: every property decorator that class-validator exports has a form.
 */
import * as library from 'class-validator';
import { CODE_FORMS } from './codes';
import { decoratorOf, type Form } from './form';
import { ARRAY_FORMS, DATE_FORMS, LATITUDE_TEXT, NUMBER_FORMS, TYPED_DATE_FORMS } from './numbers';
import { STRING_FORMS } from './strings';
import { VALUE_FORMS } from './values';

/** The forms that were measured before the work began, one decorator each. */
export const FORMS: readonly Form[] = [
  ...VALUE_FORMS,
  ...NUMBER_FORMS,
  ...LATITUDE_TEXT,
  ...DATE_FORMS,
  ...ARRAY_FORMS,
  ...STRING_FORMS,
  ...CODE_FORMS,
];

/** The forms that stand beside another decorator, which they need to accept anything. */
export const MORE_FORMS: readonly Form[] = TYPED_DATE_FORMS;

/** What class-validator exports with a capital letter that decorates no property. */
const NO_PROPERTY_DECORATORS: readonly string[] = [
  'ValidatorConstraint',
  'ValidationError',
  'ValidationTypes',
  'Validator',
  'MetadataStorage',
];

/** The property decorators of class-validator by its own exports. */
export function exportedDecorators(): readonly string[] {
  return Object.entries(library)
    .filter(([name, value]) => typeof value === 'function' && /^[A-Z]/.test(name))
    .map(([name]) => name)
    .filter((name) => !NO_PROPERTY_DECORATORS.includes(name))
    .sort();
}

/** The decorators that have a form. */
export function coveredDecorators(): readonly string[] {
  return [...new Set(FORMS.map(decoratorOf))].sort();
}

const BY_NAME = new Map([...FORMS, ...MORE_FORMS].map((form) => [form.name, form]));

/** The form of a name. */
export function formNamed(name: string): Form {
  const form = BY_NAME.get(name);
  if (form === undefined) throw new Error(`there is no form ${name}`);
  return form;
}
