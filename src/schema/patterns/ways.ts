/**
 * How many ways there are, at most, to read any one text.
 * Invariant: the number is never too low. For each set of atoms that a text can lead to it keeps, atom by atom,
 * the most ways that any such text has. The count takes bounded time; beyond that it throws TooComplex.
 */
import type { Place, ReadingGraph, Steps } from './reading-graph';

/** The characters that a place can read: a bit for each kind of character that the pattern tells apart. */
export type Reads = (place: Place) => bigint;

/** The ways to each of the atoms that one text leads to. */
type Counts = ReadonlyMap<number, number>;

/** What is counted. */
interface Bounds {
  readonly limit: number;
  /** The ways that each way to an atom stands for. */
  readonly factor: number;
  /** Whether an edge is left out. */
  readonly isCut: (from: number, to: number) => boolean;
  readonly steps: Steps;
}

function total(counts: Counts, factor: number): number {
  let sum = 0;
  let most = 0;
  for (const ways of counts.values()) {
    sum += ways;
    most = Math.max(most, ways);
  }
  return Math.max(sum, most * factor);
}

class Counting {
  /** The places that can read each kind of character. */
  private readonly kinds: readonly ReadonlySet<number>[];

  constructor(
    private readonly graph: ReadingGraph,
    reads: Reads,
    private readonly steps: Steps,
    private readonly isCut: Bounds['isCut'],
  ) {
    const masks = graph.places.map(reads);
    const all = masks.reduce((union, mask) => (mask < 0n ? union : union | mask), 1n);
    const kinds = Array.from({ length: all.toString(2).length }, (_, bit) => {
      const able = [...masks.keys()].filter((place) => ((masks[place] ?? 0n) >> BigInt(bit)) % 2n !== 0n);
      return [able.join(), new Set(able)] as const;
    });
    this.kinds = [...new Map(kinds).values()];
  }

  /** What can be read first. */
  begun(): Counts {
    const counts = new Map<number, number>();
    const open = [...this.graph.first];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      this.steps.take(1);
      const [place, ways] = at;
      if (this.graph.at(place).reader !== 'start') counts.set(place, (counts.get(place) ?? 0) + ways);
      else for (const [next, more] of this.graph.at(place).next) open.push([next, ways * more]);
    }
    return counts;
  }

  /** What can be read next. A match that gets to an end never comes back for another way. */
  after(counts: Counts): Counts {
    const nexts = new Map<number, number>();
    for (const [place, ways] of counts) {
      const { next } = this.graph.at(place);
      this.steps.take(next.size);
      for (const [target, more] of next) {
        if (this.graph.at(target).isEnd || this.isCut(place, target)) continue;
        nexts.set(target, (nexts.get(target) ?? 0) + ways * more);
      }
    }
    return nexts;
  }

  /** The counts that are left when a character is read; none where another leaves the same and more. */
  read(counts: Counts): readonly Counts[] {
    const kept = new Map<string, Counts>();
    for (const able of this.kinds) {
      this.steps.take(counts.size);
      const left = [...counts].filter(([place]) => able.has(place));
      if (left.length > 0) kept.set(left.map(([place]) => place).join(), new Map(left));
    }
    const found: Counts[] = [];
    for (const left of [...kept.values()].sort((one, other) => other.size - one.size)) {
      this.steps.take(left.size * found.length);
      if (!found.some((more) => [...left.keys()].every((place) => more.has(place)))) found.push(left);
    }
    return found;
  }
}

/**
 * The most ways to read a text, where they are at most `limit`; if they are more, the atoms that make them many.
 * It ends only for graphs in which no two cycles without cuts can share out a text.
 */
export function waysOf(
  graph: ReadingGraph,
  reads: Reads,
  { limit, factor, isCut, steps }: Bounds,
): number | readonly string[] {
  const counting = new Counting(graph, reads, steps, isCut);
  const known = new Map<string, Map<number, number>>();
  let open: readonly Counts[] = counting.read(counting.begun());
  let most = 1;
  while (open.length > 0) {
    const changed = new Map<string, Counts>();
    for (const counts of open) {
      const key = [...counts.keys()].sort((one, other) => one - other).join();
      const highest = known.get(key) ?? new Map<number, number>();
      known.set(key, highest);
      for (const [place, ways] of counts) {
        if (ways <= (highest.get(place) ?? 0)) continue;
        highest.set(place, ways);
        changed.set(key, highest);
      }
      most = Math.max(most, total(highest, factor));
      if (most > limit) return rawsOf(graph, highest);
    }
    open = [...changed.values()].flatMap((counts) => counting.read(counting.after(counts)));
  }
  return most;
}

function rawsOf(graph: ReadingGraph, counts: Counts): readonly string[] {
  const raws = [...counts.keys()].map((place) => {
    const { reader } = graph.at(place);
    return typeof reader === 'string' ? '$' : reader.raw;
  });
  return [...new Set(raws)];
}
