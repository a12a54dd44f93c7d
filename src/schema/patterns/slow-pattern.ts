/**
 * Which regular expressions can take more than linear time, in an engine that goes back to try again.
 * Invariant: the answer itself takes bounded time, and what is not cleared is slow.
 */
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { JS } from 'refa';
import { type Ambiguity, ambiguityOf } from './ambiguity';
import { type Place, type Reader, ReadingGraph, Steps, TooComplex } from './reading-graph';
import type { Reads } from './ways';

const MAX_SOURCE = 2_000;
const MAX_QUOTED = 80;
/** The most ways to read a text for each character of a text of any length. */
const MAX_FACTOR = 256;
/** The most ways in all where the pattern itself bounds what is read. */
const MAX_WAYS = 100_000;
const LINE_ENDS = [0x0a, 0x0d, 0x2028, 0x2029] as const;

const TOO_COMPLEX = 'has too many ways to read a text to be checked';
const UNKNOWN = 'is written in a syntax that cannot be checked';

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

interface Range {
  readonly min: number;
  readonly max: number;
}

/** What a graph reads. */
interface Reading {
  readonly reads: Reads;
  /** Whether all of it is read within one line. */
  readonly isInLine: boolean;
}

function hasSet(reader: Reader): reader is Exclude<Reader, string | AST.Backreference> {
  return typeof reader !== 'string' && reader.type !== 'Backreference';
}

