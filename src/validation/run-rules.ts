/**
 * Runs, after the gate, the rules that the schema cannot express or admits too much for.
 * Invariant: class-validator's own constraint decides, found once per class; one that throws has refused.
 */
import type { Class } from '../contract/class';
import { oncePer } from '../contract/once';
import { childPointer } from '../contract/pointer';
import type { Violation } from '../contract/schema';
import { memberOf } from '../metadata/members';
import { applyRule } from '../schema/apply-rule';
import { modelOf, reachableModels } from '../schema/model';
import type { PropertyModel, RuleUse } from '../schema/property-model';
import { wordsOf } from '../schema/words';

/** Tells whether a rule runs after the gate. */
function runs({ contribution }: RuleUse): boolean {
  return contribution.grade === 'validator_only' || contribution.confirmed === true;
}

/** Tells whether a class, or any that it reaches, has rules that run after the gate. */
export const hasRunningRules: (cls: Class) => boolean = oncePer((cls) =>
  reachableModels(cls).some(({ properties }) =>
    properties.some(({ rules, elementRules }) => [...rules, ...elementRules].some(runs)),
  ),
);

async function accepts(use: RuleUse, value: unknown, holder: object, property: string): Promise<boolean> {
  try {
    return (await applyRule(use, value, holder, property)) === true;
  } catch {
    return false;
  }
}

async function runProperty(
  model: PropertyModel,
  holder: object,
  value: unknown,
  path: string,
): Promise<Violation[]> {
  const violations: Violation[] = [];
  const apply = async (uses: readonly RuleUse[], one: unknown, at: string): Promise<void> => {
    for (const use of uses.filter(runs)) {
      if (await accepts(use, one, holder, model.name)) continue;
      violations.push({ path: at, rule: use.recorded.name ?? '', message: wordsOf(use, model.name, one) });
    }
  };
  await apply(model.rules, value, path);
  const elements: readonly (readonly [unknown, string])[] =
    model.list && Array.isArray(value)
      ? value.map((element, index) => [element, childPointer(path, index)] as const)
      : [[value, path]];
  for (const [element, at] of elements) {
    if (model.list) await apply(model.elementRules, element, at);
    if (model.value.kind === 'class' && typeof element === 'object' && element !== null) {
      violations.push(...(await runRules(model.value.cls, element, at)));
    }
  }
  return violations;
}

/** Runs the rules of a hydrated instance and of what it holds. */
export async function runRules(cls: Class, instance: object, path = ''): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const property of modelOf(cls).properties) {
    const value = memberOf(instance, property.name);
    if (value === undefined || (value === null && property.optional)) continue;
    violations.push(...(await runProperty(property, instance, value, childPointer(path, property.name))));
  }
  return violations;
}
