/**
 * Measures what the layers of `toolkit.invoke` add to a call, in units of one call of a LangChain tool with zod.
 * Invariant: all candidates run side by side over the same payloads, and the end of every call is checked.
 */
import 'reflect-metadata';
import { DynamicStructuredTool, tool } from '@langchain/core/tools';
import { type Candidate, extra, race, ratio } from './harness';
import { keptCalls } from './ledger';
import { type Answer, alone, type Handler, LAYERS, measured, repeating } from './measured-tool';
import { conclude, type Line, measure } from './report';
import { SHAPES, type Shape } from './shapes';
import { observedCalls } from './telemetry';

const MOST_ADDED = 0.15;
const MEASURED = ['S', 'M'];
const HELP = `npm run -s bench:invoke [-- --short]

Measures what rate limits, a concurrency bound, a circuit breaker, retries and the retry guard add to a call of a
toolkit that has none of them, in units of one call of a LangChain tool() with zod, and each of them alone; also what
the ledger, approvals and telemetry add.
Last line: the sums; exit code 1 when one is above ${MOST_ADDED}.

  --short  the sums alone`;

const answer: Answer = { id: 'order-1', done: true };
const atOnce: Handler = () => answer;
const later: Handler = async () => {
  await undefined;
  return answer;
};
const failing: Handler = () => {
  throw new Error('cannot reach postgres://orders:s3cr3t-0f-0rders@db.internal:5432/orders');
};

function checked(call: (payload: never) => Promise<unknown>): Candidate {
  return async (payload) => {
    const result = await Reflect.apply(call, undefined, [payload]);
    if (result !== answer) throw new Error('a measured call of a peer ended badly');
    return result;
  };
}

/** The peers, and the floor. */
function peersOf({ zod, hand }: Shape) {
  if (zod === undefined) throw new TypeError('the shape has no zod schema');
  const words = { name: 'bench_call', description: 'Is measured', schema: zod };
  const made = tool(async () => answer, words);
  const dynamic = new DynamicStructuredTool({ ...words, func: async () => answer });
  return {
    langchain: checked((payload) => made.invoke(payload)),
    dynamic: checked((payload) => dynamic.invoke(payload)),
    hand: async (payload: unknown) => {
      if (hand(payload) === undefined) throw new Error('a good payload was refused');
      return { success: true, result: { ...answer } };
    },
  };
}

const all = Object.values(LAYERS);

async function addedTo(shape: Shape): Promise<readonly Line[]> {
  const { dto, name, good } = shape;
  const rounds = await race(
    {
      ...peersOf(shape),
      bare: await measured(dto, [], atOnce),
      whole: await measured(dto, all, atOnce),
    },
    good,
  );
  const whole = (what: string, against: readonly number[]): Line => ({
    what: `${name} whole call / ${what}`,
    ratio: ratio(rounds.whole, against),
  });
  return [
    {
      what: `${name} added by all layers / LangChain tool() + zod`,
      ratio: extra(rounds.whole, rounds.bare, rounds.langchain),
      target: MOST_ADDED,
    },
    whole('LangChain tool() + zod', rounds.langchain),
    whole('LangChain DynamicStructuredTool + zod', rounds.dynamic),
    whole('a toolkit without the layers', rounds.bare),
    whole('check by hand', rounds.hand),
  ];
}

/** What single layers add, and other ways of a call; for information. */
async function detailsOf(shape: Shape): Promise<readonly Line[]> {
  const { dto, name, good } = shape;
  const { langchain } = peersOf(shape);
  const layers: Record<string, Candidate> = {};
  for (const [layer, options] of Object.entries(LAYERS)) {
    layers[layer] = await measured(dto, [options], atOnce);
  }
  const others: Record<string, Candidate> = {
    'a handler that awaits': await measured(dto, all, later),
    'a handler that throws': await measured(dto, all, failing, { caller: alone, code: 'internal_error' }),
    'refused by the retry guard': await refused(shape),
  };
  const bare = await measured(dto, [], atOnce);
  const candidates: Record<string, Candidate> = { langchain, bare, ...layers, ...others };
  const rounds = await race(candidates, good);
  const of = (one: string) => rounds[one] ?? [];
  return [
    ...Object.keys(LAYERS).map((layer) => ({
      what: `${name} added by ${layer}`,
      ratio: extra(of(layer), of('bare'), of('langchain')),
    })),
    ...Object.keys(others).map((other) => ({
      what: `${name} ${other}`,
      ratio: ratio(of(other), of('langchain')),
    })),
  ];
}

/** A tool that has failed with every payload for everyone, so that each further call is refused. */
async function refused({ dto, good }: Shape): Promise<Candidate> {
  const inTheEnd = { caller: repeating, code: 'retry_refused' };
  const candidate = await measured(dto, all, failing, inTheEnd);
  for (const payload of good) await Promise.resolve(candidate(payload)).catch(() => {});
  return candidate;
}

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    console.log(HELP);
    return;
  }
  const lines: Line[] = [];
  const sums: string[] = [];
  for (const shape of SHAPES.filter(({ name }) => MEASURED.includes(name))) {
    const added = await measure(() => addedTo(shape));
    const { langchain } = peersOf(shape);
    const kept = await measure(() => keptCalls(shape, langchain, atOnce));
    const observed = await measure(() => observedCalls(shape, langchain, atOnce));
    lines.push(...added, ...kept, ...observed);
    sums.push(`${shape.name} ${(added[0]?.ratio ?? Number.NaN).toFixed(3)}`);
    if (!process.argv.includes('--short')) await measure(() => detailsOf(shape));
  }
  console.log(`added ${sums.join(', ')} of one LangChain tool() + zod call (at most ${MOST_ADDED})`);
  conclude(lines);
}

void main();
