/**
 * Reads what class-validator recorded, keyed by class.
 * Invariant: the cost of reading a class does not grow with other classes of the process.
 */
import { getMetadataStorage, type MetadataStorage, type ValidatorConstraintInterface } from 'class-validator';

/** One rule as class-validator recorded it. */
export type RecordedRule = ReturnType<MetadataStorage['getTargetValidationMetadatas']>[number];

/** Reads the rules of a class itself from class-validator's private map, which is keyed by class; its public reader scans all classes. */
export function recordedFor(cls: object): readonly RecordedRule[] {
  const storage: object = getMetadataStorage();
  const byClass: unknown = 'validationMetadatas' in storage ? storage.validationMetadatas : undefined;
  if (!(byClass instanceof Map)) {
    throw new TypeError('toolcrib does not know the metadata storage of this class-validator; install 0.15.');
  }
  return byClass.get(cls) ?? [];
}

/** What class-validator runs for a rule, and the name that its errors carry. */
export interface RecordedConstraint {
  readonly name: string;
  readonly instance: ValidatorConstraintInterface;
}

/**
 * Finds the constraint that class-validator runs for a rule; undefined where it would run none.
 *
 * @throws whatever the constraint's constructor, or the container of `useContainer`, throws.
 */
export function findConstraint(rule: RecordedRule): RecordedConstraint | undefined {
  if (rule.constraintCls === undefined) return undefined;
  const [found] = getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls);
  return found === undefined ? undefined : { name: found.name ?? rule.type, instance: found.instance };
}
