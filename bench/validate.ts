/**
 * Measures the gate against class-transformer with class-validator, zod, Ajv and a check by hand, and prints
 * each ratio beside its target.
 * Invariant: nothing is timed before every engine has accepted the good payloads and refused the bad ones.
 */
import 'reflect-metadata';
import { execFileSync } from 'node:child_process';
import Ajv2020 from 'ajv/dist/2020';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { inputContract } from 'toolcrib';
import { prettifyError } from 'zod';
import { emissionCost, makeCrowd } from './crowd';
import { type Candidate, median, race, ratio } from './harness';
import { conclude, type Line, measure } from './report';
import { SHAPES, type Shape } from './shapes';

const CROWD = 10_000;
const FEW = 1_000;
const MANY = 20_000;
const ZOD_TARGETS: Readonly<Record<string, number>> = { S: 1, M: 0.35, L: 0.3 };

/** What each engine makes of a payload; a refusal has all its messages. */
function enginesOf({ dto, zod, hand }: Shape) {
  const contract = inputContract(dto);
  const ajv = new Ajv2020({ allowUnionTypes: true, validateFormats: false }).compile(contract.schema);
  return {
    toolcrib: (raw: unknown) => contract.parse(raw),
    validator: async (raw: unknown) => {
      const instance = plainToInstance(dto, raw);
      const errors = await validate(instance, { whitelist: true, forbidNonWhitelisted: true });
      return errors.length === 0 ? instance : errors;
    },
    zod: (raw: unknown) => {
      const outcome = zod?.safeParse(raw);
      return outcome?.success === false ? prettifyError(outcome.error) : outcome?.data;
    },
    ajv: (raw: unknown) => ajv(raw),
    hand: (raw: unknown) => hand(raw),
  };
}

type Engines = ReturnType<typeof enginesOf>;

async function verdicts({ toolcrib, validator, zod, ajv, hand }: Engines, raw: unknown): Promise<boolean[]> {
  return [
    (await toolcrib(raw)).ok,
    !Array.isArray(await validator(raw)),
    typeof zod(raw) !== 'string',
    ajv(raw),
    hand(raw) !== undefined,
  ];
}

/** Holds all engines to one verdict on every payload. */
async function checkEngines(shape: Shape, engines: Engines): Promise<void> {
  for (const [payloads, isGood] of [[shape.good, true] as const, [shape.bad, false] as const]) {
    for (const payload of payloads) {
      const said = await verdicts(engines, payload);
      // Of the rules that run after the gate, the schema and zod know nothing.
      const heard = shape.zod === undefined ? [said[0], said[1], said[4]] : said;
      if (heard.every((one) => one === isGood)) continue;
      throw new Error(`${shape.name}: ${JSON.stringify(said)} on ${JSON.stringify(payload).slice(0, 200)}`);
    }
  }
}

async function compare(shape: Shape, engines: Engines): Promise<readonly Line[]> {
  const { name } = shape;
  const accept = await race(engines, shape.good);
  const reject = await race({ toolcrib: engines.toolcrib, zod: engines.zod }, shape.bad);
  const over = (what: string, against: readonly number[], target?: number): Line => ({
    what: `${name} accept / ${what}`,
    ratio: ratio(accept.toolcrib, against),
    ...(target === undefined ? {} : { target }),
  });
  return [
    over('class-transformer + class-validator', accept.validator, 0.1),
    over('zod safeParse', accept.zod, ZOD_TARGETS[name] ?? Number.NaN),
    over('Ajv alone', accept.ajv, 2.5),
    over('check by hand (no target)', accept.hand),
    {
      what: `${name} reject / zod safeParse + prettifyError`,
      ratio: ratio(reject.toolcrib, reject.zod),
      target: 2,
    },
  ];
}

/** How many times as long as the check by hand of a good payload a shape takes, accepted and refused. */
async function overHand({ hand, good, bad }: Shape, toolcrib: Candidate): Promise<readonly number[]> {
  let next = 0;
  const yardstick = () => {
    next += 1;
    return hand(good[next % good.length]);
  };
  const accept = await race({ toolcrib, yardstick }, good);
  const reject = await race({ toolcrib, yardstick }, bad);
  return [ratio(accept.toolcrib, accept.yardstick), ratio(reject.toolcrib, reject.yardstick)];
}

/** Measures all shapes alone and then beside many other decorated classes. */
async function compareCrowded(): Promise<readonly Line[]> {
  const runs = SHAPES.map((shape) => ({ shape, toolcrib: enginesOf(shape).toolcrib }));
  // A first time for all, so that what is compared is the number of classes and not how warm the process is.
  for (const { shape, toolcrib } of runs) await overHand(shape, toolcrib);
  const alone = [];
  for (const { shape, toolcrib } of runs) alone.push(await overHand(shape, toolcrib));
  const crowd = makeCrowd(CROWD);
  const lines: Line[] = [];
  for (const [index, { shape, toolcrib }] of runs.entries()) {
    const crowded = await overHand(shape, toolcrib);
    for (const [part, verdict] of ['accept', 'reject'].entries()) {
      lines.push({
        what: `${shape.name} ${verdict} with ${crowd.length} other classes / with none`,
        ratio: (crowded[part] ?? Number.NaN) / (alone[index]?.[part] ?? Number.NaN),
        target: 1.3,
      });
    }
  }
  return lines;
}

/** Runs a part of this file in a process of its own. */
function inOwnProcess(...words: readonly string[]): string {
  return execFileSync(process.execPath, [__filename, ...words], { encoding: 'utf8' });
}

function compareEmission(): readonly Line[] {
  const costs = Array.from({ length: 3 }, () =>
    [MANY, FEW].map((size) => Number(inOwnProcess('emission', String(size)))),
  );
  const [many, few] = [0, 1].map((part) => median(costs.map((cost) => cost[part] ?? Number.NaN)));
  const what = `emission, a class of ${MANY} / a class of ${FEW}`;
  return [{ what, ratio: (many ?? Number.NaN) / (few ?? Number.NaN), target: 1.5 }];
}

async function main(): Promise<void> {
  const lines: Line[] = [];
  for (const shape of SHAPES) {
    const engines = enginesOf(shape);
    await checkEngines(shape, engines);
    if (shape.zod !== undefined) lines.push(...(await measure(() => compare(shape, engines))));
  }
  lines.push(...(await measure(() => JSON.parse(inOwnProcess('crowd')))));
  lines.push(...(await measure(compareEmission)));
  conclude(lines);
}

const [part, size] = process.argv.slice(2);
if (part === 'emission') console.log(emissionCost(Number(size)));
else if (part === 'crowd') void compareCrowded().then((lines) => console.log(JSON.stringify(lines)));
else void main();
