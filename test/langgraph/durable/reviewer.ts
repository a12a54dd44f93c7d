/**
 * Whoever answers the interrupts of runs.
 * Invariant: an answer is made for the interrupt that is shown, and says whose it is, so that one that went to
 * another call shows.
 */
import type { ApprovalInterrupt } from 'toolcrib/langgraph';
import { isApproval } from '../../fixtures/approval-runs';
import type { RunState } from '../../fixtures/langgraph-runtimes';
import type { AgentRuns } from './agents';

/** What a reviewer says of a request, but for the hash. */
export type Decide = (request: ApprovalInterrupt) => object;

/** What the sibling that crashes throws. */
export const CRASH = 'the sibling crashed';

const ROUNDS = 20;

const approveAll: Decide = () => ({ type: 'approve' });

/** One answer to one interrupt. */
function answerTo(value: unknown, decide: Decide): unknown {
  if (isApproval(value)) {
    return {
      decisions: { [value.callId]: { argumentHash: value.argumentHash, ...decide(value) } },
    };
  }
  const { callId, ask } = Object(value);
  return `${callId} ${ask}`;
}

/** The answers to interrupts, by their ids. */
export function answersById(interrupts: RunState['__interrupt__'] = [], decide: Decide = approveAll): object {
  return Object.fromEntries(interrupts.map(({ id, value }) => [id, answerTo(value, decide)]));
}

/** Answers as long as a run asks, and goes on as long as a sibling crashes. */
export async function finished(
  runs: AgentRuns,
  thread: string,
  begun: Promise<RunState>,
  decide: Decide = approveAll,
): Promise<RunState> {
  let running = begun;
  for (let round = 0; round < ROUNDS; round += 1) {
    const state = await running.catch((error: unknown) => {
      if (error instanceof Error && error.message === CRASH) return undefined;
      throw error;
    });
    if (state === undefined) running = runs.goOn(thread);
    else if ((state.__interrupt__ ?? []).length === 0) return state;
    else running = runs.resume(thread, answersById(state.__interrupt__, decide));
  }
  throw new Error('the run asks or crashes without an end');
}
