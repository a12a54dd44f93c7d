/**
 * Tells the patterns whose texts hold no variation selector, of which code points and validator.js count alike.
 * Invariant: a pattern that may match a text with a selector anywhere in it is never taken for one that does not.
 */
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';

const SELECTORS = ['\uFE0E', '\uFE0F'];

function isAnchored({ elements }: AST.Alternative): boolean {
  const [first, last] = [elements.at(0), elements.at(-1)];
  return (
    first?.type === 'Assertion' && first.kind === 'start' && last?.type === 'Assertion' && last.kind === 'end'
  );
}

function matchesOne(atom: AST.Node): boolean {
  const regExp = new RegExp(`^(?:${atom.raw})$`, 'u');
  return SELECTORS.some((selector) => regExp.test(selector));
}

/** Tells an atom that takes a character of the text from a part of a class, and from what only looks at it. */
function isConsuming({ parent }: AST.Node): boolean {
  if (parent === null) return true;
  if (parent.type === 'CharacterClass' || parent.type === 'CharacterClassRange') return false;
  return parent.type !== 'Assertion' && isConsuming(parent);
}

/** Tells whether a text with a variation selector may match a pattern of JSON Schema. */
export function admitsSelectors(pattern: string): boolean {
  let ast: AST.Pattern;
  try {
    ast = new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true, unicodeSets: false });
  } catch {
    return true;
  }
  if (!ast.alternatives.every(isAnchored)) return true;
  let admits = false;
  const look = (atom: AST.Node) => {
    if (isConsuming(atom)) admits ||= matchesOne(atom);
  };
  visitRegExpAST(ast, {
    onCharacterEnter: look,
    onCharacterClassEnter: look,
    onCharacterSetEnter: look,
  });
  return admits;
}
