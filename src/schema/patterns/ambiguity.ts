/**
 * Whether a text can be read in more ways than a backtracking engine can try.
 * Invariant: the search takes bounded time; beyond its bounds it throws TooComplex.
 */
import { type Loop, type Place, type ReadingGraph, TooComplex } from './reading-graph';

/** Whether some character can be read at all of the places. */
export type Shares = (places: readonly Place[]) => boolean;

/** What makes a regular expression slow: loops that can read the same text. */
export interface Ambiguity {
  readonly kind: 'exponential' | 'polynomial' | 'start';
  readonly loops: readonly string[];
}

const MAX_STEPS = 2_000_000;
/** The most ways that bounded loops may add for each character. */
const MAX_FACTOR = 10_000;

class Search {
  private steps = 0;
  /** The number of the cycle that each place lies on. */
  private readonly cycleOf = new Map<number, number>();
  private readonly cycles: (readonly number[])[] = [];
  private readonly reachable = new Map<number, ReadonlySet<number>>();

  constructor(
    private readonly graph: ReadingGraph,
    private readonly shares: Shares,
  ) {
    const places = [...graph.places.keys()].filter((place) => !this.graph.at(place).isEnd);
    for (const place of places) this.reachable.set(place, this.reachedFrom(place));
    for (const place of places) {
      if (this.cycleOf.has(place) || !this.reaches(place, place)) continue;
      const cycle = places.filter((other) => this.reaches(place, other) && this.reaches(other, place));
      for (const other of cycle) this.cycleOf.set(other, this.cycles.length);
      this.cycles.push(cycle);
    }
  }

  private step(): void {
    this.steps += 1;
    if (this.steps > MAX_STEPS) throw new TooComplex();
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
        this.step();
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
            this.step();
            const longer = [...target, next];
            return this.shares(longer.map((one) => this.graph.at(one))) ? [longer] : [];
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

  private loopsOf(places: readonly number[]): Loop[] {
    return [...new Set(places.flatMap((place) => this.graph.at(place).loop ?? []))];
  }

  /** A cycle that can be gone round in two ways on one text. */
  exponential(): Ambiguity | undefined {
    for (const [number, cycle] of this.cycles.entries()) {
      const inside = (place: number) => this.after(place).filter((next) => this.cycleOf.get(next) === number);
      const isDoubled = cycle.some((place) =>
        inside(place).some((next) => this.graph.at(place).next.get(next) === true),
      );
      if (isDoubled || this.parts(cycle, inside)) {
        return { kind: 'exponential', loops: this.loopsOf(cycle).map(({ raw }) => raw) };
      }
    }
    return undefined;
  }

  /** Whether two paths that start together on a cycle part and meet again. */
  private parts(cycle: readonly number[], inside: (place: number) => readonly number[]): boolean {
    const cameFrom = this.together(
      cycle.map((place) => [place, place]),
      [inside, inside],
    );
    const isApart = (key: string) => new Set(key.split(',')).size > 1;
    // From two places to one: the two paths, apart since they started together, have met.
    return [...cameFrom].some(([key, from]) => !isApart(key) && from.some(isApart));
  }

  /** Pairs of loops between which a text can be shared out in many ways. */
  polynomial(): Ambiguity | undefined {
    const bounded = new Map<Loop, number>();
    for (const [from, first] of this.cycles.entries()) {
      for (const [to, second] of this.cycles.entries()) {
        if (from === to || !this.trade(first, second)) continue;
        const loops = this.loopsOf([...first, ...second]);
        const least = loops.toSorted((a, b) => a.max - b.max)[0];
        if (least === undefined || least.max === Number.POSITIVE_INFINITY) {
          return { kind: 'polynomial', loops: loops.map(({ raw }) => raw) };
        }
        bounded.set(least, least.max);
      }
    }
    return this.tooMany(bounded, 'polynomial');
  }

  private tooMany(bounded: ReadonlyMap<Loop, number>, kind: Ambiguity['kind']): Ambiguity | undefined {
    const factor = [...bounded.values()].reduce((product, max) => product * max, 1);
    return factor > MAX_FACTOR ? { kind, loops: [...bounded.keys()].map(({ raw }) => raw) } : undefined;
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

  /** Loops that every place of the text can start. */
  start(): Ambiguity | undefined {
    const bounded = new Map<Loop, number>();
    const starts = [...this.graph.first.keys()].filter((place) => !this.graph.at(place).isEnd);
    for (const cycle of this.cycles) {
      const inside = new Set(cycle);
      const isIn = (place: number) => inside.has(place);
      const isMoved = cycle.some((q) => {
        const nexts = [
          (place: number) =>
            this.after(place).filter((next) => isIn(next) || cycle.some((c) => this.reaches(next, c))),
          (place: number) => this.after(place).filter(isIn),
        ];
        const begun = starts.flatMap((place) =>
          this.after(q)
            .filter((next) => isIn(next) && this.shares([this.graph.at(place), this.graph.at(next)]))
            .map((next) => [place, next]),
        );
        return this.together(begun, nexts).has([q, q].join());
      });
      if (!isMoved) continue;
      const loops = this.loopsOf(cycle);
      const most = loops.toSorted((a, b) => b.max - a.max)[0];
      if (most === undefined || most.max === Number.POSITIVE_INFINITY) {
        return { kind: 'start', loops: loops.map(({ raw }) => raw) };
      }
      bounded.set(most, most.max);
    }
    return this.tooMany(bounded, 'start');
  }
}

/** What makes a graph slow; undefined if nothing does. `isMoved` if a match is tried from every place. */
export function ambiguityOf(graph: ReadingGraph, isMoved: boolean, shares: Shares): Ambiguity | undefined {
  if (graph.places.every(({ loop }) => loop === undefined)) return undefined;
  const search = new Search(graph, shares);
  return search.exponential() ?? search.polynomial() ?? (isMoved ? search.start() : undefined);
}
