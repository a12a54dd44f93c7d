/**
 * The callers of one process in a race.
 * Invariant: the callers of a race start together, each with a call id of its own.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CALLER, chargeToolkit } from './charge';
import { openStore, type StoreAddress } from './stores';

/** The share of one process in a race. */
export interface Share {
  readonly reference: string;
  readonly callers: number;
}

/** What the callers of a share got, as text. */
export interface Answers {
  readonly reference: string;
  readonly answers: readonly string[];
}

/** A process, or this one, that takes part in races. */
export interface Racer {
  race(share: Share): Promise<Answers>;
  close(): Promise<void>;
}

/** How long an execution takes at most beyond its row, in milliseconds. */
const LINGERING_MS = 4;

/** Takes part from within this process. */
export async function racer(
  address: StoreAddress,
): Promise<Racer & Pick<Awaited<ReturnType<typeof openStore>>, 'executions'>> {
  const { ledger, executions, close } = await openStore(address, address.kind === 'memory');
  const toolkit = await chargeToolkit(ledger, async (reference, execution) => {
    await executions.add(reference, execution);
    await pause(Math.random() * LINGERING_MS);
  });
  const call = async (reference: string) => {
    const options = { principal: CALLER, callId: randomUUID() };
    return JSON.stringify(await toolkit.invoke('proof.charge', { reference, cents: 500 }, options));
  };
  return {
    executions,
    race: async ({ reference, callers }) => {
      const calls = Array.from({ length: callers }, () => call(reference));
      return { reference, answers: await Promise.all(calls) };
    },
    close: async () => {
      await toolkit.close();
      await close();
    },
  };
}
