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
import { applyRule, isPending } from '../schema/apply-rule';
import { modelsOf, reachableModels } from '../schema/model';
import { isOpen, type PropertyModel, type RuleUse, type Way } from '../schema/property-model';
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

// An exposed getter of an output may stand in the place of the value.
const WRITABLE = { writable: true, enumerable: true, configurable: true };

/** What runs after the gate, of the models of one way. */
function running(way: Way) {
  const hasAny = oncePer((cls: Class) =>
    reachableModels(cls, way).some(({ properties }) => properties.some(hasRules)),
  );
  const properties = oncePer((cls: Class) =>
    modelsOf(way)(cls).properties.filter(
      (property) => hasRules(property) || classesOf(property.value).some(hasAny),
    ),
  );
  return { hasAny, properties };
}

const RUNNING = { in: running('in'), out: running('out') };

/** Tells whether a class, or any that it reaches, has rules that run after the gate. */
export function hasRunningRules(cls: Class, way: Way = 'in'): boolean {
  return RUNNING[way].hasAny(cls);
}

/** The value of a property: as it is in the instance, and as it arrived. */
interface Value {
  readonly value: unknown;
  readonly json: unknown;
}

function partsOf({ value, json }: Value): readonly Value[] {
  const arrived: readonly unknown[] = Array.isArray(json) ? json : [];
  return Array.isArray(value) ? value.map((one, index) => ({ value: one, json: arrived[index] })) : [];
}

/** The DTO that a value is an instance of, beside what it was made of. */
function holderOf(
  model: PropertyModel,
  { value, json }: Value,
): { readonly cls: Class; readonly value: object; readonly json: object } | undefined {
  if (typeof value !== 'object' || value === null || typeof json !== 'object' || json === null)
    return undefined;
  const cls = classFor(model.value, json);
  return cls === undefined ? undefined : { cls, value, json };
}

/** One run over an instance. Verdicts that are promises fill their places later. */
class Run {
  constructor(private readonly way: Way) {}

  readonly found: (Violation | undefined)[] = [];
  readonly pending: Promise<void>[] = [];
  /** Puts back the initialisers that nulls have stood in for. */
  private readonly restorations: (() => void)[] = [];

  /** Shows conditions and rules the nulls that the caller wrote, which hydration has left out. */
  writeNulls(cls: Class, instance: object, json: object): void {
    for (const property of modelsOf(this.way)(cls).properties) {
      const [value, arrived] = [memberOf(instance, property.name), memberOf(json, property.key)];
      if (arrived === null && property.optional) {
        const write = (one: unknown) =>
          Object.defineProperty(instance, property.name, { ...WRITABLE, value: one });
        this.restorations.push(() => write(value));
        write(null);
      }
      if (classesOf(property.value).length === 0) continue;
      const given = { value, json: arrived };
      for (const part of property.list ? partsOf(given) : [given]) {
        const held = holderOf(property, part);
        if (held !== undefined) this.writeNulls(held.cls, held.value, held.json);
      }
    }
  }

  instance(cls: Class, instance: object, json: object, path: string): void {
    for (const property of RUNNING[this.way].properties(cls)) {
      const given = { value: memberOf(instance, property.name), json: memberOf(json, property.key) };
      this.property(property, instance, given, childPointer(path, property.key));
    }
  }

  /** What was found, with the instance as its handler gets it. */
  conclude(): readonly Violation[] {
    for (const restore of this.restorations) restore();
    return this.found.filter((one) => one !== undefined);
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
    for (const use of model.rules) this.apply(use, model, { ...given, whole: value, holder }, path);
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

  private nested(model: PropertyModel, given: Value, path: string): void {
    const held = holderOf(model, given);
    if (held !== undefined) this.instance(held.cls, held.value, held.json, path);
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
    { value, whole, holder, json }: Value & { readonly whole: unknown; readonly holder: object },
    path: string,
  ): void {
    // The gate has not seen what an initialiser left in a conditional property.
    const isUnseen = json === undefined && model.conditions.length > 0;
    if (!isUnseen && !runs(use, model)) return;
    const refuse = (): Violation => ({ path, rule: use.name, message: wordsOf(use, model.key, value) });
    let verdict: unknown;
    try {
      verdict = applyRule(use, { value, whole, holder, property: model.name });
    } catch {
      verdict = false;
    }
    if (isPending(verdict)) {
      const place = this.found.push(undefined) - 1;
      const settle = (isAccepted: unknown) => {
        if (!isAccepted) this.found[place] = refuse();
      };
      this.pending.push(Promise.resolve(verdict).then(settle, () => settle(false)));
    } else if (!verdict) {
      this.found.push(refuse());
    }
  }

  private report(path: string, rule: string, message: string): void {
    this.found.push({ path, rule, message });
  }
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
  way: Way = 'in',
): readonly Violation[] | Promise<readonly Violation[]> {
  const run = new Run(way);
  run.writeNulls(cls, instance, json);
  run.instance(cls, instance, json, path);
  return run.pending.length === 0 ? run.conclude() : Promise.all(run.pending).then(() => run.conclude());
}
