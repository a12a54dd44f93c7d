/**
 * The ways in which a regular expression can read a text, as a graph of its atoms.
 * Invariant: two ways of reading are two paths, and an edge says how many ways it stands for.
 * Assertions but those of the edges are read as always true, so there are never too few ways.
 */
import type { AST } from '@eslint-community/regexpp';

/** A choice of counts is repeated in the graph up to here; above, it is read as a loop. */
const MAX_COPIES = 12;
/** The same for the rounds that a count asks for; more are read as any number of rounds. */
const MAX_FIXED = 256;
const MAX_ATOMS = 2_001;
/** Where counting ways stops. */
const MANY = 2 ** 40;

/** The most steps that looking at a regular expression may take. */
const MAX_STEPS = 2_000_000;

/** The regular expression has too many ways to be looked at one by one. */
export class TooComplex extends Error {}

/** The steps that looking at a regular expression has taken, with all of its lookarounds. */
export class Steps {
  private taken = 0;

  /** Takes some more, or throws TooComplex. */
  take(count: number): void {
    this.taken += count;
    if (this.taken > MAX_STEPS) throw new TooComplex();
  }
}

/** An element that reads one character, or an edge of the text, where reading starts or ends. */
export type Reader =
  | Exclude<AST.QuantifiableElement, AST.Assertion | AST.Group | AST.CapturingGroup>
  | 'start'
  | 'end';

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
  /** The atoms that can come next, and in how many ways. */
  readonly next: Map<number, number>;
  /** Whether a match can end here with nothing left to ask. */
  isEnd: boolean;
}

type Ways = ReadonlyMap<number, number>;

/** A part of the pattern: where it begins and ends, and how it reads nothing. */
interface Part {
  readonly first: Ways;
  readonly last: Ways;
  /** The ends after which the part asks nothing more. */
  readonly ends: ReadonlySet<number>;
  /** The ways to read nothing after something. */
  readonly empty: number;
  /** Whether the part can read nothing and ask nothing. */
  readonly isFree: boolean;
}

const NOTHING: ReadonlySet<number> = new Set();
const EMPTY = part({ empty: 1, isFree: true });
const ASKING = part({ empty: 1 });
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
  for (const [place, ways] of other) all.set(place, Math.min(MANY, (all.get(place) ?? 0) + ways * factor));
  return all;
}

function isEdge(node: AST.Assertion): node is AST.EdgeAssertion {
  return node.kind === 'start' || node.kind === 'end';
}

/** How the text is read. */
export interface Direction {
  readonly multiline: boolean;
  /** Whether it is read from its end to its start, as by a lookbehind. */
  readonly isBackward: boolean;
}

/** The graph of a pattern, or of what a lookaround holds. Its last atom is read by no text: there a match ends. */
export class ReadingGraph {
  readonly places: Place[] = [];
  /** Where a match can begin. */
  readonly first: ReadonlyMap<number, number>;
  private readonly loops: Loop[] = [];

  constructor(
    alternatives: readonly AST.Alternative[],
    private readonly direction: Direction,
  ) {
    const whole = this.choice(alternatives.map((alternative) => this.sequence(alternative)));
    for (const place of whole.ends) this.at(place).isEnd = true;
    this.first = this.followed(whole, this.end()).first;
  }

  /** The atom with a number. */
  at(place: number): Place {
    const found = this.places[place];
    if (found === undefined) throw new RangeError('The graph has no such atom.');
    return found;
  }

  /** Whether a match can begin at other places than the start of the text. */
  get isOpen(): boolean {
    return [...this.first.keys()].some((place) => this.at(place).reader !== 'start');
  }

  private read(reader: Reader): Part {
    if (this.places.length >= MAX_ATOMS) throw new TooComplex();
    const place = this.places.push({ reader, loop: this.loops.at(-1), next: new Map(), isEnd: false }) - 1;
    const only: Ways = new Map([[place, 1]]);
    return part({ first: only, last: only, ends: new Set([place]) });
  }

  /** The end of the text, which has nothing after it. */
  private end(): Part {
    return part({ first: this.read('end').first });
  }

  private sequence({ elements }: AST.Alternative): Part {
    const ordered = this.direction.isBackward ? elements.toReversed() : elements;
    return ordered.reduce((done, node) => this.followed(done, this.element(node)), EMPTY);
  }

  private element(node: AST.Element): Part {
    switch (node.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.choice(node.alternatives.map((alternative) => this.sequence(alternative)));
      case 'Quantifier':
        return this.repeated(node);
      case 'Assertion':
        if (!isEdge(node) || this.direction.multiline) return ASKING;
        return (node.kind === 'start') === this.direction.isBackward ? this.end() : this.read('start');
      case 'Backreference':
        return this.choice([this.read(node), ASKING]);
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
        empty: Math.min(MANY, one.empty + other.empty),
        isFree: one.isFree || other.isFree,
      }),
      NEVER,
    );
  }

  private link(from: Ways, to: Ways): void {
    for (const [place, before] of from) {
      const { next, reader } = this.at(place);
      for (const [target, after] of to) {
        // The start has nothing before it.
        if (this.at(target).reader === 'start' && reader !== 'start') continue;
        next.set(target, Math.min(MANY, (next.get(target) ?? 0) + before * after));
      }
    }
  }

  private followed(one: Part, other: Part): Part {
    this.link(one.last, other.first);
    return {
      first: joined(one.first, other.first, one.empty),
      last: joined(other.last, one.last, other.empty),
      ends: other.isFree ? union(other.ends, one.ends) : other.ends,
      empty: Math.min(MANY, one.empty * other.empty),
      isFree: one.isFree && other.isFree,
    };
  }

  private repeated(node: AST.Quantifier): Part {
    const { element, min, max } = node;
    const body = () => this.element(element);
    if (max - min > MAX_COPIES || min > MAX_FIXED) return this.looped(node, body);
    let result = EMPTY;
    for (let count = 0; count < min; count += 1) result = this.followed(result, body());
    // Atoms are numbered in the order in which they can be read.
    const rounds = Array.from({ length: max - min }, body);
    // Each further round stands inside the option of the one before it.
    const rest = rounds.reduceRight((later, round) => this.option(this.followed(round, later)), EMPTY);
    return this.followed(result, rest);
  }

  private looped({ raw, min, max }: AST.Quantifier, body: () => Part): Part {
    this.loops.push({ raw, max: max * (this.loops.at(-1)?.max ?? 1) });
    const isCut = min > MAX_FIXED;
    let result = EMPTY;
    for (let count = 1; count < min && !isCut; count += 1) result = this.followed(result, body());
    const round = body();
    // Each of the rounds can be the empty one, which one round does not show in full.
    if (isCut && round.empty > 0) throw new TooComplex();
    this.link(round.last, round.first);
    this.loops.pop();
    const rest = min === 0 ? this.option(round) : round;
    // A match cannot end before the rounds that are not shown.
    return this.followed(result, isCut ? { ...rest, ends: NOTHING } : rest);
  }

  /** A part that may be left out. A round that reads nothing does not count. */
  private option(round: Part): Part {
    return this.choice([{ ...round, empty: 0 }, EMPTY]);
  }
}
