/**
 * The judged form of a DTO class: for each property what every rule contributes, and how it is hydrated.
 * Invariant: made once per class, and once more where class-transformer writes it otherwise than it reads it;
 * whatever cannot be taken stands among its problems, and a class that reaches a problem has no schema.
 */
import type { Class } from '../contract/class';
import { oncePer } from '../contract/once';
import { type JsonSchema, MCP_HEADER } from '../contract/schema';
import type { DeclarationProblem, DeclarationProblemCode } from '../errors/declaration-error';
import { reasonOf } from '../errors/reason';
import { type PropertyFacts, readClassText, readPropertyFacts } from './class-facts';
import { type Defaults, readDefaults } from './defaults';
import { judgeProperty } from './judge-property';
import type { PropertyModel, Way } from './property-model';
import { classesOf } from './property-type';
import { secondCopyProblems } from './second-copy';
import { judgeText } from './text';
import { isExcluded, transformerStorage } from './transformer-storage';
import { isHidden, rewrittenOf, type WrittenClass, writtenOf } from './written';

/** One DTO class. */
export interface ClassModel {
  readonly cls: Class;
  readonly text: JsonSchema;
  readonly properties: readonly PropertyModel[];
  /** class-transformer makes the instances, since a property has a name or a value that it gives. */
  readonly transforms: boolean;
  readonly way: Way;
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

/** The rules of a property that look at a Date, which is then what is written. */
const DATE_RULES: readonly unknown[] = ['isDate', 'minDate', 'maxDate'];

/** What was recorded for the properties that are written, told of what is written. */
function toWritten(facts: readonly PropertyFacts[], written: WrittenClass): readonly PropertyFacts[] {
  return facts.flatMap((fact) => {
    if (isHidden(written, fact.name)) return [];
    const { key, transforms = [] } = written.properties.get(fact.name) ?? {};
    const isNested = fact.rules.some(({ type }) => type === 'nestedValidation');
    const isDate = fact.rules.some(({ name }) => DATE_RULES.includes(name));
    // What @Transform or a method makes need not be of the type that the class declares.
    const isMethod = fact.designed === Function && written.exposed.includes(fact.name);
    const isTyped = isNested || (!isMethod && (isDate || transforms.length === 0));
    const made = isTyped ? {} : { type: undefined, designed: undefined };
    const { default: _default, ...text }: { readonly default?: unknown } = fact.text;
    const problems = fact.problemsOut;
    return [{ ...fact, ...made, key: key ?? fact.name, transformed: false, text, problems }];
  });
}

function makeModel(cls: Class, way: Way): ClassModel {
  const recorded = readPropertyFacts(cls);
  const written = way === 'out' ? writtenOf(cls) : undefined;
  const isShown = (name: string) => written === undefined || !isHidden(written, name);
  const isExposed = (name: string) => written?.exposed.includes(name) === true;
  const facts = written === undefined ? recorded : toWritten(recorded, written);
  const copies = secondCopyProblems(cls, recorded);
  // What is read of a class that another copy decorated says nothing of the class.
  if (copies.length > 0) {
    return Object.freeze({
      cls,
      text: {},
      properties: [],
      transforms: false,
      way,
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
  // What a default is as JSON is not what is written of it.
  const told = way === 'in' ? defaults : { ...defaults, shown: NO_DEFAULTS.shown };
  const properties = facts.flatMap((fact) => judgeProperty(fact, told, way, report));
  const isComputed = ({ name }: PropertyFacts) =>
    (isAccessor(cls, name) && !isExposed(name)) || defaults.computed.has(name);
  for (const { name } of facts.filter(isComputed)) {
    report(
      'illegal_property',
      name,
      'a getter or setter stands in the place of the value, or it cannot be written',
      'Make it a field; convert in the handler, or with @Transform. In an output, @Expose() a getter.',
    );
  }
  const named = new Set([...defaults.keys.filter(isShown), ...(written?.exposed ?? []).filter(isShown)]);
  for (const key of [...named].filter((one) => !facts.some((fact) => fact.name === one))) {
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
  if (way === 'in' && transformerStorage !== undefined && isExcluded(transformerStorage, cls)) {
    report(
      'unsupported_rule',
      undefined,
      '@Exclude() on the class hides its properties',
      'Remove it, and declare in the DTO what the tool takes.',
    );
  }
  const { text, refused } = judgeText(readClassText(cls));
  // Nothing applies the default of a whole DTO, and no header carries one.
  const idle = [...refused, ...['default', MCP_HEADER].filter((annotation) => annotation in text)];
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
    way,
    problems,
  });
}

/** The model of one class, made on first use. */
export const modelOf: (cls: Class) => ClassModel = oncePer((cls) => makeModel(cls, 'in'));

const writtenModelOf = oncePer((cls: Class) => makeModel(cls, 'out'));

/** The models of one way; those of the way out are what class-transformer writes. */
export function modelsOf(way: Way): (cls: Class) => ClassModel {
  return way === 'in' ? modelOf : writtenModelOf;
}

/** The models of a class and of all classes that it reaches, in the order of their first mention. */
export function reachableModels(root: Class, way: Way = 'in'): readonly ClassModel[] {
  const found = new Map<Class, ClassModel>();
  const visit = (cls: Class): void => {
    if (found.has(cls)) return;
    const model = modelsOf(way)(cls);
    found.set(cls, model);
    for (const { value } of model.properties) for (const one of classesOf(value)) visit(one);
  };
  visit(root);
  return [...found.values()];
}

/**
 * The way whose models describe an output: the way in, unless a class that it reaches is read otherwise than it is
 * written.
 */
export function wayOfOutput(root: Class): Way {
  if (rewrittenOf(root) !== undefined) return 'out';
  const isOneWay = ({ transforms, problems }: ClassModel) => transforms || problems.length > 0;
  return reachableModels(root).some(isOneWay) ? 'out' : 'in';
}
