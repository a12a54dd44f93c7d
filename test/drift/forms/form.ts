/**
 * What a decorator form is: one decorator of class-validator with its arguments.
 * Invariant: a form states samples, never a grade; the grade is what the package makes of it.
 */
import type { ValidationOptions } from 'class-validator';
import type { JsonValue } from 'toolcrib';
import type { Decorators } from '../../fixtures/dto-with';

/** What kind of property a form is written on, which is also the type that a compiler records for it. */
export type Kind = 'text' | 'number' | 'boolean' | 'any' | 'object' | 'array' | 'date';

/** One decorator with its arguments. */
export interface Form {
  /** As an author would write it; it starts with the decorator's name. */
  readonly name: string;
  readonly kind: Kind;
  readonly decorate: (options?: ValidationOptions) => Decorators;
  /** Values that class-validator accepts. */
  readonly accepted: readonly JsonValue[];
  /** Values at the edge of the rule, most of which it refuses. */
  readonly near: readonly JsonValue[];
}

type Decorate = (options?: ValidationOptions) => PropertyDecorator;

/** Makes the forms of one kind: a name, the decorator, values that pass and values that just do not. */
export function formsOf(
  kind: Kind,
  rows: readonly (readonly [
    name: string,
    decorate: Decorate,
    accepted?: readonly JsonValue[],
    near?: readonly JsonValue[],
  ])[],
): readonly Form[] {
  return rows.map(([name, decorate, accepted = [], near = []]) => ({
    name,
    kind,
    decorate: (options) => [decorate(options)],
    accepted,
    near,
  }));
}

/** The decorator of a form. */
export function decoratorOf({ name }: Form): string {
  return /^\w+/.exec(name)?.[0] ?? name;
}
