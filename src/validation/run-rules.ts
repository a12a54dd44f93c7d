/**
 * Runs, after the gate, the rules that the schema cannot express or admits too much for.
 * Invariant: class-validator's own constraint decides, found once per class; one that throws, and one whose
 * promise is rejected, has refused.
 */
import type { Class } from '../contract/class';
import { oncePer } from '../contract/once';
import { childPointer } from '../contract/pointer';
import type { Violation } from '../contract/schema';
import { memberOf } from '../metadata/members';
import { applyRule } from '../schema/apply-rule';
import { modelOf, reachableModels } from '../schema/model';
import { isOpen, type PropertyModel, type RuleUse } from '../schema/property-model';
import { classesOf, classFor } from '../schema/property-type';
import { wordsOf } from '../schema/words';
import { gateOfProperty } from './gate';

/** Tells whether a rule of a property runs after the gate. */
function runs({ contribution }: RuleUse, { transformed }: PropertyModel): boolean {
  return transformed || contribution.grade === 'validator_only';
}

function hasRules(property: PropertyModel): boolean {
  const uses = [...property.rules, ...property.elementRules];
  return isOpen(property) || uses.some((use) => runs(use, property));
}

/** Tells whether a class, or any that it reaches, has rules that run after the gate. */
export const hasRunningRules: (cls: Class) => boolean = oncePer((cls) =>
  reachableModels(cls).some(({ properties }) => properties.some(hasRules)),
);

/** The properties of a class that have something to run, they themselves or what they hold. */
const runningProperties: (cls: Class) => readonly PropertyModel[] = oncePer((cls) =>
  modelOf(cls).properties.filter(
    (property) => hasRules(property) || classesOf(property.value).some(hasRunningRules),
  ),
);

/** The value of a property: as it is in the instance, and as it arrived. */
interface Value {
  readonly value: unknown;
  readonly json: unknown;
}

function partsOf({ value, json }: Value): readonly Value[] {
  const arrived: readonly unknown[] = Array.isArray(json) ? json : [];
  return Array.isArray(value) ? value.map((one, index) => ({ value: one, json: arrived[index] })) : [];
}

/** The properties of a class that take null, which hydration leaves out. */
const nullableProperties: (cls: Class) => readonly PropertyModel[] = oncePer((cls) =>
  modelOf(cls).properties.filter(({ optional }) => optional),
);

/** An instance as conditions and rules may look at it: with the nulls that the caller wrote. */
function asWritten(cls: Class, instance: object, json: object): object {
  const nulls = nullableProperties(cls)
    .filter(({ key }) => memberOf(json, key) === null)
    .map(({ name }) => [name, null] as const);
  if (nulls.length === 0) return instance;
  return Object.assign(Object.create(Object.getPrototypeOf(instance)), instance, Object.fromEntries(nulls));
}

/** One run over an instance. Verdicts that are promises fill their places later. */
class Run {
  readonly found: (Violation | undefined)[] = [];
  readonly pending: Promise<void>[] = [];

  instance(cls: Class, instance: object, json: object, path: string): void {
    const holder = asWritten(cls, instance, json);
    for (const property of runningProperties(cls)) {
      const given = { value: memberOf(instance, property.name), json: memberOf(json, property.key) };
      this.property(property, holder, given, childPointer(path, property.key));
    }
  }

  private property(model: PropertyModel, holder: object, given: Value, path: string): void {
    const { value } = given;
    const isAbsent = value === undefined || value === null;
    if (isAbsent && model.optional) return;
    if (model.conditions.length > 0 && !this.holds(model, holder, value, path)) return;
    if (value === undefined && !model.transformed) {
      // The gate has seen to every other one.
      if (model.required && isOpen(model)) this.report(path, 'isDefined', `${model.key} should be defined`);
      return;
    }
    if (model.conditions.length > 0 && !model.transformed && !this.fits(model, given, path)) return;
    for (const use of model.rules) this.apply(use, model, { value, whole: value, holder }, path);
    this.elements(model, holder, given, path);
  }

  private elements(model: PropertyModel, holder: object, given: Value, path: string): void {
    const { value: whole } = given;
    if (!model.list) {
      this.nested(model, given, path);
      return;
    }
    if (!Array.isArray(whole)) {
      this.report(path, 'isArray', `${model.key} must be an array`);
      return;
    }
    for (const [index, part] of partsOf(given).entries()) {
      const at = childPointer(path, index);
      for (const use of model.elementRules) this.apply(use, model, { ...part, whole, holder }, at);
      this.nested(model, part, at);
    }
  }

  private nested(model: PropertyModel, { value, json }: Value, path: string): void {
    if (typeof value !== 'object' || value === null || typeof json !== 'object' || json === null) return;
    const cls = classFor(model.value, json);
    if (cls !== undefined) this.instance(cls, value, json, path);
  }

  /** Tells whether all conditions hold; one that throws has refused. */
  private holds(model: PropertyModel, holder: object, value: unknown, path: string): boolean {
    try {
      return model.conditions.map((condition) => condition(holder, value)).every(Boolean);
    } catch {
      this.report(path, 'conditionalValidation', `the condition of ${model.key} cannot be told`);
      return false;
    }
  }

  /** Holds the value of a conditional property to the schema that the gate could not apply. */
  private fits(model: PropertyModel, { json }: Value, path: string): boolean {
    const broken = json === undefined ? [] : gateOfProperty(model).check(json);
    for (const one of broken) this.report(path + one.path, one.rule, one.message);
    return broken.length === 0;
  }

  private apply(
    use: RuleUse,
    model: PropertyModel,
    { value, whole, holder }: { value: unknown; whole: unknown; holder: object },
    path: string,
  ): void {
    if (!runs(use, model)) return;
    const refuse = (): Violation => ({ path, rule: use.name, message: wordsOf(use, model.key, value) });
    let verdict: unknown;
    try {
      verdict = applyRule(use, { value, whole, holder, property: model.name });
    } catch {
      verdict = false;
    }
    if (verdict instanceof Promise) {
      const place = this.found.push(undefined) - 1;
      const settle = (isAccepted: unknown) => {
        if (!isAccepted) this.found[place] = refuse();
      };
      this.pending.push(verdict.then(settle, () => settle(false)));
    } else if (!verdict) {
      this.found.push(refuse());
    }
  }

  private report(path: string, rule: string, message: string): void {
    this.found.push({ path, rule, message });
  }
}

function violationsOf({ found }: Run): readonly Violation[] {
  return found.filter((one) => one !== undefined);
}

/**
 * Runs the rules of an instance and of what it holds; `json` is what it was made of, and `path` leads to it. A
 * promise only where a rule is asynchronous.
 */
export function runRules(
  cls: Class,
  instance: object,
  json: object,
  path = '',
): readonly Violation[] | Promise<readonly Violation[]> {
  const run = new Run();
  run.instance(cls, instance, json, path);
  return run.pending.length === 0
    ? violationsOf(run)
    : Promise.all(run.pending).then(() => violationsOf(run));
}
