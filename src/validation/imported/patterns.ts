/**
 * Judges the patterns of an imported schema.
 * Invariant: every pattern that the gate will run compiles with the flag `u` and cannot run away.
 */
import { childPointer } from '../../contract/pointer';
import { isSchema, type JsonSchema } from '../../contract/schema';
import type { DeclarationProblem } from '../../errors/declaration-error';
import { reasonOf } from '../../errors/reason';
import { slowPattern } from '../../schema/patterns/slow-pattern';
import { isLengthPattern } from '../../schema/patterns/text-length';
import { SCHEMA_LIMITS } from './limits';
import { cutText, MAX_PROBLEMS, schemaProblem } from './problem';
import type { References } from './references';

interface Pattern {
  readonly source: string;
  readonly pointer: string;
}

function patternsOf({ pattern, patternProperties }: JsonSchema, pointer: string): readonly Pattern[] {
  const names = isSchema(patternProperties) ? Object.keys(patternProperties) : [];
  return [
    ...(typeof pattern === 'string' ? [{ source: pattern, pointer: `${pointer}/pattern` }] : []),
    ...names.map((source) => ({
      source,
      pointer: childPointer(`${pointer}/patternProperties`, source),
    })),
  ];
}

function compileProblem({ source, pointer }: Pattern): readonly DeclarationProblem[] {
  try {
    new RegExp(source, 'u');
    return [];
  } catch (error) {
    const message = `the pattern does not compile with the flag u: ${cutText(reasonOf(error))}`;
    return [schemaProblem(pointer, message, 'write a regular expression of ECMA-262 with the flag u')];
  }
}

/** The first pattern that can run away: to say so of one may take most of a second, and there may be many. */
function runawayProblem(patterns: readonly Pattern[]): readonly DeclarationProblem[] {
  for (const { source, pointer } of patterns) {
    // The exact lengths that schemas of this package carry read a text in one way, by a lookahead.
    const slow = isLengthPattern(source) ? undefined : slowPattern(source, 'u');
    if (slow === undefined) continue;
    return [schemaProblem(pointer, `the pattern can run away: it ${cutText(slow)}`, 'write one that cannot')];
  }
  return [];
}

/** Lists what is wrong with the patterns of a document, each with its place. */
export function patternProblems(references: References): readonly DeclarationProblem[] {
  const all = references.schemas().flatMap((schema) => {
    const isAny = 'pattern' in schema || 'patternProperties' in schema;
    return isAny ? patternsOf(schema, references.pointerOf(schema)) : [];
  });
  if (all.length > SCHEMA_LIMITS.maxPatterns) {
    const message = `there are ${all.length} patterns`;
    return [schemaProblem('', message, `write at most ${SCHEMA_LIMITS.maxPatterns}`)];
  }
  const uncompiled = all.flatMap(compileProblem).slice(0, MAX_PROBLEMS);
  return uncompiled.length > 0 ? uncompiled : runawayProblem(all);
}
