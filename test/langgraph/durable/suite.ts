/**
 * What holds for effects in LangGraph over every checkpointer and ledger.
 * Invariant: whatever runs a call again, its effect is a row that is there once, and each call is answered.
 */
import { randomUUID } from 'node:crypto';
import { getRetryable } from '@langchain/core/errors';
import { type StructuredTool, tool } from '@langchain/core/tools';
import { isGraphBubbleUp } from '@langchain/langgraph';
import { toolRetryMiddleware } from 'langchain';
import { answering, requestsOf } from '../../fixtures/approval-runs';
import { type RequestedCall, type RunState, toolMessages } from '../../fixtures/langgraph-runtimes';
import { type AgentSetup, agents as allAgents, isWhole, langchainAgent, nodeAgent } from './agents';
import { mixed, mixedAnswers, mixedCalls, mixedEffects } from './mixed';
import { type Around, call, moneyTools } from './money';
import { emptyPlace, openPlace, type Place, type PlaceKind } from './places';
import { answersById, CRASH, type Decide, finished } from './reviewer';

/** Something that is told once, and can be waited for. */
function signal() {
  let tell: () => void = () => {};
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return { told, tell };
}

/** A tool of somebody else, which crashes in the runs that are given. */
function crashing(runs: readonly number[], before: () => unknown = () => {}): StructuredTool {
  let run = 0;
  const act = async () => {
    run += 1;
    if (!runs.includes(run)) return 'fine';
    await before();
    throw new Error(CRASH);
  };
  return tool(act, { name: 'crashing', description: 'Crashes', schema: { type: 'object', properties: {} } });
}

const sibling = { id: 'c9', name: 'crashing', args: {} };

/** What the tools answered: the call's id, and its result or the code of its error. */
function answered(state: RunState): unknown[] {
  return toolMessages(state)
    .filter(({ name }) => name !== 'crashing')
    .map(({ tool_call_id, artifact }) => [tool_call_id, artifact.error?.code ?? artifact.result]);
}

