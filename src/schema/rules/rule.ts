/**
 * What the table knows about one class-validator rule, and what a rule contributes to a schema.
 * Invariant: an exact contribution accepts the JSON values that the rule accepts, or fewer by one of the
 * stricter readings; a validator-only one accepts all of them and more.
 */
import type { JsonSchema } from '../../contract/schema';

/** What one rule adds to the schema of a property or of an array's elements. */
export type Contribution =
  /** Schema and validator accept the same. */
  | { readonly grade: 'exact'; readonly keywords: JsonSchema }
  /** The schema admits more; the rule stands in words and runs after the gate. */
  | {
      readonly grade: 'validator_only';
      readonly keywords: JsonSchema;
      /** Gives the verdict of class-validator's constraint in less time; left out: the constraint itself runs. */
      readonly check?: (value: unknown) => boolean;
    }
  | { readonly grade: 'refused'; readonly message: string; readonly mend: string };

/** What a rule may know of the property that it sits on. */
export interface RuleSurroundings {
  /** The names of the rules at the same level: on the property, or on its elements. */
  readonly siblings: ReadonlySet<string>;
  /** The names of the rules on the elements, where the property is an array. */
  readonly elements: ReadonlySet<string>;
  /** Another rule at the same level takes no text with a variation selector. */
  readonly isPlainText: boolean;
}

/** One row of the table. */
export interface Rule {
  /** class-validator's decorator, with any arguments: it names the rule and records the library's constraint. */
  readonly decorator: PropertyDecorator;
  /** Values on both sides of the rule's border, to tell it from a custom rule of the same name. */
  readonly near: readonly unknown[];
  readonly contribute: (constraints: readonly unknown[], surroundings: RuleSurroundings) => Contribution;
  /** class-validator's own verdict, where its constraint keeps an argument to itself instead of reading the recorded ones. */
  readonly predicate?: (value: unknown, constraints: readonly unknown[]) => boolean;
  /** What the rule contributes when an argument that was not recorded makes it stricter. */
  readonly otherwise?: Contribution;
}

/** The schema of a text. */
export const TEXT: JsonSchema = Object.freeze({ type: 'string' });

/** Makes an exact contribution. */
export function exact(keywords: JsonSchema): Contribution {
  return { grade: 'exact', keywords };
}

/** Makes a validator-only contribution. */
export function validatorOnly(keywords: JsonSchema): Contribution {
  return { grade: 'validator_only', keywords };
}

/** Makes a refusal. */
export function refused(message: string, mend: string): Contribution {
  return { grade: 'refused', message, mend };
}

/** An exact contribution: the texts that a pattern matches. */
export function exactPattern(pattern: string): Contribution {
  return exact({ ...TEXT, pattern });
}

/** A validator-only contribution: the rule takes some of the texts that a pattern matches, and no others. */
export function widerPattern(pattern: string): Contribution {
  return validatorOnly({ ...TEXT, pattern });
}

/** A rule without arguments whose texts a pattern describes exactly. */
export function patternRule(decorator: PropertyDecorator, pattern: string, near: readonly unknown[]): Rule {
  return { decorator, near, contribute: () => exactPattern(pattern) };
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

/**
 * Takes the options of a rule when all that are set are among those that its row models; undefined when one is
 * not, or when the constraint is no object of options.
 */
export function knownOptions(
  constraint: unknown,
  ...known: readonly string[]
): { readonly [option: string]: unknown } | undefined {
  if (constraint === undefined) return {};
  if (typeof constraint !== 'object' || constraint === null) return undefined;
  const set = Object.entries(constraint).filter(([, value]) => value !== undefined);
  return set.every(([option]) => known.includes(option)) ? Object.fromEntries(set) : undefined;
}

/** The refusal for a bound that is not a number. */
export const BOUND_REFUSED = refused('the bound is not a finite number', 'Give a finite number.');
