/**
 * What the table knows about one class-validator rule, and what a rule contributes to a schema.
 * Invariant: an exact contribution accepts the JSON values that the rule accepts, or fewer by one of the
 * stricter readings; a rule that is not in the table is refused, never dropped.
 */
import type { JsonSchema } from '../../contract/schema';

/** What one rule adds to the schema of a property or of an array's elements. */
export type Contribution =
  /** Schema and validator accept the same; `confirmed` rules also run after the gate, for a corner that the schema admits. */
  | { readonly grade: 'exact'; readonly keywords: JsonSchema; readonly confirmed?: true }
  /** The schema admits more; the rule stands in words and runs after the gate. */
  | { readonly grade: 'validator_only'; readonly keywords: JsonSchema }
  | { readonly grade: 'refused'; readonly message: string; readonly mend: string };

/** What a rule may know of the property that it sits on. */
interface RuleSurroundings {
  /** The names of the rules at the same level: on the property, or on its elements. */
  readonly siblings: ReadonlySet<string>;
  /** The names of the rules on the elements, where the property is an array. */
  readonly elements: ReadonlySet<string>;
}

/** One row of the table. */
export interface Rule {
  /** The rule's name, as class-validator records it. */
  readonly name: string;
  /** class-validator's own predicate, to tell the rule from a custom one of the same name. */
  readonly predicate: (value: unknown, constraints: readonly unknown[]) => boolean;
  readonly contribute: (constraints: readonly unknown[], surroundings: RuleSurroundings) => Contribution;
  /** What a rule of this name contributes that does not accept what the predicate does; left out: it is refused. */
  readonly otherwise?: Contribution;
}

/** Makes an exact contribution. */
export function exact(keywords: JsonSchema): Contribution {
  return { grade: 'exact', keywords };
}

/** Makes an exact contribution whose rule also runs after the gate. */
export function confirmed(keywords: JsonSchema): Contribution {
  return { grade: 'exact', keywords, confirmed: true };
}

/** Makes a validator-only contribution. */
export function validatorOnly(keywords: JsonSchema): Contribution {
  return { grade: 'validator_only', keywords };
}

/** Makes a refusal. */
export function refused(message: string, mend: string): Contribution {
  return { grade: 'refused', message, mend };
}

/** Takes a constraint that must be a finite number. */
export function numberAt(constraints: readonly unknown[], index: number): number | undefined {
  const value = constraints[index];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Takes a constraint that is an object of options. */
export function optionsOf(constraint: unknown): { readonly [option: string]: unknown } {
  return typeof constraint === 'object' && constraint !== null ? { ...constraint } : {};
}

/** The refusal for a bound that is not a number. */
export const BOUND_REFUSED = refused('the bound is not a finite number', 'Give a finite number.');
