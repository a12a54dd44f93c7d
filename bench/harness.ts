/**
 * Measures candidates side by side, on the CPU time of the process.
 * Invariant: in every round each candidate runs once, in shuffled order, over the same pool of payloads; a ratio
 * is taken within a round, and the median of the rounds is what counts.
 */

/** Something to measure; a promise is awaited. */
export type Candidate = (payload: unknown) => unknown;

/** For each candidate its nanoseconds a call, round by round. */
export type Rounds<Name extends string> = Readonly<Record<Name, readonly number[]>>;

const ROUNDS = 61;
const BATCH_NS = 2e6;
const WARM_UP_NS = 60e6;

/** Makes of a payload what one call takes, where calls use it up; what that takes is not measured. */
export type Prepare = (payload: unknown) => unknown;

/** How calls are made ready. */
export interface RaceOptions {
  readonly prepare?: Prepare;
  /** How long a candidate runs in a round; left out: 2 ms. Longer for calls that leave much to collect. */
  readonly batchNs?: number;
  /** Left out: 61. */
  readonly roundCount?: number;
  /** How long a candidate runs before it is measured; left out: 60 ms. */
  readonly warmUpNs?: number;
}

interface Measured {
  readonly run: Candidate;
  readonly pool: readonly unknown[];
  readonly prepare: Prepare | undefined;
  readonly batchNs: number;
  readonly warmUpNs: number;
}

async function spend({ run, pool, prepare }: Measured, calls: number): Promise<number> {
  const given =
    prepare === undefined
      ? pool
      : Array.from({ length: calls }, (_, call) => prepare(pool[call % pool.length]));
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) {
    const result = run(given[call % given.length]);
    if (result instanceof Promise) await result;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) * 1_000;
}

/** Finds how many calls take about one batch, once the candidate is warm. */
async function calibrate(measured: Measured, least: number): Promise<number> {
  let calls = least;
  for (let spent = 0; spent < measured.warmUpNs; ) {
    const took = await spend(measured, calls);
    spent += took;
    calls = Math.max(
      least,
      Math.min(calls * 2, Math.round((calls * measured.batchNs) / Math.max(took, 1_000))),
    );
  }
  return calls;
}

/** The same items in another order. */
export function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** Measures the candidates over a pool of payloads. */
export async function race<Name extends string>(
  candidates: Readonly<Record<Name, Candidate>>,
  pool: readonly unknown[],
  { prepare, batchNs = BATCH_NS, roundCount = ROUNDS, warmUpNs = WARM_UP_NS }: RaceOptions = {},
): Promise<Rounds<Name>> {
  const runners: { name: string; measured: Measured; calls: number; rounds: number[] }[] = [];
  for (const [name, run] of Object.entries<Candidate>(candidates)) {
    const measured = { run, pool, prepare, batchNs, warmUpNs };
    runners.push({ name, measured, calls: await calibrate(measured, pool.length), rounds: [] });
  }
  for (let round = 0; round < roundCount; round += 1) {
    for (const { measured, calls, rounds } of shuffled(runners)) {
      rounds.push((await spend(measured, calls)) / calls);
    }
  }
  const rounds: Partial<Record<string, readonly number[]>> = Object.fromEntries(
    runners.map((runner) => [runner.name, runner.rounds]),
  );
  return requireAll(rounds, candidates);
}

function requireAll<Name extends string>(
  rounds: Partial<Record<string, readonly number[]>>,
  names: Readonly<Record<Name, unknown>>,
): Rounds<Name> {
  const hasAll = (given: Partial<Record<string, readonly number[]>>): given is Rounds<Name> =>
    Object.keys(names).every((name) => given[name] !== undefined);
  if (!hasAll(rounds)) throw new Error('a candidate was not measured');
  return rounds;
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

/** The median of some numbers. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function ratios(rounds: readonly number[], against: readonly number[]): readonly number[] {
  return rounds.map((took, round) => took / (against[round] ?? Number.NaN));
}

/** The median, over the rounds, of how many times as long one took as another. */
export function ratio(rounds: readonly number[], against: readonly number[]): number {
  return median(ratios(rounds, against));
}

/** The quartiles, over the rounds, of how many times as long one took as another. */
export function spread(rounds: readonly number[], against: readonly number[]): readonly [number, number] {
  const all = ratios(rounds, against);
  return [quantile(all, 0.25), quantile(all, 0.75)];
}

/** The median, over the rounds, of how much longer one took than a base, in units of another. */
export function extra(
  rounds: readonly number[],
  base: readonly number[],
  against: readonly number[],
): number {
  return ratio(
    rounds.map((took, round) => took - (base[round] ?? Number.NaN)),
    against,
  );
}
