/**
 * Holds the discriminated unions of a DTO to the DTOs that they name.
 * Invariant: each variant declares the tag, and takes its own name there, so that schema, hydration and rules
 * agree on which DTO a value is.
 */
import { oncePer } from '../contract/once';
import type { DeclarationProblem } from '../errors/declaration-error';
import { applyRule, letGo } from './apply-rule';
import { type ClassModel, modelsOf } from './model';
import { isOpen, type PropertyModel, type RuleUse } from './property-model';

function refuses(use: RuleUse, tag: string, name: string): boolean {
  try {
    const verdict = applyRule(use, { value: name, whole: name, holder: {}, property: tag });
    letGo(verdict);
    return !verdict;
  } catch {
    return true;
  }
}

/** What is wrong with the tag of one variant. */
function tagProblem(tagged: PropertyModel | undefined, tag: string, name: string): string | undefined {
  if (tagged === undefined) return `does not declare ${tag}`;
  if (tagged.list || isOpen(tagged) || tagged.key !== tag || tagged.value.kind !== 'json') {
    return `does not declare ${tag} as a plain text`;
  }
  return tagged.rules.some((use) => refuses(use, tag, name))
    ? `does not take "${name}" as ${tag}`
    : undefined;
}

function findProblems(model: ClassModel): readonly DeclarationProblem[] {
  return model.properties.flatMap(({ name: member, value }) => {
    if (value.kind !== 'union') return [];
    return [...value.variants].flatMap(([name, cls]) => {
      const tagged = modelsOf(model.way)(cls).properties.find((property) => property.name === value.tag);
      const what = tagProblem(tagged, value.tag, name);
      return what === undefined
        ? []
        : {
            code: 'unsupported_type' as const,
            place: { class: model.cls.name, member },
            message: `${cls.name}, a DTO of the union, ${what}`,
            mend: `Declare it there: @IsIn(['${name}']) ${value.tag}!: '${name}'.`,
          };
    });
  });
}

/** Lists what is wrong with the unions of a class. The models that it reaches must be free of problems. */
export const unionProblems: (model: ClassModel) => readonly DeclarationProblem[] = oncePer(findProblems);
