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
  readonly constraint: ValidatorConstraintInterface;
  readonly contribution: Exclude<Contribution, { grade: 'refused' }>;
}

/** One property of a DTO. */
export interface PropertyModel {
  readonly name: string;
  readonly required: boolean;
  /** Under `@IsOptional()`: null is taken, and means absent. */
  readonly optional: boolean;
  /** The value is an array, whose elements `elementRules` and `value` describe. */
  readonly list: boolean;
  readonly rules: readonly RuleUse[];
  readonly elementRules: readonly RuleUse[];
  readonly value: ValueKind;
  readonly text: JsonSchema;
  readonly default: JsonValue | undefined;
}
