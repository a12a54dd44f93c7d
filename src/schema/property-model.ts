/**
 * The shape of one judged property of a DTO.
 * Invariant: every rule in it contributes to the schema; none is refused or left out.
 */
import type { ValidatorConstraintInterface } from 'class-validator';
import type { JsonSchema } from '../contract/schema';
import type { JsonValue } from '../errors/body';
import type { ValueKind } from './property-type';
import type { RecordedRule } from './recorded-rules';
import type { Contribution } from './rules/rule';

/** One rule in use: what was recorded, what class-validator would run, and what it contributes. */
export interface RuleUse {
  readonly recorded: RecordedRule;
  /** The name that class-validator's errors give it. */
  readonly name: string;
  readonly constraint: ValidatorConstraintInterface;
  readonly contribution: Exclude<Contribution, { grade: 'refused' }>;
}

/** What `@ValidateIf` was given: while it answers falsy, class-validator looks at nothing of the property. */
export type Condition = (holder: object, value: unknown) => unknown;

/** Whether a DTO describes what arrives, or what class-transformer writes of it. */
export type Way = 'in' | 'out';

/** One property of a DTO. */
export interface PropertyModel {
  readonly name: string;
  /** That of the model that it is part of. */
  readonly way: Way;
  /** The key in JSON: the name, or the one that `@Expose` gives. */
  readonly key: string;
  readonly required: boolean;
  /** Under `@IsOptional()`: null is taken, and means absent. */
  readonly optional: boolean;
  /** The value is an array, whose elements `elementRules` and `value` describe. */
  readonly list: boolean;
  readonly rules: readonly RuleUse[];
  readonly elementRules: readonly RuleUse[];
  readonly conditions: readonly Condition[];
  /** `@Transform` makes the value; what arrives is any JSON, and the rules are about what it is made into. */
  readonly transformed: boolean;
  readonly value: ValueKind;
  readonly text: JsonSchema;
  readonly default: JsonValue | undefined;
}

/** Tells a property whose schema takes any JSON value, since its rules look at something else, or not always. */
export function isOpen({ conditions, transformed }: PropertyModel): boolean {
  return transformed || conditions.length > 0;
}
