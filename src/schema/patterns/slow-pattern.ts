/**
 * Which regular expressions can take more than linear time, in an engine that goes back to try again.
 * Invariant: the answer itself takes bounded time, and what is not cleared is slow.
 */
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { JS } from 'refa';
import { type Ambiguity, ambiguityOf, type Reads } from './ambiguity';
import { type Reader, ReadingGraph, TooComplex } from './reading-graph';

const MAX_SOURCE = 2_000;
const MAX_QUOTED = 80;
const TOO_COMPLEX = 'has too many ways to read a text to be checked';

const WORDS: { readonly [kind in Ambiguity['kind']]: string } = {
  exponential: 'can take exponential time, since a text can be split in many ways among the rounds of',
  polynomial: 'can take at least quadratic time, since one text can be shared out in many ways between',
  counted:
    'can take thousands of times as long as the text, since one text can be shared out in many ways among its',
  start: 'can take quadratic time, since without a ^ at the start each place of a text can begin',
};

function clip(text: string): string {
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}

/** A set of characters as a number with a bit for each part into which all sets cut the characters. */
type Mask = bigint;
const ANY: Mask = -1n;

/** The characters that places read, by where their sets of characters begin and end. */
function reading({ places }: ReadingGraph, flags: JS.Flags): Reads {
  const sets = new Map<Reader, readonly { readonly min: number; readonly max: number }[]>();
  for (const { reader } of places) {
    if (reader === undefined || reader.type === 'Backreference' || sets.has(reader)) continue;
    sets.set(reader, JS.parseUnicodeSet(reader, flags).chars.ranges);
  }
  const cuts = [...new Set([...sets.values()].flat().flatMap(({ min, max }) => [min, max + 1]))];
  const masks = new Map<Reader, Mask>([...sets.keys()].map((reader) => [reader, 0n]));
  const known = new Map<string, Mask>();
  for (const cut of cuts) {
    const members = [...sets].filter(([, set]) => set.some(({ min, max }) => min <= cut && cut <= max));
    const key = members.map(([reader]) => reader?.start).join();
    if (known.has(key)) continue;
    const bit = 1n << BigInt(known.size);
    known.set(key, bit);
    for (const [reader] of members) masks.set(reader, (masks.get(reader) ?? 0n) | bit);
  }
  return ({ reader }) => masks.get(reader) ?? ANY;
}

function isUnbounded(node: AST.Node): boolean {
  let isFound = false;
  visitRegExpAST(node, {
    onQuantifierEnter: ({ max }) => {
      isFound ||= max === Number.POSITIVE_INFINITY;
    },
  });
  return isFound;
}

/** Whether an assertion is asked at a few places only: after a `^`, with nothing unbounded around or before. */
function isAskedSeldom(node: AST.Node, multiline: boolean): boolean {
  let isAnchored = false;
  for (let at = node; at.parent !== null; at = at.parent) {
    if (at.parent.type === 'Quantifier' && isUnbounded(at.parent)) return false;
    if (at.parent.type !== 'Alternative') continue;
    for (const before of at.parent.elements) {
      if (before === at) break;
      if (before.type === 'Assertion') isAnchored ||= before.kind === 'start' && !multiline;
      else if (isUnbounded(before)) return false;
    }
  }
  return isAnchored;
}

/** What a lookaround or a reference back costs at each place where it is asked. */
function costlyPart(pattern: AST.Pattern, multiline: boolean): string | undefined {
  let found: string | undefined;
  visitRegExpAST(pattern, {
    onAssertionEnter(node) {
      if (!('alternatives' in node) || !node.alternatives.some(isUnbounded)) return;
      if (node.kind === 'lookahead' && isAskedSeldom(node, multiline)) return;
      found ??= `can take quadratic time, since ${clip(node.raw)} can go through the text from many places`;
    },
    onBackreferenceEnter(node) {
      if (![node.resolved].flat().some(isUnbounded)) return;
      found ??= `can take quadratic time, since ${clip(node.raw)} repeats a text of any length`;
    },
  });
  return found;
}

function lookaheadsOf(pattern: AST.Pattern): readonly (readonly AST.Alternative[])[] {
  const found: (readonly AST.Alternative[])[] = [];
  visitRegExpAST(pattern, {
    onAssertionEnter(node) {
      if (node.kind === 'lookahead') found.push(node.alternatives);
    },
  });
  return found;
}

function parse(source: string, flags: string): AST.RegExpLiteral | undefined {
  try {
    return new RegExpParser().parseLiteral(`${new RegExp(source, flags)}`);
  } catch {
    return undefined;
  }
}

/**
 * Says why a regular expression can take more than linear time in the length of the text, in words that follow
 * its name; undefined where it cannot, and where the source is no regular expression. A count that multiplies
 * the time by no more than some thousands is no reason.
 */
export function slowPattern(source: string, flags: string): string | undefined {
  if (source.length > MAX_SOURCE) return `is longer than ${MAX_SOURCE} characters, too long to be checked`;
  const literal = parse(source, flags);
  if (literal === undefined) return undefined;
  const { pattern } = literal;
  const { multiline, sticky, ignoreCase, unicode, unicodeSets } = literal.flags;
  const setFlags: JS.Flags = unicodeSets ? { ignoreCase, unicodeSets } : { ignoreCase, unicode };
  const costly = costlyPart(pattern, multiline);
  if (costly !== undefined) return costly;
  try {
    for (const alternatives of [pattern.alternatives, ...lookaheadsOf(pattern)]) {
      const graph = new ReadingGraph(alternatives, multiline);
      const isMoved = alternatives === pattern.alternatives && !sticky;
      const ambiguity = ambiguityOf(
        graph,
        isMoved,
        reading(graph, { dotAll: literal.flags.dotAll, ...setFlags }),
      );
      if (ambiguity !== undefined) return `${WORDS[ambiguity.kind]} ${clip(ambiguity.loops.join(' and '))}`;
    }
    return undefined;
  } catch (error) {
    if (error instanceof TooComplex) return TOO_COMPLEX;
    throw error;
  }
}
