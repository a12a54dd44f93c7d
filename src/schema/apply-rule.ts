/**
 * Runs one rule of class-validator on one value.
 * Invariant: the constraint gets the arguments that class-validator itself would give it.
 */
import type { RuleUse } from './property-model';

/** Tells a verdict that comes later, as class-validator does. */
export function isPending(verdict: unknown): verdict is PromiseLike<unknown> {
  return (
    typeof verdict === 'object' && verdict !== null && 'then' in verdict && typeof verdict.then === 'function'
  );
}

/** Lets a verdict go that nobody waits for; one that is rejected later must not end the process. */
export function letGo(verdict: unknown): void {
  if (isPending(verdict)) Promise.resolve(verdict).catch(() => undefined);
}

/** What a rule is asked about. */
export interface Subject {
  /** The value, or one of its elements. */
  readonly value: unknown;
  /** The property's value as a whole. */
  readonly whole: unknown;
  /** The instance that has the property. */
  readonly holder: object;
  readonly property: string;
}

/**
 * The verdict of a rule: truthy when it accepts, or a promise of that where the constraint is asynchronous. A rule
 * whose `validateIf` answers falsy accepts. It may throw.
 */
export function applyRule({ recorded, constraint, contribution }: RuleUse, subject: Subject): unknown {
  const { value, whole, holder, property } = subject;
  if (recorded.validateIf !== undefined && !recorded.validateIf(holder, whole)) return true;
  if (contribution.grade === 'validator_only' && contribution.check !== undefined) {
    return contribution.check(value);
  }
  const targetName = holder.constructor.name;
  const constraints: unknown[] = recorded.constraints ?? [];
  return constraint.validate(value, { value: whole, constraints, targetName, object: holder, property });
}
