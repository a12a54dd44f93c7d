/**
 * Holds the initialisers of a DTO, and the defaults that its text names, to its own rules.
 * Invariant: what the schema lets a caller leave out, class-validator would accept too, and a `default` that is
 * shown is the one that applies.
 */
import { oncePer } from '../contract/once';
import type { DeclarationProblem } from '../errors/declaration-error';
import { memberOf } from '../metadata/members';
import { applyRule, letGo } from './apply-rule';
import { type ClassModel, modelOf } from './model';
import { isOpen, type PropertyModel, type RuleUse } from './property-model';
import { classesOf, classFor } from './property-type';

function accepts(use: RuleUse, value: unknown, whole: unknown, holder: object, property: string): boolean {
  try {
    const verdict = applyRule(use, { value, whole, holder, property });
    // A promise is truthy: what an asynchronous rule says of an initialiser is known with the first call.
    letGo(verdict);
    return Boolean(verdict);
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
  if (property.list && !Array.isArray(value)) return 'isArray';
  const elements: readonly unknown[] = Array.isArray(value) ? value : [];
  const applied = [
    ...property.rules.map((use) => ({ use, values: [value] })),
    ...property.elementRules.map((use) => ({ use, values: elements })),
  ];
  const broken = applied.find(({ use, values }) =>
    values.some((one) => !accepts(use, one, value, holder, property.name)),
  );
  if (broken !== undefined) return broken.use.name;
  if (classesOf(property.value).length === 0) return undefined;
  const instances = property.list ? elements : [value];
  return instances.map((one) => brokenRuleWithin(property, one, within)).find((rule) => rule !== undefined);
}

function brokenRuleWithin(
  { value: kind }: PropertyModel,
  instance: unknown,
  within: readonly object[],
): string | undefined {
  if (typeof instance !== 'object' || instance === null) return 'nestedValidation';
  const cls = classFor(kind, instance);
  if (cls === undefined || within.includes(instance) || !(instance instanceof cls)) return 'nestedValidation';
  const { properties } = modelOf(cls);
  const isDeclared = (key: string) => properties.some(({ name }) => name === key);
  if (!Object.keys(instance).every(isDeclared)) return 'whitelistValidation';
  for (const property of properties) {
    const value = memberOf(instance, property.name) ?? undefined;
    const rule =
      value === undefined || isOpen(property)
        ? undefined
        : brokenRule(property, value, instance, [...within, instance]);
    if (rule !== undefined) return rule;
    if (value === undefined && property.required) return 'isDefined';
  }
  return undefined;
}

/** What is wrong with the `default` in a property's text. */
function textProblem(property: PropertyModel, initial: unknown, holder: object): string | undefined {
  const { default: stated } = property.text;
  if (stated === undefined) return undefined;
  if (property.required) return 'a property that is required has no default';
  if (initial !== undefined) {
    const isSame = JSON.stringify(stated) === JSON.stringify(property.default);
    return isSame ? undefined : '@JSONSchema names a default that is not the initialiser';
  }
  if (property.value.kind !== 'json') return '@JSONSchema names a default that nothing applies';
  const rule = stated === null || isOpen(property) ? undefined : brokenRule(property, stated, holder);
  return rule === undefined ? undefined : `the default in @JSONSchema breaks the rule ${rule}`;
}

function findProblems(model: ClassModel): readonly DeclarationProblem[] {
  const instance: object = new model.cls();
  const problem = (member: string, message: string, mend: string): DeclarationProblem => ({
    code: 'illegal_property',
    place: { class: model.cls.name, member },
    message,
    mend,
  });
  return model.properties.flatMap((property) => {
    const value = memberOf(instance, property.name) ?? undefined;
    const isTold = value === undefined || property.conditions.length > 0;
    const rule = isTold ? undefined : brokenRule(property, value, instance);
    const text = textProblem(property, value, instance);
    return [
      ...(rule === undefined
        ? []
        : [
            problem(
              property.name,
              `the initialiser breaks the rule ${rule}`,
              'Initialise with a value that the rules accept, or write @IsOptional() without one.',
            ),
          ]),
      ...(text === undefined
        ? []
        : [problem(property.name, text, 'Initialise the property with it, or say it in the description.')]),
    ];
  });
}

/** Lists the defaults of a class that break a rule, once for each class. Its model must be free of problems. */
export const defaultProblems: (model: ClassModel) => readonly DeclarationProblem[] = oncePer(findProblems);
