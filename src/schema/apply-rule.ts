/**
 * Runs one rule of class-validator on one value.
 * Invariant: the constraint gets the arguments that class-validator itself would give it.
 */
import type { RuleUse } from './property-model';

/** The verdict of a rule: a boolean, or a promise of one where the constraint is asynchronous. It may throw. */
export function applyRule(use: RuleUse, value: unknown, holder: object, property: string): unknown {
  const { recorded, constraint } = use;
  const targetName = typeof recorded.target === 'function' ? recorded.target.name : recorded.target;
  const constraints: unknown[] = recorded.constraints ?? [];
  return constraint.validate(value, { value, constraints, targetName, object: holder, property });
}