/** The characters that places read, by where their sets of characters begin and end. */
function reading(places: readonly Place[], flags: JS.Flags): Reading {
  const sets = new Map<Exclude<Reader, string>, readonly Range[]>();
  for (const { reader } of places) {
    if (!hasSet(reader) || sets.has(reader)) continue;
    sets.set(reader, JS.parseUnicodeSet(reader, flags).chars.ranges);
  }
  const ranges = [...sets.values()].flat();
  const cuts = [...new Set(ranges.flatMap(({ min, max }) => [min, max + 1]))];
  const masks = new Map<Reader, Mask>([...sets.keys()].map((reader) => [reader, 0n]));
  const known = new Map<string, Mask>();
  for (const cut of cuts) {
    const members = [...sets].filter(([, set]) => set.some(({ min, max }) => min <= cut && cut <= max));
    const key = members.map(([reader]) => reader.start).join();
    if (known.has(key)) continue;
    const bit = 1n << BigInt(known.size);
    known.set(key, bit);
    for (const [reader] of members) masks.set(reader, (masks.get(reader) ?? 0n) | bit);
  }
  masks.set('start', 0n).set('end', 1n << BigInt(known.size));
  const isInLine =
    places.every(({ reader }) => typeof reader === 'string' || masks.has(reader)) &&
    !ranges.some(({ min, max }) => LINE_ENDS.some((end) => min <= end && end <= max));
  return { reads: ({ reader }) => masks.get(reader) ?? ANY, isInLine };
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

/** What makes it impossible to check a pattern. */
function unknownPart(pattern: AST.Pattern): string | undefined {
  let found: string | undefined;
  const refuse = ({ raw }: AST.Node) => {
    found ??= `cannot be checked, since it holds ${clip(raw)}`;
  };
  visitRegExpAST(pattern, {
    onClassStringDisjunctionEnter: refuse,
    onModifiersEnter: refuse,
    onCharacterSetEnter(node) {
      if (node.kind === 'property' && node.strings) refuse(node);
    },
  });
  return found;
}

type Asked = AST.Pattern | AST.LookaroundAssertion;

/** A pattern and the lookarounds in it, each after the one around it. */
function askedIn(pattern: AST.Pattern): readonly Asked[] {
  const found: Asked[] = [pattern];
  visitRegExpAST(pattern, {
    onAssertionEnter(node) {
      if ('alternatives' in node) found.push(node);
    },
  });
  return found;
}

/** The pattern or the lookaround around a lookaround, and whether that asks it once, before it reads. */
function askedBy(node: AST.LookaroundAssertion): { readonly asker: Asked; readonly isOnce: boolean } {
  const parts: AST.Node[] = [];
  for (let at: AST.Node | null = node.parent; at !== null; at = at.parent) {
    if (at.type === 'Pattern' || at.type === 'Assertion') return { asker: at, isOnce: isFirst(node, parts) };
    parts.push(at);
  }
  throw new TypeError('A lookaround stands in a pattern.');
}

/** Whether the parts around a lookaround read nothing before it, and ask it no second time. */
function isFirst(node: AST.Node, around: readonly AST.Node[]): boolean {
  return around.every((part) => {
    if (part.type !== 'Alternative') return part.type !== 'Quantifier';
    const before = part.elements.filter(({ end }) => end <= node.start);
    return before.every(({ type }) => type === 'Assertion');
  });
}

/** Whether every way to match begins with a `^`. */
function isLineBound({ alternatives }: AST.Pattern): boolean {
  return alternatives.every(({ elements: [first] }) => first?.type === 'Assertion' && first.kind === 'start');
}

/** What makes a pattern, or a lookaround in it, slow. */
function ambiguityIn({ pattern, flags }: AST.RegExpLiteral): Ambiguity | undefined {
  const { multiline, sticky, ignoreCase, dotAll, unicode, unicodeSets } = flags;
  const setFlags: JS.Flags = { ignoreCase, dotAll, ...(unicodeSets ? { unicodeSets } : { unicode }) };
  const known = new Map<Asked, { readonly ways: number; readonly limit: number }>();
  const steps = new Steps();
  for (const node of askedIn(pattern)) {
    const isBackward = node.type === 'Assertion' && node.kind === 'lookbehind';
    const graph = new ReadingGraph(node.alternatives, { multiline, isBackward });
    const { reads, isInLine } = reading(graph.places, setFlags);
    const isRepeated = node.type === 'Pattern' && !sticky && graph.isOpen;
    const by = node.type === 'Pattern' ? undefined : askedBy(node);
    const asker = by && known.get(by.asker);
    const isEndless = graph.places.some(({ loop }) => loop?.max === Number.POSITIVE_INFINITY);
    const limit = isRepeated || isEndless || asker?.limit === MAX_FACTOR ? MAX_FACTOR : MAX_WAYS;
    const before = by?.isOnce === true ? 1 : (asker?.ways ?? 1);
    const isMoved = isRepeated && !(multiline && isInLine && isLineBound(pattern));
    const found = ambiguityOf(graph, reads, { isMoved, limit: limit / before, steps });
    if (typeof found !== 'number') return found;
    known.set(node, { ways: before * found, limit });
  }
  return undefined;
}

function parse(source: string, flags: string): AST.RegExpLiteral | undefined {
  try {
    return new RegExpParser().parseLiteral(`${new RegExp(source, flags)}`);
  } catch {
    // The engine knows a syntax that the parser does not.
    return undefined;
  }
}

/**
 * Says why a regular expression can take more than linear time in the length of the text, in words that follow
 * its name; undefined where it cannot. A count that multiplies the time by no more than some thousands is no
 * reason. What cannot be parsed, and so cannot be checked, is slow.
 */
export function slowPattern(source: string, flags: string): string | undefined {
  if (source.length > MAX_SOURCE) return `is longer than ${MAX_SOURCE} characters, too long to be checked`;
  const literal = parse(source, flags);
  if (literal === undefined) return UNKNOWN;
  const { pattern } = literal;
  try {
    const reason = unknownPart(pattern) ?? costlyPart(pattern, literal.flags.multiline);
    if (reason !== undefined) return reason;
    const ambiguity = ambiguityIn(literal);
    return ambiguity && `${WORDS[ambiguity.kind]} ${clip(ambiguity.loops.join(' and '))}`;
  } catch (error) {
    // Groups can be nested so deep that walking through them overflows the stack.
    if (error instanceof TooComplex || error instanceof RangeError) return TOO_COMPLEX;
    throw error;
  }
}
