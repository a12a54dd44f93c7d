/**
 * Tells which regular expressions the engines of model providers read as JavaScript does.
 * Invariant: only what RE2 and its kin have too is portable; whatever else is in doubt is not.
 */
import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';

const parser = new RegExpParser();

/** RE2 takes no more repetitions of one part, those around it counted in. */
const MAX_REPETITIONS = 1000;

/**
 * Tells whether a pattern does without lookaround, references, named groups, large counts and escapes of
 * JavaScript alone.
 */
export function isPortable(pattern: string): boolean {
  let isPlain = !/\\[uc]/.test(pattern);
  const refuse = () => {
    isPlain = false;
  };
  let repetitions = 1;
  const countOf = ({ min, max }: { readonly min: number; readonly max: number }) =>
    Math.max(1, Number.isFinite(max) ? max : min);
  try {
    visitRegExpAST(parser.parsePattern(pattern, 0, pattern.length, { unicode: true }), {
      onAssertionEnter: ({ kind }) => {
        if (kind === 'lookahead' || kind === 'lookbehind') refuse();
      },
      onBackreferenceEnter: refuse,
      onCapturingGroupEnter: ({ name }) => {
        if (name !== null) refuse();
      },
      onCharacterSetEnter: ({ kind }) => {
        if (kind === 'property') refuse();
      },
      onCharacterClassEnter: ({ elements }) => {
        if (elements.length === 0) refuse();
      },
      onCharacterEnter: ({ raw }) => {
        // In a class it is a backspace, elsewhere no character.
        if (raw === '\\b') refuse();
      },
      onQuantifierEnter: (one) => {
        repetitions *= countOf(one);
        if (repetitions > MAX_REPETITIONS) refuse();
      },
      onQuantifierLeave: (one) => {
        repetitions /= countOf(one);
      },
      onModifiersEnter: refuse,
    });
    return isPlain;
  } catch {
    return false;
  }
}
