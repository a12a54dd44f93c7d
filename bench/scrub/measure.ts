/**
 * Measures what scrubbing finds of made secrets, and what it spoils of ordinary texts, and fails below the bar.
 * Invariant: every secret and text goes through a call as a handler would send it; the seed fixes them all.
 * Use: `npm run -s scrub:measure -- [seed] [--second-opinion]`.
 */
import 'reflect-metadata';
import { isDeepStrictEqual } from 'node:util';
import { type JsonValue, ToolError } from 'toolcrib';
import type { Kind } from './kind';
import { CLOUD_KINDS } from './kinds/clouds';
import { CODE_KINDS } from './kinds/code';
import { MODEL_KINDS } from './kinds/models';
import { PLAIN_KINDS } from './kinds/plain';
import { WORK_KINDS } from './kinds/work';
import { inWords, SHAPES, shows } from './leaks';
import { ordinaryText, ordinaryValue } from './ordinary';
import { makeProbe, textsOf } from './probe';
import { Random } from './random';
import { secondOpinion } from './second-opinion';

const KINDS: readonly Kind[] = [...MODEL_KINDS, ...CLOUD_KINDS, ...CODE_KINDS, ...WORK_KINDS, ...PLAIN_KINDS];
const OF_EACH_KIND = SHAPES.length;
const ORDINARY = 3_000;
const MIN_RECALL = 0.99;
const MAX_SPOILED = 0.005;
const DEFAULT_SEED = 20_260_301;
const NAMED = 'violet-Anchor:41/ridge';
const MAX_EXAMPLES = 20;

type Probe = Awaited<ReturnType<typeof makeProbe>>;

interface Tally {
  total: number;
  wrong: number;
  readonly examples: string[];
}

function count(tally: Tally, isWrong: boolean, example: string): void {
  tally.total += 1;
  if (!isWrong) return;
  tally.wrong += 1;
  if (tally.examples.length < MAX_EXAMPLES) tally.examples.push(example.slice(0, 300));
}

async function measureRecall(
  probe: Probe,
  random: Random,
): Promise<Tally & { readonly texts: readonly string[] }> {
  const tally: Tally = { total: 0, wrong: 0, examples: [] };
  const texts: string[] = [];
  for (const kind of KINDS) {
    for (let round = 0; round < OF_EACH_KIND; round += 1) {
      const secret = kind.make(random);
      const text = inWords(secret, random);
      // A secret that is not seen even in its own words would be found for nothing.
      if (!shows(text, secret)) throw new TypeError(`${kind.name} is not seen in ${text}`);
      const shape = SHAPES[(round + tally.total) % SHAPES.length] ?? SHAPES[0];
      if (shape === undefined) throw new TypeError('there is no shape');
      const departure = await probe((context) => shape.run(text, context));
      const said = textsOf([departure.answer, departure.log]).join('\n');
      count(tally, shows(said, secret), `${kind.name} in ${shape.name}: ${JSON.stringify(text)}`);
      texts.push(text);
    }
  }
  return { ...tally, texts };
}

async function measureSpoiled(probe: Probe, random: Random): Promise<Tally> {
  const tally: Tally = { total: 0, wrong: 0, examples: [] };
  while (tally.total < ORDINARY) {
    const text = ordinaryText(random);
    const detail = ordinaryValue(random);
    const failed = await probe(() => {
      throw new ToolError({ code: 'refused', message: text, retryable: false, detail });
    });
    const error = failed.answer.success ? undefined : failed.answer.error;
    count(
      tally,
      error?.message !== text,
      `message ${JSON.stringify(text)} became ${JSON.stringify(error?.message)}`,
    );
    count(tally, !isDeepStrictEqual(error?.detail, detail), `detail ${differences(detail, error?.detail)}`);
    const { answer } = await probe(() => detail);
    count(tally, !(answer.success && isDeepStrictEqual(answer.result, detail)), 'a result was changed');
  }
  return tally;
}

function differences(before: JsonValue, after: unknown): string {
  const seen = new Set(textsOf(after));
  return JSON.stringify(textsOf(before).filter((text) => !seen.has(text)));
}

async function main(): Promise<void> {
  const [given] = process.argv.slice(2).filter((one) => /^\d+$/.test(one));
  const seed = given === undefined ? DEFAULT_SEED : Number(given);
  const probe = await makeProbe(NAMED);
  const recall = await measureRecall(probe, new Random(seed));
  const spoiled = await measureSpoiled(probe, new Random(seed + 1));
  for (const example of recall.examples) console.log(`missed: ${example}`);
  for (const example of spoiled.examples) console.log(`spoiled: ${example}`);
  if (process.argv.includes('--second-opinion')) console.log(await secondOpinion(recall.texts));
  const found = 1 - recall.wrong / recall.total;
  const share = spoiled.wrong / spoiled.total;
  console.log(
    `seed ${seed}: ${recall.total} secrets of ${KINDS.length} kinds, ${spoiled.total} ordinary values`,
  );
  console.log(
    `recall ${found.toFixed(4)} (at least ${MIN_RECALL}), spoiled ${share.toFixed(4)} (at most ${MAX_SPOILED})`,
  );
  process.exitCode = found >= MIN_RECALL && share <= MAX_SPOILED ? 0 : 1;
}

void main();
