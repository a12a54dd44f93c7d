/**
 * Tells which regular expressions the engines of model providers read as JavaScript does.
 * Invariant: only what RE2 and its kin have too is portable; whatever else is in doubt is not.
 */
import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';

const parser = new RegExpParser();

/** Tells whether a pattern does without lookaround, references, named groups and escapes of JavaScript alone. */
export function isPortable(pattern: string): boolean {
  let isPlain = !/\\[uc]/.test(pattern);
  const refuse = () => {
    isPlain = false;
  };
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
      onModifiersEnter: refuse,
    });
    return isPlain;
  } catch {
    return false;
  }
}
