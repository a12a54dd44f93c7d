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

async function spend(run: Candidate, pool: readonly unknown[], calls: number): Promise<number> {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) {
    const result = run(pool[call % pool.length]);
    if (result instanceof Promise) await result;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) * 1_000;
}

/** Finds how many calls take about one batch, once the candidate is warm. */
async function calibrate(run: Candidate, pool: readonly unknown[]): Promise<number> {
  let calls = pool.length;
  for (let spent = 0; spent < WARM_UP_NS; ) {
    const took = await spend(run, pool, calls);
    spent += took;
    calls = Math.max(
      pool.length,
      Math.min(calls * 2, Math.round((calls * BATCH_NS) / Math.max(took, 1_000))),
    );
  }
  return calls;
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** Measures the candidates over a pool of payloads. */
export async function race<Name extends string>(
  candidates: Readonly<Record<Name, Candidate>>,
  pool: readonly unknown[],
): Promise<Rounds<Name>> {
  const runners: { name: string; run: Candidate; calls: number; rounds: number[] }[] = [];
  for (const [name, run] of Object.entries<Candidate>(candidates)) {
    runners.push({ name, run, calls: await calibrate(run, pool), rounds: [] });
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const runner of shuffled(runners)) {
      runner.rounds.push((await spend(runner.run, pool, runner.calls)) / runner.calls);
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

/** The median of some numbers. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The median, over the rounds, of how many times as long one took as another. */
export function ratio(rounds: readonly number[], against: readonly number[]): number {
  return median(rounds.map((took, round) => took / (against[round] ?? Number.NaN)));
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
