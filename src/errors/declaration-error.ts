/**
 * The error for everything that is wrong with declarations, found before the first call.
 * Invariant: it lists all problems at once, each with its place and its mend.
 */

import { types } from 'node:util';

/** The closed set of things that can be wrong with a declaration. */
export const DECLARATION_PROBLEM_CODES = [
  'not_a_tool',
  'tool_and_service',
  'decorated_twice',
  'missing_tool',
  'missing_option',
  'illegal_option',
  'illegal_name',
  'reserved_name',
  'illegal_version',
  'model_name_too_long',
  'model_name_collision',
  'duplicate_key',
  'missing_handler',
  'input_not_inferred',
  'unknown_scope',
  'no_instance',
  'illegal_dto',
  'illegal_schema',
  'illegal_property',
  'property_without_rule',
  'unsupported_rule',
  'unsupported_type',
  'duplicate_dependency',
  'load_failed',
  'no_match',
  'unknown_tool',
  'unknown_version',
  'registry_sealed',
  'outside_dialect',
] as const;

/** One of {@link DECLARATION_PROBLEM_CODES}. */
export type DeclarationProblemCode = (typeof DECLARATION_PROBLEM_CODES)[number];

/** Where a problem sits. */
export interface DeclarationPlace {
  /** The class that carries the declaration. */
  readonly class?: string;
  /** The method or property in that class. */
  readonly member?: string;
  /** The tool's name or key. */
  readonly tool?: string;
  /** The file, or the glob pattern, that it came from. */
  readonly file?: string;
  /** The place in a JSON Schema from outside: `#`, then a JSON Pointer, shortened where it is long. */
  readonly schema?: string;
}

/** One thing that is wrong, where, and how to mend it. */
export interface DeclarationProblem {
  readonly code: DeclarationProblemCode;
  readonly place: DeclarationPlace;
  /** What is wrong. */
  readonly message: string;
  /** What to write instead. */
  readonly mend: string;
  /** What was thrown, where something was. */
  readonly cause?: unknown;
}

const BRAND = Symbol.for('toolcrib.DeclarationError');

/** Writes a place as `Class.member (tool) in file`; a place in a schema from outside by its pointer. */
function formatPlace(place: DeclarationPlace): string {
  const at = [place.class, place.member].filter((part) => part !== undefined).join('.');
  const tool = place.tool === undefined ? '' : at === '' ? place.tool : ` (${place.tool})`;
  const file = place.file === undefined ? '' : at + tool === '' ? place.file : ` in ${place.file}`;
  return at + tool + file || `schema ${place.schema ?? ''}`;
}

/**
 * Thrown at start-up with everything that is wrong with the declarations, in a stable order.
 * Nothing is registered when it is thrown.
 */
export class DeclarationError extends Error {
  readonly code = 'invalid_declaration';
  /** All problems, never empty. */
  readonly problems: readonly DeclarationProblem[];

  constructor(problems: readonly DeclarationProblem[]) {
    const lines = problems.map(
      (problem) =>
        `  ${formatPlace(problem.place)}: ${problem.message} [${problem.code}]\n    ${problem.mend}`,
    );
    super(`${problems.length} problem${problems.length === 1 ? '' : 's'}:\n${lines.join('\n')}`);
    this.name = 'DeclarationError';
    this.problems = Object.freeze([...problems]);
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Recognises a {@link DeclarationError}, also one made by another installed copy of this package. */
export function isDeclarationError(value: unknown): value is DeclarationError {
  // Node knows an error of another realm too, as instanceof does not.
  return types.isNativeError(value) && BRAND in value;
}

/** Throws one {@link DeclarationError} when there is any problem. */
export function throwProblems(problems: readonly DeclarationProblem[]): void {
  if (problems.length > 0) throw new DeclarationError(problems);
}
