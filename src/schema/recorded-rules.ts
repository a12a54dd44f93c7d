/**
 * Reads what class-validator recorded, keyed by class.
 * Invariant: the cost of reading a class does not grow with other classes of the process.
 */
import {
  getMetadataStorage,
  type MetadataStorage,
  registerDecorator,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { isClass } from '../contract/class';

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

function isConstraint(value: object): value is ValidatorConstraintInterface {
  return 'validate' in value && typeof value.validate === 'function';
}

let wrapper: string | undefined;

/** The text of the class in which `registerDecorator` wraps a rule that is given as functions. */
function wrapperText(): string {
  if (wrapper !== undefined) return wrapper;
  class Sample {}
  registerDecorator({
    target: Sample,
    propertyName: 'sample',
    options: {},
    constraints: [],
    validator: { validate: () => true },
  });
  wrapper = String(recordedFor(Sample)[0]?.constraintCls);
  return wrapper;
}

/** Makes the constraint of a wrapped rule, which needs nothing from a container. The one that class-validator has by default looks through all constraints that it made. */
function unwrap(constraintCls: unknown): ValidatorConstraintInterface | undefined {
  if (!isClass(constraintCls) || String(constraintCls) !== wrapperText()) return undefined;
  const made = new constraintCls();
  return isConstraint(made) ? made : undefined;
}

/**
 * Finds the constraint that class-validator runs for a rule; undefined where it would run none.
 *
 * @throws whatever the constraint's constructor, or the container of `useContainer`, throws.
 */
export function findConstraint(rule: RecordedRule): RecordedConstraint | undefined {
  if (rule.constraintCls === undefined) return undefined;
  const [found] = getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls);
  if (found === undefined) return undefined;
  return { name: found.name ?? rule.type, instance: unwrap(rule.constraintCls) ?? found.instance };
}
