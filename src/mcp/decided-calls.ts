/**
 * Remembers which calls the person at a client has decided, so that the state they were asked by decides nothing more.
 * Invariant: it forgets no decision while a state with it is taken, holds a bounded number of them, and where it is full
 * nobody approves by a state.
 */
import type { ApprovalDecision } from '../contract/approval';

/** In bytes some ten million. */
const MAX_CALLS = 50_000;

/** The calls that are decided, of one door. */
export class DecidedCalls {
  /** In the order in which they are forgotten. */
  private readonly decided = new Map<
    string,
    { readonly decision: ApprovalDecision; readonly until: number }
  >();
  /** By call, what ends with the last request of it. */
  private readonly turns = new Map<string, Promise<unknown>>();

  /** @param lifetimeMs how long a state with a decision can be taken, from when it was decided. */
  constructor(private readonly lifetimeMs: number) {}

  /** The decision that was used; undefined: there is none. */
  decisionOn(callId: string): ApprovalDecision | undefined {
    return this.decided.get(callId)?.decision;
  }

  /** Whether a decision on one more call can be kept. */
  get hasRoom(): boolean {
    if (this.decided.size < MAX_CALLS) return true;
    for (const [callId, { until }] of this.decided) {
      if (until > Date.now()) break;
      this.decided.delete(callId);
    }
    return this.decided.size < MAX_CALLS;
  }

  /** Keeps a decision once the call has ended by it. The first stays. */
  note(callId: string, decision: ApprovalDecision): void {
    if (this.decided.has(callId)) return;
    this.decided.set(callId, { decision, until: Date.now() + this.lifetimeMs });
  }

  /** Runs the requests of one call one after the other, so that each sees what the one before has come to. */
  async inTurn<T>(callId: string, run: () => Promise<T>): Promise<T> {
    const before = this.turns.get(callId) ?? Promise.resolve();
    const turn = before.then(run);
    const ended = turn.catch(() => {});
    this.turns.set(callId, ended);
    try {
      return await turn;
    } finally {
      if (this.turns.get(callId) === ended) this.turns.delete(callId);
    }
  }
}
