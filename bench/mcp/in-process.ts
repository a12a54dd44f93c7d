/**
 * Measures requests through `handler.fetch`, in one process.
 * Invariant: the servers have been seen to answer every payload alike before any time is taken.
 */
import { deepStrictEqual } from 'node:assert';
import { type Candidate, type Prepare, type Rounds, race, ratio, spread } from '../harness';
import type { Line } from '../report';
import type { Shape } from '../shapes';
import { nameOf, ourHandler, sdkHandler } from './servers';
import { type Era, requireSuccess, resultOf, toSent } from './wire';

const MOST_AGAINST_SDK = 1.05;
const MOST_FOR_MANY = 1.2;
const MANY_TOOLS = 1_000;
/** A request leaves much to collect, and takes thousands of calls to get as fast as it gets. */
const LONG = { batchNs: 80e6, roundCount: 41, warmUpNs: 1.5e9 };
const ERAS: readonly Era[] = ['2026-07-28', '2025-11-25'];

interface Handler {
  fetch(request: Request): Promise<Response>;
}

async function answer(handler: Handler, request: unknown): Promise<string> {
  if (!(request instanceof Request)) throw new TypeError('no request was prepared');
  const response = await handler.fetch(request);
  const text = await response.text();
  requireSuccess(response.status, text);
  return text;
}

function candidate(handler: Handler): Candidate {
  return (request) => answer(handler, request);
}

/** Makes requests, with the tools in turns. */
function requests(era: Era, tools: number): Prepare {
  let call = 0;
  return (payload) => {
    call += 1;
    const sent = toSent(era, nameOf((call * 7) % tools), payload);
    return new Request('http://localhost/mcp', { method: 'POST', ...sent });
  };
}

async function requireAlike(one: Handler, other: Handler, pool: readonly unknown[], make: Prepare) {
  for (const payload of pool) {
    const [ours, theirs] = [
      resultOf(await answer(one, make(payload))),
      resultOf(await answer(other, make(payload))),
    ];
    deepStrictEqual(ours, theirs);
    deepStrictEqual(ours.structured, ours.mirrored);
  }
}

function line<Name extends string>(
  rounds: Rounds<Name>,
  one: Name,
  other: Name,
): Pick<Line, 'ratio' | 'spread'> {
  return { ratio: ratio(rounds[one], rounds[other]), spread: spread(rounds[one], rounds[other]) };
}

/** Ours against a server by hand, for clients of both eras; the target is for those of 2026. */
export async function againstSdk(shape: Shape): Promise<readonly Line[]> {
  const [ours, sdk] = [await ourHandler(shape), sdkHandler(shape)];
  const lines: Line[] = [];
  for (const era of ERAS) {
    const make = requests(era, 1);
    await requireAlike(ours, sdk, shape.good, make);
    const rounds = await race({ ours: candidate(ours), sdk: candidate(sdk) }, shape.good, {
      prepare: make,
      ...LONG,
    });
    lines.push({
      what: `${shape.name} in process, ${era}: toolkit / SDK + zod by hand`,
      ...line(rounds, 'ours', 'sdk'),
      ...(era === '2026-07-28' ? { target: MOST_AGAINST_SDK } : {}),
    });
  }
  await ours.close();
  await sdk.close();
  return lines;
}

/** Ours with many tools against ours with one. */
export async function manyTools(shape: Shape): Promise<readonly Line[]> {
  const [one, many] = [await ourHandler(shape), await ourHandler(shape, MANY_TOOLS)];
  const [make, makeMany] = [requests('2026-07-28', 1), requests('2026-07-28', MANY_TOOLS)];
  const pool = shape.good;
  for (let call = 0; call < MANY_TOOLS; call += 1) {
    await answer(many, makeMany(pool[call % pool.length]));
  }
  const rounds = await race(
    {
      one: (pair) => Array.isArray(pair) && answer(one, pair[0]),
      many: (pair) => Array.isArray(pair) && answer(many, pair[1]),
    },
    pool,
    { prepare: (payload) => [make(payload), makeMany(payload)], ...LONG },
  );
  await one.close();
  await many.close();
  const what = `${shape.name} in process: toolkit with ${MANY_TOOLS} tools / with one`;
  return [{ what, ...line(rounds, 'many', 'one'), target: MOST_FOR_MANY }];
}

/** What the server by hand takes for as many tools; for information. */
export async function manyToolsByHand(shape: Shape): Promise<readonly Line[]> {
  const [one, many] = [sdkHandler(shape), sdkHandler(shape, MANY_TOOLS)];
  const rounds = await race({ one: candidate(one), many: candidate(many) }, shape.good, {
    prepare: requests('2026-07-28', 1),
    ...LONG,
  });
  await one.close();
  await many.close();
  const what = `${shape.name} in process: SDK + zod by hand with ${MANY_TOOLS} tools / with one`;
  return [{ what, ...line(rounds, 'many', 'one') }];
}
