/**
 * The ways in which a regular expression can read a text, as a graph of its atoms.
 * Invariant: two ways of reading are two paths. A pair of atoms that two ways join is an edge that says so.
 * Assertions but those of the edges are read as always true, so there are never too few ways.
 */
import type { AST } from '@eslint-community/regexpp';

/** A count is repeated in the graph up to here; above, a choice of counts is read as a loop. */
const MAX_COPIES = 12;
const MAX_ATOMS = 2_000;

/** The regular expression has too many ways to be looked at one by one. */
export class TooComplex extends Error {}

/** An element that reads one character; undefined reads any. */
export type Reader =
  | Exclude<AST.QuantifiableElement, AST.Assertion | AST.Group | AST.CapturingGroup>
  | undefined;

/** A loop of the pattern. */
export interface Loop {
  readonly raw: string;
  /** The most rounds that it takes in all rounds of the loops around it. */
  readonly max: number;
}

/** An atom of the graph. */
export interface Place {
  readonly reader: Reader;
  /** The innermost loop around the atom. */
  readonly loop: Loop | undefined;
  /** The atoms that can come next; true where more than one way leads there. */
  readonly next: Map<number, boolean>;
  /** Whether a match can end here with nothing left to ask. */
  isEnd: boolean;
}

type Ways = Map<number, boolean>;

/** A part of the pattern: where it begins and ends, and how it reads nothing. */
interface Part {
  readonly first: Ways;
  readonly last: Ways;
  /** The ends after which the part asks nothing more. */
  readonly ends: ReadonlySet<number>;
  /** The ways to read nothing after something: 0, 1, or 2 for more. */
  readonly empty: number;
  /** Whether the part can read nothing and ask nothing. */
  readonly isFree: boolean;
}

const NOTHING: ReadonlySet<number> = new Set();
const EMPTY = part({ empty: 1, isFree: true });
const ASKING = part({ empty: 1 });
/** What has nothing before it, as `^`, or nothing after it, as `$`. */
const NEVER = part({});

function part(given: Partial<Part>): Part {
  return { first: new Map(), last: new Map(), ends: NOTHING, empty: 0, isFree: false, ...given };
}

function union(one: ReadonlySet<number>, other: ReadonlySet<number>): ReadonlySet<number> {
  return new Set([...one, ...other]);
}

/** The ways of both, those of the second times `factor`. */
function joined(one: Ways, other: Ways, factor: number): Ways {
  if (factor === 0 || other.size === 0) return one;
  const all = new Map(one);
  for (const [place, isMany] of other) all.set(place, all.has(place) || isMany || factor > 1);
  return all;
}

/** The graph of a pattern, or of what a lookahead holds. */
export class ReadingGraph {
  readonly places: Place[] = [];
  /** Where a match can begin wherever it is tried. */
  readonly first: ReadonlyMap<number, boolean>;

  constructor(alternatives: readonly AST.Alternative[], multiline: boolean) {
    const whole = this.choice(alternatives.map((alternative) => this.sequence(alternative, multiline)));
    this.first = whole.first;
    for (const place of whole.ends) this.at(place).isEnd = true;
  }

  /** The atom with a number. */
  at(place: number): Place {
    const found = this.places[place];
    if (found === undefined) throw new RangeError('The graph has no such atom.');
    return found;
  }

  private readonly loops: Loop[] = [];

  private read(reader: Reader): Part {
    if (this.places.length >= MAX_ATOMS) throw new TooComplex();
    const place = this.places.push({ reader, loop: this.loops.at(-1), next: new Map(), isEnd: false }) - 1;
    const only: Ways = new Map([[place, false]]);
    return part({ first: only, last: only, ends: new Set([place]) });
  }

  private sequence(alternative: AST.Alternative, multiline: boolean): Part {
    return alternative.elements.reduce(
      (done, node) => this.followed(done, this.element(node, multiline)),
      EMPTY,
    );
  }

  private element(node: AST.Element, multiline: boolean): Part {
    switch (node.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.choice(node.alternatives.map((alternative) => this.sequence(alternative, multiline)));
      case 'Quantifier':
        return this.repeated(node, multiline);
      case 'Assertion':
        return (node.kind === 'start' || node.kind === 'end') && !multiline ? NEVER : ASKING;
      case 'Backreference':
        return this.choice([this.read(undefined), ASKING]);
      default:
        return this.read(node);
    }
  }

  private choice(parts: readonly Part[]): Part {
    return parts.reduce(
      (one, other) => ({
        first: joined(one.first, other.first, 1),
        last: joined(one.last, other.last, 1),
        ends: union(one.ends, other.ends),
        empty: Math.min(2, one.empty + other.empty),
        isFree: one.isFree || other.isFree,
      }),
      NEVER,
    );
  }

  private link(from: Ways, to: Ways): void {
    for (const [place, isMany] of from) {
      const { next } = this.at(place);
      for (const [target, isAgain] of to) next.set(target, next.has(target) || isMany || isAgain);
    }
  }

  private followed(one: Part, other: Part): Part {
    this.link(one.last, other.first);
    return {
      first: joined(one.first, other.first, one.empty),
      last: joined(other.last, one.last, other.empty),
      ends: other.isFree ? union(other.ends, one.ends) : other.ends,
      empty: Math.min(2, one.empty * other.empty),
      isFree: one.isFree && other.isFree,
    };
  }

  private repeated(node: AST.Quantifier, multiline: boolean): Part {
    const { element, min, max } = node;
    const isLoop = max - min > MAX_COPIES;
    if (isLoop) this.loops.push({ raw: node.raw, max: max * (this.loops.at(-1)?.max ?? 1) });
    const body = () => this.element(element, multiline);
    let result = EMPTY;
    for (let count = 0; count < Math.min(isLoop ? min - 1 : min, MAX_COPIES); count += 1) {
      const round = body();
      // Each of the rounds can be the empty one, which the copies do not show in full.
      if (min > MAX_COPIES && round.empty > 0) throw new TooComplex();
      result = this.followed(result, round);
    }
    if (isLoop) {
      const round = body();
      this.link(round.last, round.first);
      this.loops.pop();
      return this.followed(result, min === 0 ? this.option(round) : round);
    }
    // Each further round stands inside the option of the one before it.
    let rest = EMPTY;
    for (let count = min; count < max; count += 1) rest = this.option(this.followed(body(), rest));
    return this.followed(result, rest);
  }

  /** A part that may be left out. A round that reads nothing does not count. */
  private option(round: Part): Part {
    return this.choice([{ ...round, empty: 0 }, EMPTY]);
  }
}
