/**
 * The judged form of a DTO class: for each property what every rule contributes, and how it is hydrated.
 * Invariant: made once per class; whatever cannot be taken stands among its problems, and a class that
 * reaches a problem has no schema.
 */
import type { Class } from '../contract/class';
import { oncePer } from '../contract/once';
import type { JsonSchema } from '../contract/schema';
import type { DeclarationProblem, DeclarationProblemCode } from '../errors/declaration-error';
import { reasonOf } from '../errors/reason';
import { readClassText, readPropertyFacts } from './class-facts';
import { type Defaults, readDefaults } from './defaults';
import { judgeProperty } from './judge-property';
import type { PropertyModel } from './property-model';
import { classesOf } from './property-type';
import { secondCopyProblems } from './second-copy';
import { judgeText } from './text';
import { isExcluded, transformerStorage } from './transformer-storage';

/** One DTO class. */
export interface ClassModel {
  readonly cls: Class;
  readonly text: JsonSchema;
  readonly properties: readonly PropertyModel[];
  /** class-transformer makes the instances, since a property has a name or a value that it gives. */
  readonly transforms: boolean;
  /** The properties that class-transformer would write otherwise than they are. */
  readonly rewritten: readonly string[];
  readonly problems: readonly DeclarationProblem[];
}

const NO_DEFAULTS: Defaults = {
  keys: [],
  computed: new Set(),
  initialised: new Set(),
  shown: new Map(),
};

/** Tells a property that the class computes, so that what is set is not what class-validator looks at. */
function isAccessor(cls: Class, property: string): boolean {
  for (let at: object | null = cls.prototype; at !== null; at = Object.getPrototypeOf(at)) {
    if (at === Object.prototype) return false;
    const descriptor = Object.getOwnPropertyDescriptor(at, property);
    if (descriptor !== undefined) return !('value' in descriptor);
  }
  return false;
}

function makeModel(cls: Class): ClassModel {
  const facts = readPropertyFacts(cls);
  const copies = secondCopyProblems(cls, facts);
  // What is read of a class that another copy decorated says nothing of the class.
  if (copies.length > 0) {
    return Object.freeze({
      cls,
      text: {},
      properties: [],
      transforms: false,
      rewritten: [],
      problems: copies,
    });
  }
  const problems: DeclarationProblem[] = [];
  const report = (
    code: DeclarationProblemCode,
    member: string | undefined,
    message: string,
    mend: string,
  ) => {
    problems.push({
      code,
      place: { class: cls.name, ...(member === undefined ? {} : { member }) },
      message,
      mend,
    });
  };
  let defaults = NO_DEFAULTS;
  try {
    defaults = readDefaults(cls);
  } catch (error) {
    report(
      'illegal_dto',
      undefined,
      `a DTO is made without arguments, and this one cannot be: ${reasonOf(error)}`,
      'Take no arguments in the constructor and use initialisers for defaults.',
    );
  }
  const properties = facts.flatMap((fact) => judgeProperty(fact, defaults, report));
  for (const { name } of facts.filter(
    (fact) => isAccessor(cls, fact.name) || defaults.computed.has(fact.name),
  )) {
    report(
      'illegal_property',
      name,
      'a getter or setter stands in the place of the value, or it cannot be written',
      'Make it a field; convert in the handler, or with @Transform.',
    );
  }
  for (const key of defaults.keys.filter((one) => !facts.some((fact) => fact.name === one))) {
    report('property_without_rule', key, 'the property has no class-validator rule', 'Add one, or @Allow().');
  }
  const keys = properties.map(({ key }) => key);
  for (const { name } of properties.filter(({ key }, at) => keys.indexOf(key) < at)) {
    report(
      'illegal_property',
      name,
      'another property has the same key in JSON',
      'Expose it by another name.',
    );
  }
  if (transformerStorage !== undefined && isExcluded(transformerStorage, cls)) {
    report(
      'unsupported_rule',
      undefined,
      '@Exclude() on the class hides its properties',
      'Remove it, and declare in the DTO what the tool takes.',
    );
  }
  const { text, refused } = judgeText(readClassText(cls));
  // Nothing applies the default of a whole DTO.
  const idle = [...refused, ...('default' in text ? ['default'] : [])];
  if (idle.length > 0) {
    report(
      'illegal_property',
      undefined,
      `@JSONSchema holds ${idle.join(', ')}, which the validator would not enforce`,
      'Keep title, description, examples and deprecated, and write rules with class-validator.',
    );
  }
  return Object.freeze({
    cls,
    text,
    properties,
    transforms: properties.some(({ name, key, transformed }) => transformed || key !== name),
    rewritten: facts.filter((fact) => fact.rewritten).map(({ name }) => name),
    problems,
  });
}

/** The model of one class, made on first use. */
export const modelOf: (cls: Class) => ClassModel = oncePer(makeModel);

/** The models of a class and of all classes that it reaches, in the order of their first mention. */
export function reachableModels(root: Class): readonly ClassModel[] {
  const found = new Map<Class, ClassModel>();
  const visit = (cls: Class): void => {
    if (found.has(cls)) return;
    const model = modelOf(cls);
    found.set(cls, model);
    for (const { value } of model.properties) for (const one of classesOf(value)) visit(one);
  };
  visit(root);
  return [...found.values()];
}
