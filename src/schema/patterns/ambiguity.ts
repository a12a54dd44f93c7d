/**
 * Whether a text can be read in more ways than a backtracking engine can try.
 * Invariant: the search takes bounded time; beyond its bounds it throws TooComplex.
 */
import type { ReadingGraph, Steps } from './reading-graph';
import { type Reads, waysOf } from './ways';

/** What makes a regular expression slow: loops that can read the same text. */
export interface Ambiguity {
  readonly kind: 'exponential' | 'polynomial' | 'start' | 'counted';
  readonly loops: readonly string[];
}

/** Places that can follow one another round and round. */
interface Cycle {
  readonly places: readonly number[];
  /** The loops of the pattern that it is made of. */
  readonly loops: readonly string[];
  /** The most rounds. */
  readonly max: number;
}

function product(cycles: ReadonlySet<Cycle>): number {
  return [...cycles].reduce((all, { max }) => all * max, 1);
}

class Search {
  /** The cycle that each place lies on. */
  private readonly cycleOf = new Map<number, Cycle>();
  private readonly cycles: Cycle[] = [];
  private readonly reachable = new Map<number, ReadonlySet<number>>();
  /** Of each two cycles that can share out a text, the one with fewer rounds. */
  private readonly shorter = new Set<Cycle>();

  constructor(
    private readonly graph: ReadingGraph,
    private readonly reads: Reads,
    private readonly limit: number,
    private readonly steps: Steps,
  ) {
    const places = [...graph.places.keys()].filter((place) => !this.graph.at(place).isEnd);
    for (const place of places) this.reachable.set(place, this.reachedFrom(place));
    for (const place of places) {
      if (this.cycleOf.has(place) || !this.reaches(place, place)) continue;
      const cycle = places.filter((other) => this.reaches(place, other) && this.reaches(other, place));
      this.cycles.push(this.cycle(cycle));
    }
  }

  /** Whether some character can be read at all of the places. */
  private shares(places: readonly number[]): boolean {
    return places.reduce((common, place) => common & this.reads(this.graph.at(place)), -1n) !== 0n;
  }

  /** The places after one; a match that gets to an end never comes back for another way. */
  private after(place: number): readonly number[] {
    return [...this.graph.at(place).next.keys()].filter((next) => !this.graph.at(next).isEnd);
  }

