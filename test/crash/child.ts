/**
 * A process that makes one call, and kills itself at the point that it is told.
 * Invariant: nothing of it runs after the point: SIGKILL is what it sends itself.
 */
import 'reflect-metadata';
import type { Ledger, ToolContext } from 'toolcrib';
import { CALLER, chargeToolkit } from '../race/charge';
import { openStore, type StoreAddress } from '../race/stores';
import { isPoint, type Point } from './points';

/** What a child is told. */
export interface Order {
  readonly store: StoreAddress;
  readonly point: string;
  readonly reference: string;
}

/** How long the claim of a killed process stands, in milliseconds. */
const LEASE_MS = 1_000;

/** When a process that nothing killed gives up. */
const UNKILLED_MS = 5_000;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal may arrive a moment later; nothing may run until then.
  for (;;);
}

/** Dies where the point is the one that was asked for. */
type At = (point: Point) => void;

function dying(ledger: Ledger, at: At, isAt: (point: Point) => boolean): Ledger {
  /** Dies while a statement is on its way, or a turn of the event loop later. */
  const send = async <T>(what: 'claim' | 'end', act: () => T | Promise<T>): Promise<T> => {
    const sending = act();
    at(`the ${what} is sent`);
    if (isAt(`a turn after the ${what} was sent`)) setImmediate(die);
    return sending;
  };
  return {
    claim: async (claim) => {
      at('before the claim');
      const answer = await send('claim', () => ledger.claim({ ...claim, leaseMs: LEASE_MS }));
      at('the claim is granted');
      return answer;
    },
    end: async (key, token, outcome) => {
      at('before the end');
      const isEnded = await send('end', () => ledger.end(key, token, outcome));
      at('the end is recorded');
      return isEnded;
    },
    settled: (key, signal) => ledger.settled(key, signal),
    get: (key) => ledger.get(key),
    list: (query) => ledger.list(query),
    settle: (key, settlement) => ledger.settle(key, settlement),
  };
}

async function call({ store: address, point, reference }: Order): Promise<void> {
  if (!isPoint(point)) throw new TypeError(`there is no point ${point}`);
  const isAt = (one: Point) => one === point;
  const at: At = (one) => {
    if (isAt(one)) die();
  };
  const store = await openStore(address, false);
  // The first statement checks the tables, which is no part of the call.
  await store.ledger.get('');
  const carry = async (name: string, execution: string, { progress }: ToolContext) => {
    at('the handler has begun');
    const adding = store.executions.add(name, execution);
    at('the execution is sent');
    await adding;
    at('the execution is done');
    for (let step = 1; step <= 3; step += 1) {
      progress({ progress: step, total: 3 });
      await new Promise(setImmediate);
      if (step === 2) at('after progress of long work');
    }
  };
  const toolkit = await chargeToolkit(dying(store.ledger, at, isAt), carry);
  const options = { principal: CALLER, callId: reference, onProgress: () => {} };
  const result = await toolkit.invoke('proof.charge', { reference, cents: 500 }, options);
  at('the answer is there');
  process.send?.(result, () => {
    at('the answer is acknowledged');
    // A kill that was due a turn later is yet to come.
    setTimeout(() => process.exit(1), UNKILLED_MS);
  });
}

process.once('message', (order: Order) => void call(order));
process.send?.('ready');
