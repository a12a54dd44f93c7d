/**
 * Proves that of all callers of one claim exactly one carries it out: npm run -s race
 * Invariant: it ends with exit code 1 on any mismatch, and when it ran too few races.
 */
import 'reflect-metadata';
import { startRacer } from './processes';
import { type Answers, type Racer, racer, type Share } from './race';
import { newStore, openStore, type StoreKind } from './stores';

/** One store, shared by so many processes; so many races of so many callers. */
interface Round {
  readonly kind: StoreKind;
  readonly processes: number;
  readonly races: readonly (readonly [callers: number, races: number])[];
}

const LEAST_RACES = 2_000;
/** How many races run at the same time. */
const AT_ONCE = 4;

const ROUNDS: readonly Round[] = [
  {
    kind: 'memory',
    processes: 1,
    races: [
      [2, 200],
      [10, 100],
      [100, 30],
    ],
  },
  {
    kind: 'SQLite',
    processes: 1,
    races: [
      [2, 100],
      [10, 60],
      [100, 20],
    ],
  },
  {
    kind: 'Postgres',
    processes: 1,
    races: [
      [2, 100],
      [10, 60],
      [100, 20],
    ],
  },
  {
    kind: 'SQLite',
    processes: 4,
    races: [
      [2, 400],
      [10, 250],
      [100, 50],
    ],
  },
  {
    kind: 'Postgres',
    processes: 8,
    races: [
      [2, 400],
      [10, 250],
      [100, 50],
    ],
  },
];

interface Tally {
  readonly races: number;
  readonly executions: number;
  readonly mismatches: readonly string[];
}

/** Deals the callers of a race out, from some process on. */
function deal(callers: number, processes: number, from: number): readonly number[] {
  const shares = Array.from({ length: processes }, () => Math.floor(callers / processes));
  return shares.map((share, at) => {
    const place = (at - from + processes) % processes;
    return share + (place < callers % processes ? 1 : 0);
  });
}

async function runRace(
  racers: readonly Racer[],
  reference: string,
  callers: number,
  from: number,
): Promise<readonly string[]> {
  const shares = deal(callers, racers.length, from);
  const running = racers.flatMap((one, at): Promise<Answers>[] => {
    const share: Share = { reference, callers: shares[at] ?? 0 };
    return share.callers > 0 ? [one.race(share)] : [];
  });
  return (await Promise.all(running)).flatMap(({ answers }) => answers);
}

/** What is wrong with a race. */
function judge(
  answers: readonly string[],
  callers: number,
  executions: readonly string[],
): string | undefined {
  if (executions.length !== 1) return `${executions.length} executions`;
  if (answers.length !== callers) return `${answers.length} of ${callers} callers were answered`;
  const expected = JSON.stringify({ success: true, result: { execution: executions[0] } });
  const other = answers.find((answer) => answer !== expected);
  return other === undefined ? undefined : `a caller got ${other}`;
}

async function runRound({ kind, processes, races }: Round): Promise<Tally> {
  const store = await newStore(kind);
  const first = kind === 'memory' ? undefined : await openStore(store, true);
  const inProcess = processes === 1 ? await racer(store) : undefined;
  const racers =
    inProcess === undefined
      ? await Promise.all(Array.from({ length: processes }, () => startRacer(store)))
      : [inProcess];
  const due = races.flatMap(([callers, count]) =>
    Array.from({ length: count }, (_, at) => ({ callers, reference: `${callers}-${at}` })),
  );
  const answered = new Map<string, { readonly callers: number; readonly answers: readonly string[] }>();
  let next = 0;
  const runDue = async () => {
    for (let race = due[next]; race !== undefined; race = due[next]) {
      const from = next % processes;
      next += 1;
      const answers = await runRace(racers, race.reference, race.callers, from);
      answered.set(race.reference, { callers: race.callers, answers });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runDue));
  const executions = await (first ?? inProcess)?.executions.all();
  for (const one of racers) await one.close();
  await first?.close();
  await store.remove();
  const mismatches = [...answered].flatMap(([reference, { callers, answers }]) => {
    const wrong = judge(answers, callers, executions?.get(reference) ?? []);
    return wrong === undefined ? [] : [`${kind}, ${processes} processes, race ${reference}: ${wrong}`];
  });
  const count = [...(executions?.values() ?? [])].reduce((sum, one) => sum + one.length, 0);
  return { races: answered.size, executions: count, mismatches };
}

async function main(): Promise<void> {
  const tallies: Tally[] = [];
  for (const round of ROUNDS) {
    const start = Date.now();
    const tally = await runRound(round);
    tallies.push(tally);
    const { kind, processes } = round;
    const callers = round.races.map(([count, races]) => `${races} of ${count} callers`).join(', ');
    console.log(
      `${kind}, ${processes} ${processes === 1 ? 'process' : 'processes'}: ${callers}; ${tally.executions} executions, ${tally.mismatches.length} mismatches, ${((Date.now() - start) / 1000).toFixed(1)} s`,
    );
  }
  const mismatches = tallies.flatMap((tally) => tally.mismatches);
  const races = tallies.reduce((sum, tally) => sum + tally.races, 0);
  const executions = tallies.reduce((sum, tally) => sum + tally.executions, 0);
  for (const mismatch of mismatches.slice(0, 20)) console.log(mismatch);
  if (races < LEAST_RACES) console.log(`too few races: ${races} of ${LEAST_RACES}`);
  console.log(`${races} races, ${executions} executions, ${mismatches.length} mismatches`);
  process.exitCode = mismatches.length === 0 && races >= LEAST_RACES && executions === races ? 0 : 1;
}

main().catch((error: unknown) => {
  console.error(error);
  // Ends the other processes too.
  process.exit(1);
});