  private reachedFrom(place: number): ReadonlySet<number> {
    const found = new Set<number>();
    const open = [place];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const next of this.after(at)) {
        this.steps.take(1);
        if (found.has(next)) continue;
        found.add(next);
        open.push(next);
      }
    }
    return found;
  }

  private reaches(from: number, to: number): boolean {
    return this.reachable.get(from)?.has(to) ?? false;
  }

  /** The tuples of places that paths reach which read the same text, side by side. */
  private together(
    starts: readonly (readonly number[])[],
    nexts: readonly ((place: number) => readonly number[])[],
  ): ReadonlyMap<string, readonly string[]> {
    const cameFrom = new Map<string, string[]>(starts.map((start) => [start.join(), []]));
    const open = [...starts];
    for (let tuple = open.pop(); tuple !== undefined; tuple = open.pop()) {
      const key = tuple.join();
      let targets: (readonly number[])[] = [[]];
      for (const [index, place] of tuple.entries()) {
        const candidates = nexts[index]?.(place) ?? [];
        targets = targets.flatMap((target) =>
          candidates.flatMap((next) => {
            this.steps.take(1);
            const longer = [...target, next];
            return this.shares(longer) ? [longer] : [];
          }),
        );
      }
      for (const target of targets) {
        const known = cameFrom.get(target.join());
        if (known !== undefined) known.push(key);
        else {
          cameFrom.set(target.join(), [key]);
          open.push(target);
        }
      }
    }
    return cameFrom;
  }

  private cycle(places: readonly number[]): Cycle {
    const loops = new Set(places.flatMap((place) => this.graph.at(place).loop ?? []));
    const cycle = {
      places,
      loops: [...loops].map(({ raw }) => raw),
      max: Math.max(...[...loops].map(({ max }) => max)),
    };
    for (const place of places) this.cycleOf.set(place, cycle);
    return cycle;
  }

  /** A cycle that can be gone round in two ways on one text. */
  exponential(): Ambiguity | undefined {
    for (const cycle of this.cycles) {
      const inside = (place: number) => this.after(place).filter((next) => this.cycleOf.get(next) === cycle);
      const isDoubled = cycle.places.some((place) =>
        inside(place).some((next) => (this.graph.at(place).next.get(next) ?? 0) > 1),
      );
      if (isDoubled || this.parts(cycle.places, inside)) return { kind: 'exponential', loops: cycle.loops };
    }
    return undefined;
  }

  /** Whether two paths that start together on a cycle part and meet again. */
  private parts(places: readonly number[], inside: (place: number) => readonly number[]): boolean {
    const cameFrom = this.together(
      places.map((place) => [place, place]),
      [inside, inside],
    );
    const isApart = (key: string) => new Set(key.split(',')).size > 1;
    // From two places to one: the two paths, apart since they started together, have met.
    return [...cameFrom].some(([key, from]) => !isApart(key) && from.some(isApart));
  }

  /** Pairs of cycles between which a text can be shared out in many ways. */
  polynomial(): Ambiguity | undefined {
    for (const first of this.cycles) {
      for (const second of this.cycles) {
        if (first === second || !this.trade(first.places, second.places)) continue;
        const least = first.max < second.max ? first : second;
        const loops = [...first.loops, ...second.loops];
        if (least.max === Number.POSITIVE_INFINITY) return { kind: 'polynomial', loops };
        this.shorter.add(least);
      }
    }
    return this.multiplied(this.shorter, 'polynomial');
  }

  /** The ways in which texts can be shared out between cycles, for each way that is left by `isCut`. */
  traded(): number {
    // A cycle without its edges back can still be left out or gone through once.
    return product(this.shorter) / 2 ** this.shorter.size;
  }

  /** Whether an edge leads back in a cycle whose rounds `traded` counts. */
  isCut(from: number, to: number): boolean {
    const cycle = this.cycleOf.get(from);
    return cycle !== undefined && to <= from && this.cycleOf.get(to) === cycle && this.shorter.has(cycle);
  }

  private multiplied(cycles: ReadonlySet<Cycle>, kind: Ambiguity['kind']): Ambiguity | undefined {
    return product(cycles) > this.limit
      ? { kind, loops: [...cycles].flatMap(({ loops }) => loops) }
      : undefined;
  }

  private trade(first: readonly number[], second: readonly number[]): boolean {
    const [one, other] = [first[0], second[0]];
    if (one === undefined || other === undefined || !this.reaches(one, other)) return false;
    const [inFirst, inSecond] = [new Set(first), new Set(second)];
    const nexts = [
      (place: number) => this.after(place).filter((next) => inFirst.has(next)),
      (place: number) => this.after(place).filter((next) => inSecond.has(next) || this.reaches(next, other)),
      (place: number) => this.after(place).filter((next) => inSecond.has(next)),
    ];
    return first.some((p) => second.some((q) => this.together([[p, p, q]], nexts).has([p, q, q].join())));
  }

  /** Cycles that every place of the text can start. */
  start(): Ambiguity | undefined {
    const started = this.cycles.filter((cycle) => this.isStarted(cycle));
    return this.multiplied(new Set(started), 'start');
  }

  private isStarted(cycle: Cycle): boolean {
    const starts = [...this.graph.first.keys()].filter((place) => {
      const { isEnd, reader } = this.graph.at(place);
      return !isEnd && reader !== 'start';
    });
    const isIn = (place: number) => this.cycleOf.get(place) === cycle;
    const nexts = [
      (place: number) =>
        this.after(place).filter((next) => isIn(next) || cycle.places.some((to) => this.reaches(next, to))),
      (place: number) => this.after(place).filter(isIn),
    ];
    return cycle.places.some((place) => {
      const rounds = this.after(place).filter(isIn);
      const begun = starts.flatMap((start) =>
        rounds.filter((next) => this.shares([start, next])).map((next) => [start, next]),
      );
      return this.together(begun, nexts).has([place, place].join());
    });
  }
}

/** What is looked for. */
interface Bounds {
  /** Whether a match is tried from every place. */
  readonly isMoved: boolean;
  /** The most ways to read a text. */
  readonly limit: number;
  readonly steps: Steps;
}

/** What makes a graph slow, or else the most ways in which it can read a text. */
export function ambiguityOf(
  graph: ReadingGraph,
  reads: Reads,
  { isMoved, limit, steps }: Bounds,
): Ambiguity | number {
  const isLoopless = graph.places.every(({ loop }) => loop === undefined);
  const search = isLoopless ? undefined : new Search(graph, reads, limit, steps);
  const found = search?.exponential() ?? search?.polynomial() ?? (isMoved ? search?.start() : undefined);
  if (found !== undefined) return found;
  const ways = waysOf(graph, reads, {
    limit,
    steps,
    factor: search?.traded() ?? 1,
    isCut: (from, to) => search?.isCut(from, to) ?? false,
  });
  return typeof ways === 'number' ? ways : { kind: 'counted', loops: ways };
}