/** Defines the suite for one kind of place. */
export function durableSuite(kind: PlaceKind): void {
  // Databases of a busy machine take their time.
  jest.setTimeout(30_000);
  // What tells agents apart has shown itself in memory.
  const agents = isWhole || kind === 'memory' ? allAgents : [nodeAgent, langchainAgent];
  let place: Place;
  let remove: () => Promise<void>;
  let thread: string;
  beforeAll(async () => {
    const address = await emptyPlace(kind);
    remove = address.remove;
    place = await openPlace(address, true);
  }, 30_000);
  afterAll(async () => {
    await place.close();
    await remove();
  });
  beforeEach(() => {
    thread = randomUUID();
  });

  /** Prepares an agent of the money tools, and of those that are given. */
  async function prepared(
    agent: (typeof agents)[number],
    calls: readonly RequestedCall[],
    setup: Partial<AgentSetup> = {},
    around: Around = {},
  ) {
    const { tools } = await moneyTools(place, around);
    const { checkpointer } = place;
    return agent.prepare({ checkpointer, calls, ...setup, tools: [...tools, ...(setup.tools ?? [])] });
  }

  describe.each(agents)('$name', (agent) => {
    it('brings mixed decisions by call id to parallel calls', async () => {
      const runs = await prepared(agent, mixedCalls);
      let state = await runs.begin(thread);
      expect(await place.effects(thread)).not.toContain('c2 wire 2');
      for (let round = 0; requestsOf(state).length > 0 && round < 5; round += 1) {
        state = await runs.resume(thread, answering(state, mixed));
      }
      expect(answered(state)).toEqual(mixedAnswers);
      expect(await place.effects(thread)).toEqual(mixedEffects);
    });

    it('brings mixed decisions by interrupt id to parallel calls', async () => {
      const runs = await prepared(agent, mixedCalls);
      const state = await finished(runs, thread, runs.begin(thread), mixed);
      expect(answered(state)).toEqual(mixedAnswers);
      expect(await place.effects(thread)).toEqual(mixedEffects);
    });

    it('approves nothing by a scalar', async () => {
      const runs = await prepared(agent, [call('c1', 'wire', 1), call('c2', 'wire', 2)]);
      await runs.begin(thread);
      for (const scalar of [true, 'approve', 1]) {
        const state = await runs.resume(thread, scalar);
        expect(requestsOf(state).length).toBeGreaterThan(0);
        expect(toolMessages(state)).toEqual([]);
      }
      expect(await place.effects(thread)).toEqual([]);
      await finished(runs, thread, runs.goOn(thread));
      expect(await place.effects(thread)).toEqual(['c1 wire 1', 'c2 wire 2']);
    });

    it('LG-05: resumes a tool that asks twice itself', async () => {
      const runs = await prepared(agent, [call('c1', 'transfer', 1)]);
      const state = await finished(runs, thread, runs.begin(thread));
      expect(answered(state)).toEqual([['c1', ['c1 first', 'c1 second']]]);
      expect(await place.effects(thread)).toEqual(['c1 transfer 1']);
    });

    it('LG-05: resumes a tool that asks twice itself beside one that is approved', async () => {
      const calls = [call('c1', 'charge', 1), call('c2', 'transfer', 2), call('c3', 'wire', 3)];
      const runs = await prepared(agent, calls);
      const state = await finished(runs, thread, runs.begin(thread));
      expect(answered(state)).toEqual([
        ['c1', 1],
        ['c2', ['c2 first', 'c2 second']],
        ['c3', 3],
      ]);
      expect(await place.effects(thread)).toEqual(['c1 charge 1', 'c2 transfer 2', 'c3 wire 3']);
    });

    it('CON-01: acts once for an id that stands in a message twice', async () => {
      const twice = [call('c1', 'charge', 1), call('c2', 'wire', 2)];
      const runs = await prepared(agent, [...twice, ...twice]);
      const state = await finished(runs, thread, runs.begin(thread));
      expect(answered(state)).toEqual([
        ['c1', 1],
        ['c2', 2],
        ['c1', 1],
        ['c2', 2],
      ]);
      expect(await place.effects(thread)).toEqual(['c1 charge 1', 'c2 wire 2']);
    });

    it('CON-01: acts once for an id that comes with other arguments too', async () => {
      const runs = await prepared(agent, [call('c1', 'charge', 1), call('c1', 'charge', 2)]);
      const state = await finished(runs, thread, runs.begin(thread));
      expect(answered(state)).toContainEqual(['c1', 'duplicate_call']);
      expect(await place.effects(thread)).toHaveLength(1);
    });

    it('acts once where a sibling crashed after the effect', async () => {
      const acted = signal();
      const calls = [call('c1', 'charge', 1), call('c2', 'charge', 2), sibling];
      const setup = { tools: [crashing([1], () => acted.told)], isStrict: true };
      const around = { recorded: (callId: string) => (callId === 'c1' ? acted.tell() : undefined) };
      const runs = await prepared(agent, calls, setup, around);
      await expect(runs.begin(thread)).rejects.toThrow(CRASH);
      expect(await place.effects(thread)).toContain('c1 charge 1');
      const state = await runs.goOn(thread);
      expect(answered(state)).toContainEqual(['c1', 1]);
      expect((await place.effects(thread)).filter((row) => row.startsWith('c1'))).toEqual(['c1 charge 1']);
    });

    it('acts once where a sibling crashes again and again, and another waits for approval', async () => {
      const calls = [call('c1', 'charge', 1), call('c2', 'wire', 2), call('c3', 'wire', 3), sibling];
      const runs = await prepared(agent, calls, { tools: [crashing([1, 3])], isStrict: true });
      const begun = runs.begin(thread);
      const state = await finished(runs, thread, begun, ({ callId }) => ({
        type: callId === 'c3' ? 'reject' : 'approve',
      }));
      expect(answered(state)).toHaveLength(3);
      expect(answered(state)).toContainEqual(['c3', 'approval_rejected']);
      expect(await place.effects(thread)).toEqual(['c1 charge 1', 'c2 wire 2']);
    });

    it('repeats nothing where an old checkpoint is replayed', async () => {
      const runs = await prepared(agent, mixedCalls);
      await finished(runs, thread, runs.begin(thread), mixed);
      const past = (await runs.history(thread)).filter(({ next }) => next.includes('tools'));
      expect(past.length).toBeGreaterThan(0);
      for (const { id } of past) {
        const state = await finished(runs, thread, runs.goOn(thread, id), mixed);
        expect(answered(state)).toEqual(mixedAnswers);
      }
      expect(await place.effects(thread)).toEqual(mixedEffects);
    });

    it('refuses a finished call whose arguments are edited in a fork', async () => {
      const runs = await prepared(agent, [call('c1', 'wire', 1)]);
      await finished(runs, thread, runs.begin(thread));
      const past = (await runs.history(thread)).findLast(({ next }) => next.includes('tools'));
      const edit: Decide = () => ({ type: 'edit', arguments: { amount: 2 } });
      const state = await finished(runs, thread, runs.goOn(thread, past?.id), edit);
      expect(answered(state)).toEqual([['c1', 'duplicate_call']]);
      expect(await place.effects(thread)).toEqual(['c1 wire 1']);
    });
  });

  describe.each(agents.filter(({ isOneTask }) => isOneTask))('$name, one task', (agent) => {
    it('does not repeat a call that still ran when a sibling crashed', async () => {
      const [begun, gate, acted] = [signal(), signal(), signal()];
      const setup = { tools: [crashing([2], () => begun.told)], isStrict: true };
      const runs = await prepared(agent, [call('c1', 'wire', 1), sibling], setup, {
        before: () => {
          begun.tell();
          return gate.told;
        },
        recorded: (_callId, state) => (state === 'finished' ? acted.tell() : undefined),
      });
      const paused = await runs.begin(thread);
      await expect(runs.resume(thread, answersById(paused.__interrupt__))).rejects.toThrow(CRASH);
      const state = await finished(runs, thread, runs.goOn(thread));
      expect(answered(state)).toEqual([['c1', 'outcome_unknown']]);
      gate.tell();
      await acted.told;
      const past = (await runs.history(thread)).findLast(({ next }) => next.includes('tools'));
      const replayed = await finished(runs, thread, runs.goOn(thread, past?.id));
      expect(answered(replayed)).toEqual([['c1', 1]]);
      expect(await place.effects(thread)).toEqual(['c1 wire 1']);
    });
  });

  describe.each(agents.filter(({ isOneTask }) => !isOneTask))('$name, a task each', (agent) => {
    it('takes no decision that another call is on', async () => {
      const runs = await prepared(agent, [call('c1', 'wire', 1), call('c2', 'wire', 2)]);
      const state = await runs.begin(thread);
      const answers = Object.entries(answersById(state.__interrupt__));
      const ids = answers.map(([id]) => id).reverse();
      const crossed = Object.fromEntries(answers.map(([, answer], at) => [ids[at], answer]));
      const again = await runs.resume(thread, crossed);
      expect(
        requestsOf(again)
          .map(({ callId }) => callId)
          .sort(),
      ).toEqual(['c1', 'c2']);
      expect(await place.effects(thread)).toEqual([]);
    });

    it('LG-05: brings answers to two tools that ask themselves', async () => {
      const runs = await prepared(agent, [call('c1', 'transfer', 1), call('c2', 'transfer', 2)]);
      const state = await finished(runs, thread, runs.begin(thread));
      expect(answered(state)).toEqual([
        ['c1', ['c1 first', 'c1 second']],
        ['c2', ['c2 first', 'c2 second']],
      ]);
      expect(await place.effects(thread)).toEqual(['c1 transfer 1', 'c2 transfer 2']);
    });
  });

  it('acts once under a retryPolicy that a crashing sibling calls for', async () => {
    const crashed = signal();
    const retryPolicy = { maxAttempts: 3, initialInterval: 1, jitter: false, logWarning: false };
    const setup = { tools: [crashing([1, 2, 4], crashed.tell)], isStrict: true, retryPolicy };
    const calls = [call('c1', 'charge', 1), sibling, call('c2', 'wire', 2)];
    // The sibling crashes while the call still runs, so the next attempt meets it.
    const before = (callId: string) => (callId === 'c1' ? crashed.told : undefined);
    const runs = await prepared(nodeAgent, calls, setup, { before });
    const state = await finished(runs, thread, runs.begin(thread));
    expect(answered(state)).toEqual([
      ['c1', 1],
      ['c2', 2],
    ]);
    expect(await place.effects(thread)).toEqual(['c1 charge 1', 'c2 wire 2']);
  });

  it('acts once under toolRetryMiddleware that lets pauses through', async () => {
    let crashes = 0;
    const crashed = () => {
      crashes += 1;
    };
    const retry = toolRetryMiddleware({
      maxRetries: 3,
      initialDelayMs: 0,
      jitter: false,
      retryOn: (error) => !isGraphBubbleUp(error) && (getRetryable(error) ?? true),
      onFailure: 'error',
    });
    const setup = { tools: [crashing([1, 2], crashed)], middleware: [retry] };
    const calls = [...mixedCalls, call('c6', 'transfer', 6), sibling];
    const runs = await prepared(langchainAgent, calls, setup);
    const state = await finished(runs, thread, runs.begin(thread), mixed);
    expect(crashes).toBe(2);
    expect(answered(state)).toEqual([...mixedAnswers, ['c6', ['c6 first', 'c6 second']]]);
    expect(await place.effects(thread)).toEqual([...mixedEffects, 'c6 transfer 6']);
  });
}
