/**
 * Looks at the clocks: that of the machine against its own steady one, and against those of its stores.
 * Invariant: a difference is told only where the time that asking took cannot explain it.
 */
import { answering, inWords } from './answering';
import { fail, ok, type Symptom, warn } from './symptom';

/** The clocks of a process; times in milliseconds since 1970. */
export interface Clocks {
  /** The clock that an operator may set. */
  wall(): number;
  /** The same time by a clock that nobody sets: when the process started, and how long ago that is. */
  steady(): number;
}

/** Those of this process. */
export const PROCESS_CLOCKS: Clocks = {
  wall: () => Date.now(),
  steady: () => performance.timeOrigin + performance.now(),
};

const NOTABLE_MS = 1_000;
/** How long a lease outlasts its call: clocks that are further apart make order of it impossible to tell. */
const GRAVE_MS = 30_000;
const MEND = 'Synchronise the clocks of the machines, by NTP for instance.';

/** Whether the clock of the machine was set while the process ran. */
export function checkClock({ wall, steady }: Clocks): Symptom {
  const jump = Math.round(wall() - steady());
  if (Math.abs(jump) < NOTABLE_MS) return ok('clock', 'it runs evenly');
  return warn('clock', `it was set by ${jump} ms since the process started`, MEND);
}

/** Tells the clock of a store, where it has one of its own; another installed copy may have made it. */
function clockOf(store: object | undefined): (() => Promise<number>) | undefined {
  if (store === undefined || !('storeTime' in store)) return undefined;
  const { storeTime } = store;
  return typeof storeTime === 'function' ? async () => Number(await storeTime.call(store)) : undefined;
}

/**
 * Whether the clock of a store, by which the leases of a ledger end, is that of this machine; none: it has no clock of
 * its own.
 */
export async function checkStoreClock(
  name: string,
  store: object | undefined,
  { wall }: Clocks,
): Promise<readonly Symptom[]> {
  const check = `the ${name}'s clock`;
  const clock = clockOf(store);
  if (clock === undefined) return [];
  try {
    const before = wall();
    const there = await answering(clock);
    const after = wall();
    const apart = there < before ? there - before : Math.max(0, there - after);
    if (!Number.isFinite(apart)) return [fail(check, 'it tells no time', MEND)];
    if (Math.abs(apart) < NOTABLE_MS) return [ok(check, 'it is that of this machine')];
    const words = `it is ${Math.abs(apart)} ms ${apart < 0 ? 'behind' : 'ahead of'} that of this machine`;
    return [Math.abs(apart) < GRAVE_MS ? warn(check, words, MEND) : fail(check, words, MEND)];
  } catch (error) {
    return [fail(check, inWords(error), `See what is said of the ${name}.`)];
  }
}
