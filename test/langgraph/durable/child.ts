/**
 * A process that takes one step of a run, and is killed: where it is told to, or once it has told what came of it.
 * Invariant: nothing of it runs after its point: SIGKILL is what it sends itself.
 */
import 'reflect-metadata';
import type { Interceptor, Ledger } from 'toolcrib';
import { type RequestedCall, toolMessages } from '../../fixtures/langgraph-runtimes';
import { agents } from './agents';
import { moneyTools } from './money';
import { openPlace, type PlaceAddress } from './places';

/** When a process kills itself. */
interface Point {
  /** Once the row of the effect is there, or once the ledger has recorded it. */
  readonly at: 'acted' | 'recorded';
  readonly callId: string;
  /** Whether the call acts only once another call waits for approval. */
  readonly awaitsPause: boolean;
}

/** What a process is told. */
export interface Order {
  readonly place: PlaceAddress;
  readonly agent: string;
  readonly thread: string;
  readonly calls: readonly RequestedCall[];
  readonly step: { readonly kind: 'begin' | 'go on' } | { readonly kind: 'resume'; readonly answer: unknown };
  readonly point?: Point;
  /** Whether it is killed the moment that its graph has answered, whatever calls still run. */
  readonly isAbrupt?: boolean;
}

/** What came of a step. */
export interface Told {
  readonly interrupts: readonly { readonly id?: string; readonly value?: unknown }[];
  /** The id of each call, and its result or the code of its error. */
  readonly answered: readonly (readonly [callId: string, answer: unknown])[];
}

/** How long the claim of a killed process stands, in milliseconds. */
const LEASE_MS = 500;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal may arrive a moment later; nothing may run until then.
  for (;;);
}

function withShortLease(ledger: Ledger): Ledger {
  return {
    claim: (claim) => ledger.claim({ ...claim, leaseMs: LEASE_MS }),
    end: (key, token, outcome) => ledger.end(key, token, outcome),
    settled: (key, signal) => ledger.settled(key, signal),
    get: (key) => ledger.get(key),
    list: (query) => ledger.list(query),
    settle: (key, settlement) => ledger.settle(key, settlement),
  };
}

async function take(order: Order): Promise<Told> {
  const { place: address, agent: name, thread, calls, step, point, isAbrupt = false } = order;
  const place = await openPlace(address, false);
  let paused: () => void = () => {};
  const pause = new Promise<void>((resolve) => {
    paused = resolve;
  });
  const hearing: Interceptor = {
    stage: 'approve',
    run: (_call, next) =>
      next().catch((error: unknown) => {
        paused();
        throw error;
      }),
  };
  const isAt = (at: Point['at'], callId: string) => point?.at === at && point.callId === callId;
  const { tools, toolkit } = await moneyTools(
    { add: place.add, ledger: withShortLease(place.ledger) },
    {
      before: (callId) => (point?.awaitsPause && point.callId === callId ? pause : undefined),
      after: (callId) => (isAt('acted', callId) ? die() : undefined),
      recorded: (callId, state) => (state === 'finished' && isAt('recorded', callId) ? die() : undefined),
    },
    { interceptors: [hearing] },
  );
  const agent = agents.find((one) => one.name === name);
  if (agent === undefined) throw new TypeError(`there is no agent ${name}`);
  const runs = agent.prepare({ tools, calls, checkpointer: place.checkpointer });
  const take = { begin: runs.begin, 'go on': runs.goOn };
  const state =
    step.kind === 'resume' ? await runs.resume(thread, step.answer) : await take[step.kind](thread);
  // A process whose point is yet to come runs on until it is there.
  if (point !== undefined) await new Promise(() => setInterval(() => {}, 1_000));
  // Where all calls are one task, a pause does not wait for those that still run.
  if (!isAbrupt) await toolkit.close();
  const { __interrupt__ = [] } = state;
  return {
    interrupts: __interrupt__.map(({ id, value }) => ({ ...(id === undefined ? {} : { id }), value })),
    answered: toolMessages(state).map(({ tool_call_id, artifact }) => [
      tool_call_id,
      artifact.error?.code ?? artifact.result,
    ]),
  };
}

process.once('message', (order: Order) => {
  take(order).then(
    (told) => process.send?.(told),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.send?.('ready');
