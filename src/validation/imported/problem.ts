/**
 * What is wrong with an imported schema.
 * Invariant: a problem names its place in the schema, and is of bounded length however hostile the schema.
 */
import { cutPointer } from '../../contract/pointer';
import type { DeclarationProblem } from '../../errors/declaration-error';

/** How many problems of one kind are listed. */
export const MAX_PROBLEMS = 20;

const MAX_TEXT = 120;

/** Shortens a text that the schema's author wrote. */
export function cutText(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

/** Makes the problem of one place, a JSON Pointer into the schema. */
export function schemaProblem(pointer: string, message: string, mend: string): DeclarationProblem {
  return { code: 'illegal_schema', place: { schema: `#${cutPointer(pointer)}` }, message, mend };
}
