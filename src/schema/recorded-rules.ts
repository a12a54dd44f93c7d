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

/** Finds the constraint that class-validator runs for a rule. */
export function findConstraint(rule: RecordedRule): ValidatorConstraintInterface | undefined {
  if (rule.constraintCls === undefined) return undefined;
  return getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls)[0]?.instance;
}
