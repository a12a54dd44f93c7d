/**
 * The text of one atom (a character, a class, an escape such as `\w`) as a pattern with the flag `u` alone.
 * Invariant: the text takes the characters that the atom takes under its own flags, as the engine itself
 * answers. The author's spelling stays wherever it still means the same.
 */
import type { AST } from '@eslint-community/regexpp';

/** An element of a pattern that takes one character. */
export type Atom = AST.Character | AST.CharacterClass | AST.CharacterSet;

/** The flags that change what an atom takes. */
export interface AtomFlags {
  /** Under `u` or `v` an atom takes a code point, else a code unit. */
  readonly isUnicode: boolean;
  readonly ignoreCase: boolean;
  readonly dotAll: boolean;
}

const ASTRAL = '\\u{10000}-\\u{10FFFF}';
const LAST_CASED = 0x1ffff;
/** Letters of a whole alphabet or two; a class with more would not be readable. */
const MAX_RANGES = 24;

/** Whether text compiles with the flag `u`. */
export function compiles(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

function escaped(code: number, isInClass: boolean): string {
  const character = String.fromCodePoint(code);
  if (character === '-') return isInClass ? '\\-' : '-';
  if (/[$()*+./?[\\\]^{|}]/.test(character)) return `\\${character}`;
  // A digit could prolong the escape before it.
  if (/[!-/:-~ ]/.test(character)) return character;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`;
}

/** Code points, ascending, as members of a class; undefined if they are too many to read. */
function rangesText(codes: readonly number[]): string | undefined {
  const ranges: { first: number; last: number }[] = [];
  for (const code of codes) {
    const open = ranges.at(-1);
    if (open?.last === code - 1) open.last = code;
    else ranges.push({ first: code, last: code });
  }
  if (ranges.length > MAX_RANGES) return undefined;
  return ranges
    .map(({ first, last }) => {
      const between = last - first > 1 ? '-' : '';
      return escaped(first, true) + (last > first ? between + escaped(last, true) : '');
    })
    .join('');
}

let cased: readonly number[] | undefined;

/** All code points that letter case links to another one, ascending. */
function casedCodes(): readonly number[] {
  if (cased !== undefined) return cased;
  const found = new Set<number>();
  for (let code = 0; code <= LAST_CASED; code += 1) {
    const character = String.fromCodePoint(code);
    if (!/\p{Changes_When_Casemapped}|\p{Changes_When_Casefolded}/u.test(character)) continue;
    found.add(code);
    for (const other of character.toUpperCase() + character.toLowerCase()) {
      found.add(other.codePointAt(0) ?? code);
    }
  }
  cased = [...found].sort((a, b) => a - b);
  return cased;
}

/**
 * The code points about which the flag `i` changes the answer of an atom. Undefined if one of them cannot be
 * written into the atom: `\W` with both flags has fewer members, and a negated class could have more.
 */
function changedByCase(
  source: string,
  isNegated: boolean,
  isUnicode: boolean,
): readonly number[] | undefined {
  const exact = new RegExp(source, isUnicode ? 'u' : '');
  const folded = new RegExp(source, isUnicode ? 'iu' : 'i');
  const changed = casedCodes().filter((code) => {
    const character = String.fromCodePoint(code);
    return (isUnicode || code <= 0xffff) && exact.test(character) !== folded.test(character);
  });
  return changed.every((code) => exact.test(String.fromCodePoint(code)) === isNegated) ? changed : undefined;
}

function characterText({ raw, value }: AST.Character, next: string, isInClass: boolean): string {
  const isKept = compiles(isInClass ? `[${raw}]` : raw) && !(raw === '\\0' && /\d/.test(next));
  return isKept ? raw : escaped(value, isInClass);
}

function elementText(element: AST.CharacterClassElement): string | undefined {
  if (element.type === 'CharacterSet') return element.raw;
  if (element.type === 'Character') return element.raw === '-' ? '\\-' : characterText(element, '0', true);
  if (element.type !== 'CharacterClassRange') return undefined;
  return `${characterText(element.min, '0', true)}-${characterText(element.max, '0', true)}`;
}

/** Whether a class, read with `u`, keeps its elements: no escape in it has a second meaning. */
function isClassKept({ raw, elements }: AST.CharacterClass): boolean {
  const characters = elements.flatMap((element) =>
    element.type === 'CharacterClassRange' ? [element.min, element.max] : [element],
  );
  return compiles(raw) && characters.every((character) => compiles(`[${character.raw}]`));
}

function classText(node: AST.CharacterClass, extra: string): string | undefined {
  // After a hyphen at the end, more characters would make a range.
  if (isClassKept(node) && (extra === '' || node.elements.at(-1)?.raw !== '-')) {
    return `${node.raw.slice(0, -1)}${extra}]`;
  }
  const elements = node.elements.map(elementText);
  if (elements.includes(undefined)) return undefined;
  return `[${node.negate ? '^' : ''}${elements.join('')}${extra}]`;
}

/** The text of an atom that stands outside a class; undefined if none is known. `next` is the text after it. */
export function atomText(atom: Atom, flags: AtomFlags, next: string): string | undefined {
  if (atom.type === 'CharacterSet' && atom.kind === 'any') return flags.dotAll ? '[\\s\\S]' : atom.raw;
  const source = atom.type === 'Character' ? escaped(atom.value, false) : atom.raw;
  const isNegated = atom.type === 'CharacterClass' && atom.negate;
  const changed = flags.ignoreCase ? changedByCase(source, isNegated, flags.isUnicode) : [];
  const letters = changed && rangesText(changed);
  if (letters === undefined) return undefined;
  if (atom.type === 'Character') {
    const text = characterText(atom, next, false);
    return letters === '' ? text : `[${text}${letters}]`;
  }
  if (atom.type === 'CharacterSet') return letters === '' ? atom.raw : `[${atom.raw}${letters}]`;
  const text = classText(atom, letters);
  // A class of all surrogates stands for the characters that are written with them.
  const lacksAstral = !flags.isUnicode && !isNegated && surrogatesOf(atom) === 'all';
  if (text === undefined || !lacksAstral || new RegExp(text, 'u').test('\u{10000}')) return text;
  return classText(atom, letters + ASTRAL);
}

/** How many of the surrogates an atom takes when it reads code units. */
export function surrogatesOf(atom: Atom): 'none' | 'some' | 'all' {
  if (atom.type === 'Character') return atom.value >= 0xd800 && atom.value <= 0xdfff ? 'some' : 'none';
  const test = new RegExp(atom.raw);
  let taken = 0;
  for (let unit = 0xd800; unit <= 0xdfff; unit += 1) if (test.test(String.fromCharCode(unit))) taken += 1;
  if (taken === 0) return 'none';
  return taken === 0x800 ? 'all' : 'some';
}
