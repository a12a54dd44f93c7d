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

const read = (): Effect => ({});
const write = (): Effect => ({ kind: 'write' });
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
  // One race for each kind of call, since a process has one ledger.
  const added = async (
    what: string,
    effect: () => Effect,
    layer: Partial<ToolkitOptions>,
    target: number,
  ) => {
    const [bare, layered] = [await made(effect()), await made(effect(), layer)];
    const rounds = await race({ langchain, bare, layered }, good);
    return {
      what: `${name} added by ${what}`,
      ratio: extra(rounds.layered, rounds.bare, rounds.langchain),
      target,
    };
  };
  return [
    await added('the ledger', write, ledgered(), MOST_ADDED),
    await added('the ledger, with a business key', keyed, ledgered(), MOST_ADDED),
    await added('the ledger, no side effects', read, ledgered(), NOISE),
    await added('approvals, none required', write, approved(), NOISE),
    await added('approvals, no side effects', read, approved(), NOISE),
  ];
}
