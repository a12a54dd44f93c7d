/**
 * A JavaScript regular expression as a pattern of JSON Schema, which is read with the flag `u` and no other.
 * Invariant: the pattern finds a match in exactly the strings in which the regular expression finds one, alone
 * surrogates included. Where that is not certain there is no pattern.
 */
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { type Atom, atomText, compiles, surrogatesOf } from './atom-text';
import { isBlindToPairs } from './surrogate-pairs';

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What is longer could be nested too deep to walk through. */
const MAX_SOURCE = 2_000;

// Positive lookarounds, which no engine takes for true between the halves of a surrogate pair.
const LINE_EDGE = { start: '(?<=^|[\\n\\r\\u2028\\u2029])', end: '(?=$|[\\n\\r\\u2028\\u2029])' } as const;

/** Whether the flag is `v`. */
function hasSets({ flags }: RegExp): boolean {
  return flags.includes('v');
}

function isInClass({ parent }: AST.Node): boolean {
  return parent?.type === 'CharacterClass' || parent?.type === 'CharacterClassRange';
}

function isHalf(element: AST.Element | undefined, first: number): element is AST.Character {
  if (element?.type !== 'Character') return false;
  return element.value >= first && element.value < first + 0x400;
}

/** The halves of the surrogate pairs that an alternative writes out, in a form that `u` reads as a pair. */
function writtenPairs({ elements }: AST.Alternative): readonly AST.Character[] {
  return elements.flatMap((high, index) => {
    const low = elements[index + 1];
    if (!isHalf(high, 0xd800) || !isHalf(low, 0xdc00) || high.raw.length !== low.raw.length) return [];
    return [high, low];
  });
}

class Translation {
  readonly edits: Edit[] = [];
  isPossible = true;
  private readonly pairs = new Set<AST.Element>();
  private readonly full = new Set<AST.Element>();
  private hasReferences = false;

  constructor(
    private readonly regExp: RegExp,
    private readonly pattern: AST.Pattern,
  ) {
    const { ignoreCase, multiline, sticky } = regExp;
    const isUnicode = regExp.unicode || hasSets(regExp);
    const refuse = () => {
      this.isPossible = false;
    };
    visitRegExpAST(pattern, {
      onAlternativeEnter: (node) => {
        if (!isUnicode) for (const half of writtenPairs(node)) this.pairs.add(half);
      },
      onCharacterEnter: (node) => this.atom(node, isUnicode),
      onCharacterClassEnter: (node) => this.atom(node, isUnicode),
      onCharacterSetEnter: (node) => this.atom(node, isUnicode),
      onAssertionEnter: (node) => {
        if ((node.kind === 'start' || node.kind === 'end') && multiline)
          this.edit(node, LINE_EDGE[node.kind]);
        // Under both flags U+017F and U+212A are letters of words.
        if (node.kind === 'word' && isUnicode && ignoreCase) refuse();
      },
      onQuantifierEnter: (node) => {
        if (node.element.type === 'Assertion') refuse();
      },
      onBackreferenceEnter: () => {
        this.hasReferences = true;
        if (ignoreCase) refuse();
      },
      onModifiersEnter: refuse,
      onExpressionCharacterClassEnter: refuse,
      onClassStringDisjunctionEnter: refuse,
    });
    // What a group has captured could be half a pair.
    if (this.full.size > 0 && this.hasReferences) refuse();
    if (isUnicode || !this.isPossible) return;
    if (!isBlindToPairs(pattern, sticky, (node) => this.full.has(node))) refuse();
  }

  private edit({ start, end, raw }: AST.Node, text: string): void {
    if (text !== raw) this.edits.push({ start, end, text });
  }

  private atom(node: Atom, isUnicode: boolean): void {
    if (isInClass(node)) return;
    const { ignoreCase, dotAll, source } = this.regExp;
    const isOdd =
      node.type === 'CharacterClass' &&
      // V8 reads [^] by code units under v.
      (node.elements.some(isClass) || (node.elements.length === 0 && hasSets(this.regExp)));
    const surrogates = isUnicode || this.pairs.has(node) ? 'none' : surrogatesOf(node);
    // A negated class that takes no surrogate would take the pairs of them.
    const isTrap = !isUnicode && surrogates === 'none' && node.type === 'CharacterClass' && node.negate;
    const text =
      isOdd || (hasSets(this.regExp) && ignoreCase) || surrogates === 'some' || isTrap
        ? undefined
        : this.pairs.has(node)
          ? node.raw
          : atomText(node, { isUnicode, ignoreCase, dotAll }, source.charAt(node.end));
    if (text === undefined) this.isPossible = false;
    else this.edit(node, text);
    if (surrogates === 'all') this.full.add(node);
  }

  /** The source with its edits. */
  text(): string {
    let text = '';
    let done = 0;
    for (const { start, end, text: replacement } of this.edits.sort((a, b) => a.start - b.start)) {
      text += this.pattern.raw.slice(done, start) + replacement;
      done = end;
    }
    return text + this.pattern.raw.slice(done);
  }
}

function isClass({ type }: AST.Node): boolean {
  return type === 'CharacterClass' || type === 'ExpressionCharacterClass';
}

function parse(regExp: RegExp): AST.Pattern | undefined {
  const { source, unicode } = regExp;
  try {
    return new RegExpParser().parsePattern(source, 0, source.length, {
      unicode,
      unicodeSets: hasSets(regExp),
    });
  } catch {
    // The engine knows a syntax that the parser does not.
    return undefined;
  }
}

function translated(regExp: RegExp, pattern: AST.Pattern): string | undefined {
  try {
    const translation = new Translation(regExp, pattern);
    return translation.isPossible ? translation.text() : undefined;
  } catch (error) {
    // Groups can be nested so deep that walking through them overflows the stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * The source of the pattern that accepts, under the flag `u` and by a search in the whole text, exactly the
 * strings for which `str.match(regExp)` is truthy. It is the source as written where that is right. Undefined
 * where no such pattern is known, as for `y` alone, which goes on where the last call stopped.
 */
export function unicodePattern(regExp: RegExp): string | undefined {
  if (regExp.source.length > MAX_SOURCE || (regExp.sticky && !regExp.global)) return undefined;
  const pattern = parse(regExp);
  const text = pattern && translated(regExp, pattern);
  if (text === undefined) return undefined;
  const anchored = regExp.sticky ? `^(?:${text})` : text;
  return compiles(anchored) ? anchored : undefined;
}
