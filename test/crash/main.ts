/**
 * Proves that no crash makes an action happen twice, and that none is lost: npm run -s crash
 * Invariant: it ends with exit code 1 on anything wrong, and when it killed too few processes.
 */
import 'reflect-metadata';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chargeToolkit } from '../race/charge';
import { newStore, openStore, type StoreKind } from '../race/stores';
import { bundleChild } from './bundle';
import { type Killed, runAndKill } from './kill';
import { POINTS } from './points';
import { type Recovery, recover } from './recover';

const LEAST_POINTS = 12;
const LEAST_TIMES = 20;
/** How many processes run at the same time. */
const AT_ONCE = 3;

const start = Date.now();

function tell(line: string): void {
  console.error(`${((Date.now() - start) / 1000).toFixed(0).padStart(4)} s  ${line}`);
}

type Judged = Killed & { readonly recovery: Recovery };

async function each<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async () => {
    for (let item = items[next]; item !== undefined; item = items[next]) {
      next += 1;
      results.push(await act(item));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

async function runStore(kind: StoreKind, child: string, times: number): Promise<readonly Judged[]> {
  const place = await newStore(kind);
  const { kind: storeKind, at } = place;
  const { ledger, executions, close } = await openStore(place, true);
  const toolkit = await chargeToolkit(ledger, (reference, execution) => executions.add(reference, execution));
  const orders = Object.keys(POINTS).flatMap((point, number) =>
    Array.from({ length: times }, (_, run) => ({
      store: { kind: storeKind, at },
      point,
      reference: `${number}-${run}`,
    })),
  );
  let done = 0;
  const killed = await each(orders, async (order) => {
    const one = await runAndKill(child, order);
    done += 1;
    if (done % 50 === 0) tell(`${kind}: ${done} of ${orders.length} killed`);
    return one;
  });
  const judged = await each(killed, async (one) => ({
    ...one,
    recovery: await recover({ toolkit, ledger, executions }, one),
  }));
  tell(`${kind}: ${judged.length} recovered`);
  await toolkit.close();
  await close();
  await place.remove();
  return judged;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { times: { type: 'string', default: String(LEAST_TIMES) } } });
  const times = Number(values.times);
  const child = bundleChild(join(process.cwd(), 'build/crash/child.js'));
  const stores = ['SQLite', 'Postgres'] as const;
  const all = await Promise.all(stores.map((kind) => runStore(kind, child, times)));
  const points = Object.keys(POINTS);
  for (const [at, kind] of stores.entries()) {
    for (const point of points) {
      const outcomes = (all[at] ?? [])
        .filter((one) => one.point === point)
        .map((one) => one.recovery.outcome);
      const count = (outcome: Recovery['outcome']) => outcomes.filter((one) => one === outcome).length;
      console.log(
        `${kind.padEnd(8)}  ${point.padEnd(32)}  ${count('executed once and recorded')} recorded, ${count('unknown and listed')} unknown, ${count('wrong')} wrong`,
      );
    }
  }
  const judged = all.flat();
  const wrong = judged.filter(({ recovery }) => recovery.outcome === 'wrong');
  for (const { point, recovery } of wrong.slice(0, 20)) {
    console.log(`wrong, killed at "${point}": ${recovery.outcome === 'wrong' ? recovery.why : ''}`);
  }
  const count = (outcome: Recovery['outcome']) =>
    judged.filter(({ recovery }) => recovery.outcome === outcome).length;
  const isEnough =
    points.length >= LEAST_POINTS && judged.length >= stores.length * points.length * LEAST_TIMES;
  if (!isEnough) console.log(`too few: ${LEAST_POINTS} points, ${LEAST_TIMES} times each are needed`);
  console.log(
    `${judged.length} kills at ${points.length} points over ${stores.length} stores: ${count('executed once and recorded')} executed once and recorded, ${count('unknown and listed')} unknown and listed, ${wrong.length} wrong`,
  );
  process.exitCode = wrong.length === 0 && isEnough ? 0 : 1;
}

main().catch((error: unknown) => {
  console.error(error);
  // Ends the other processes too.
  process.exit(1);
});
