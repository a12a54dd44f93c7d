/**
 * Proves that schema, contract and class-validator agree, and prints the proof: npm run -s drift
 * Invariant: it ends with exit code 1 on any disagreement, and when it checked too little.
 */
import { parseArgs } from 'node:util';
import { BUILDS, type BuildName, runBuild } from './builds';
import { unmet } from './expectations';
import { countsOf, disagreementsOf, tableOf, verdictOf } from './print';
import { mergeShares, totalOf } from './report';

const USAGE = `Usage: npm run -s drift -- [options]

Asks the emitted schema, the contract and class-validator about the same values, and prints where they differ.

  --build <tsc|esbuild>  run under one build alone (both)
  --seed <number>        the seed of the values (20260131)
  --pairs <number>       how many (DTO, value) pairs to try at least (1000000)
  --help                 print this

The table tells, for each form of a decorator: its grade alone and with { each: true }, how many values were tried,
how many class-validator accepted, and the differences that are allowed, by name (STRICTER_READINGS; validator_only is
what the schema leaves to a rule). The exit code is 1 on any other difference, and when too little was tried.`;

const OPTIONS = {
  build: { type: 'string' },
  seed: { type: 'string', default: '20260131' },
  pairs: { type: 'string', default: '1000000' },
  help: { type: 'boolean', default: false },
} as const;

interface Options {
  readonly builds: readonly BuildName[];
  readonly seed: number;
  readonly pairs: number;
}

/** Reads the options; text is to be printed in place of a run. */
function readOptions(): Options | string {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) return USAGE;
  const builds = BUILDS.filter((name) => values.build === undefined || values.build === name);
  const [seed, pairs] = [Number(values.seed), Number(values.pairs)];
  const wrong = [
    ...(builds.length > 0 ? [] : [`--build ${values.build}: there is ${BUILDS.join(' and ')}`]),
    ...(Number.isSafeInteger(seed) ? [] : [`--seed ${values.seed}: give a whole number`]),
    ...(Number.isSafeInteger(pairs) && pairs > 0 ? [] : [`--pairs ${values.pairs}: give a positive number`]),
  ];
  if (wrong.length > 0) throw new Error(`${wrong.join('\n')}\n\n${USAGE}`);
  return { builds, seed, pairs };
}

async function run({ builds, seed, pairs }: Options): Promise<boolean> {
  const start = Date.now();
  const tell = (line: string) =>
    console.error(`${((Date.now() - start) / 1000).toFixed(0).padStart(4)} s  ${line}`);
  const share = Math.ceil(pairs / builds.length);
  const shares = await Promise.all(builds.map((build, at) => runBuild(build, seed + at, share, tell)));
  const report = shares.reduce(mergeShares);
  const failures = unmet(report, pairs);
  const lines = [
    ...tableOf(report),
    '',
    ...countsOf(report),
    ...shares.map(({ build, emitsTypes, seconds }) => {
      return `build ${build}: decorated types ${emitsTypes ? 'emitted' : 'not emitted'}, ${seconds.toFixed(0)} s`;
    }),
    ...disagreementsOf(report),
    ...failures.map((failure) => `too little: ${failure}`),
    verdictOf(report),
  ];
  console.log(lines.join('\n'));
  return failures.length === 0 && totalOf(report).disagreements === 0 && report.disagreements.length === 0;
}

async function main(): Promise<void> {
  const options = readOptions();
  if (typeof options === 'string') console.log(options);
  else if (!(await run(options))) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  // Ends the other build's process too.
  process.exit(1);
});
