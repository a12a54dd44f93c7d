/**
 * Reads what class-validator, class-transformer and class-validator-jsonschema recorded for one class.
 * Invariant: the rules of a class are exactly those that class-validator would run on its instances, found by
 * walking the class's own prototype chain, so the cost does not grow with other classes of the process.
 */
import { defaultMetadataStorage } from 'class-transformer/cjs/storage';
import { getMetadataStorage, type MetadataStorage, type ValidatorConstraintInterface } from 'class-validator';
import { getMetadataSchema } from 'class-validator-jsonschema/build/decorators';
import type { Class } from '../contract/class';

/** One rule as class-validator recorded it. */
export type RecordedRule = ReturnType<MetadataStorage['getTargetValidationMetadatas']>[number];

/** What was recorded for one property. */
export interface PropertyFacts {
  readonly name: string;
  readonly rules: readonly RecordedRule[];
  /** What `@Type` names; undefined without `@Type`. */
  readonly type:
    | { readonly named: unknown; readonly reflected: unknown; readonly options: object }
    | undefined;
  /** True when `@Transform`, `@Expose` or `@Exclude` sit on the property. */
  readonly transformed: boolean;
  /** What `@JSONSchema` was given. */
  readonly text: object;
}

/** Reads class-validator's private map, which is keyed by class; its public reader scans all classes. */
function recordedFor(cls: object): readonly RecordedRule[] {
  const storage: object = getMetadataStorage();
  const byClass: unknown = 'validationMetadatas' in storage ? storage.validationMetadatas : undefined;
  if (!(byClass instanceof Map)) {
    throw new TypeError(
      'toolcrib does not know the metadata storage of this class-validator; install 0.14 or 0.15.',
    );
  }
  return byClass.get(cls) ?? [];
}

/** The class and its ancestors, from the base down. */
function lineage(cls: Class): readonly object[] {
  const chain: object[] = [];
  for (
    let at: object | null = cls;
    at !== null && at !== Function.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    chain.unshift(at);
  }
  return chain;
}

/** What a function given to `@Type` names; undefined where it throws, as it does before its module has loaded. */
function namedBy(type: () => unknown): unknown {
  try {
    return type();
  } catch {
    return undefined;
  }
}

function readType(cls: Class, property: string): PropertyFacts['type'] {
  const found = defaultMetadataStorage.findTypeMetadata(cls, property);
  if (found === undefined) return undefined;
  return {
    named: namedBy(() => found.typeFunction?.({ newObject: {}, object: {}, property })),
    reflected: found.reflectedType,
    options: found.options ?? {},
  };
}

function isTransformed(cls: Class, property: string): boolean {
  return (
    defaultMetadataStorage.findExposeMetadata(cls, property) !== undefined ||
    defaultMetadataStorage.findExcludeMetadata(cls, property) !== undefined ||
    [0, 1, 2].some((kind) => defaultMetadataStorage.findTransformMetadatas(cls, property, kind).length > 0)
  );
}

/** Reads the facts of all properties, ancestors' first, in the order of their declaration. */
export function readPropertyFacts(cls: Class): readonly PropertyFacts[] {
  const own = recordedFor(cls);
  // class-validator drops an inherited rule where the class itself has one of the same type on that property.
  const isRedeclared = (inherited: RecordedRule) =>
    own.some((rule) => rule.propertyName === inherited.propertyName && rule.type === inherited.type);
  const ancestors = lineage(cls).slice(0, -1);
  const inherited = ancestors
    .flatMap((ancestor) => recordedFor(ancestor))
    .filter((rule) => !isRedeclared(rule));
  const byProperty = new Map<string, RecordedRule[]>();
  for (const rule of [...inherited, ...own]) {
    const rules = byProperty.get(rule.propertyName) ?? [];
    rules.push(rule);
    byProperty.set(rule.propertyName, rules);
  }
  return [...byProperty].map(([name, rules]) => ({
    name,
    rules,
    type: readType(cls, name),
    transformed: isTransformed(cls, name),
    text: getMetadataSchema(cls.prototype, name),
  }));
}

/** Reads what `@JSONSchema` on the class itself was given. */
export function readClassText(cls: Class): object {
  return getMetadataSchema(cls.prototype, cls.name);
}

/** Finds the constraint that class-validator runs for a rule. */
export function findConstraint(rule: RecordedRule): ValidatorConstraintInterface | undefined {
  if (rule.constraintCls === undefined) return undefined;
  return getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls)[0]?.instance;
}
