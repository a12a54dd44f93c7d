/**
 * Measures what the ledger and the approvals add to a call.
 * Invariant: a ledger is full, as in long use, before it is measured, and no measured call repeats another.
 */
import { MemoryLedger, type ToolkitOptions } from 'toolcrib';
import { type Candidate, extra, race } from './harness';
import { type Effect, type Handler, measured } from './measured-tool';
import type { Line } from './report';
import type { Shape } from './shapes';

const MOST_ADDED = 0.15;
/** What is none: as much as two equal candidates may differ. */
const NOISE = 0.02;
/** How many calls fill a ledger. */
const FILLING = 10_000;

const ledgered = (): Partial<ToolkitOptions> => ({ ledger: new MemoryLedger() });
const approved = (): Partial<ToolkitOptions> => ({ approval: {} });

const write: Effect = { kind: 'write' };
function keyed(): Effect {
  let call = 0;
  return {
    kind: 'write',
    key: () => {
      call += 1;
      return `order-${call}`;
    },
  };
}

/** What is added where nothing may be done twice, and where there is nothing to keep. */
export async function keptCalls(
  { dto, name, good }: Shape,
  langchain: Candidate,
  handler: Handler,
): Promise<readonly Line[]> {
  const made = async (effect: Effect, ...layers: Partial<ToolkitOptions>[]): Promise<Candidate> => {
    const candidate = await measured(dto, layers, handler, effect);
    for (let call = 0; call < FILLING; call += 1) await candidate(good[call % good.length]);
    return candidate;
  };
  const rounds = await race(
    {
      langchain,
      write: await made(write),
      writeKept: await made(write, ledgered()),
      writeJudged: await made(write, approved()),
      keyed: await made(keyed()),
      keyedKept: await made(keyed(), ledgered()),
      read: await made({}),
      readKept: await made({}, ledgered()),
      readJudged: await made({}, approved()),
    },
    good,
  );
  const line = (what: string, whole: readonly number[], base: readonly number[], target: number): Line => ({
    what: `${name} added by ${what}`,
    ratio: extra(whole, base, rounds.langchain),
    target,
  });
  const { write: bare, keyed: bareKeyed, read } = rounds;
  return [
    line('the ledger', rounds.writeKept, bare, MOST_ADDED),
    line('the ledger, with a business key', rounds.keyedKept, bareKeyed, MOST_ADDED),
    line('the ledger, no side effects', rounds.readKept, read, NOISE),
    line('approvals, none required', rounds.writeJudged, bare, NOISE),
    line('approvals, no side effects', rounds.readJudged, read, NOISE),
  ];
}
