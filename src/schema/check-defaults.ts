/**
 * Holds the initialisers of a DTO to its own rules.
 * Invariant: what the schema lets a caller leave out, class-validator would accept too.
 */
import { oncePer } from '../contract/once';
import type { DeclarationProblem } from '../errors/declaration-error';
import { memberOf } from '../metadata/members';
import { applyRule } from './apply-rule';
import { type ClassModel, modelOf } from './model';
import type { PropertyModel, RuleUse } from './property-model';

function accepts(use: RuleUse, value: unknown, holder: object, property: string): boolean {
  try {
    return applyRule(use, value, holder, property) !== false;
  } catch {
    return false;
  }
}

/** Names the first rule that a value of a property breaks. */
function brokenRule(
  property: PropertyModel,
  value: unknown,
  holder: object,
  within: readonly object[] = [holder],
): string | undefined {
  const elements: readonly unknown[] = property.list && Array.isArray(value) ? value : [];
  const applied = [
    ...property.rules.map((use) => ({ use, values: [value] })),
    ...property.elementRules.map((use) => ({ use, values: elements })),
  ];
  const broken = applied.find(({ use, values }) =>
    values.some((one) => !accepts(use, one, holder, property.name)),
  );
  if (broken !== undefined) return broken.use.recorded.name;
  const kind = property.value;
  if (kind.kind !== 'class') return undefined;
  const instances = property.list ? elements : [value];
  return instances
    .map((one) => brokenRuleWithin(modelOf(kind.cls), one, within))
    .find((rule) => rule !== undefined);
}

function brokenRuleWithin(
  model: ClassModel,
  instance: unknown,
  within: readonly object[],
): string | undefined {
  if (typeof instance !== 'object' || instance === null) return 'nestedValidation';
  if (within.includes(instance)) return 'nestedValidation';
  for (const property of model.properties) {
    const value = memberOf(instance, property.name) ?? undefined;
    const rule =
      value === undefined ? undefined : brokenRule(property, value, instance, [...within, instance]);
    if (rule !== undefined) return rule;
    if (value === undefined && property.required) return 'isDefined';
  }
  return undefined;
}

function findProblems(model: ClassModel): readonly DeclarationProblem[] {
  const instance: object = new model.cls();
  return model.properties.flatMap((property) => {
    const value = memberOf(instance, property.name) ?? undefined;
    const rule = value === undefined ? undefined : brokenRule(property, value, instance);
    if (rule === undefined) return [];
    return {
      code: 'illegal_property' as const,
      place: { class: model.cls.name, member: property.name },
      message: `the initialiser breaks the rule ${rule}`,
      mend: 'Initialise with a value that the rules accept, or write @IsOptional() without one.',
    };
  });
}

/** Lists the initialisers of a class that break a rule, once for each class. Its model must be free of problems. */
export const defaultProblems: (model: ClassModel) => readonly DeclarationProblem[] = oncePer(findProblems);
