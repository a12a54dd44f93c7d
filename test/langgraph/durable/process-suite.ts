/**
 * What holds for effects in LangGraph where every step of a run is taken by another process, which is killed.
 * Invariant: whatever step a process is killed in, a call has its effect once, and is answered.
 */
import { randomUUID } from 'node:crypto';
import type { RequestedCall } from '../../fixtures/langgraph-runtimes';
import { agents, isWhole, langchainAgent, nodeAgent } from './agents';
import type { Order, Told } from './child';
import { mixed, mixedAnswers, mixedCalls, mixedEffects } from './mixed';
import { call } from './money';
import { emptyPlace, openPlace, type Place, type PlaceAddress, type PlaceKind } from './places';
import { bundleChild, inProcess } from './processes';
import { answersById, type Decide } from './reviewer';

/** In the short form SQLite has an agent whose calls are tasks of their own, and Postgres one whose calls are one task. */
const short = { SQLite: [langchainAgent], Postgres: [nodeAgent] };

const ROUNDS = 10;
const TIMEOUT_MS = 60_000;

/** Defines the suite for one kind of place. */
export function processSuite(kind: Exclude<PlaceKind, 'memory'>): void {
  const chosen = isWhole ? agents : short[kind];
  let child: string;
  let place: Place;
  let address: PlaceAddress;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    child = bundleChild(kind);
    const { at, ...empty } = await emptyPlace(kind);
    remove = empty.remove;
    address = { kind, at };
    place = await openPlace(address, true);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await place.close();
    await remove();
  });

  /** A new run, whose steps are taken by one process each. */
  function runOf(agent: string, calls: readonly RequestedCall[]) {
    const thread = randomUUID();
    const take = (step: Order['step'], how: Pick<Order, 'point' | 'isAbrupt'> = {}) =>
      inProcess(child, { place: address, agent, thread, calls, step, ...how });
    const resume = (told: Told | undefined, decide?: Decide, how?: Pick<Order, 'point' | 'isAbrupt'>) =>
      take({ kind: 'resume', answer: answersById(told?.interrupts, decide) }, how);
    /** Answers in new processes as long as the run asks. */
    const finish = async (told: Told | undefined, decide?: Decide, isAbrupt = false) => {
      let now = told;
      for (let round = 0; (now?.interrupts ?? []).length > 0 && round < ROUNDS; round += 1) {
        now = await resume(now, decide, { isAbrupt });
      }
      return now;
    };
    return { thread, take, resume, finish };
  }

  /** A test of all agents at the same time, since each waits for its processes. */
  const forEach = (act: (agent: string) => Promise<void>) => async () => {
    const tests = chosen.map(({ name }) =>
      act(name).catch((cause: unknown) => {
        throw new Error(`${name}: ${String(cause)}`, { cause });
      }),
    );
    await Promise.all(tests);
  };

  /** How many calls wait for a person to settle them. */
  const unsettled = async () => (await place.ledger.list({ state: 'unknown', limit: 1_000 })).length;

  describe('a process for every step', () => {
    it(
      'brings mixed decisions to a run whose process was killed while it was paused',
      forEach(async (name) => {
        const { thread, take, finish } = runOf(name, mixedCalls);
        const paused = await take({ kind: 'begin' });
        expect(paused?.interrupts).not.toEqual([]);
        const scalar = await take({ kind: 'resume', answer: true });
        expect(scalar?.interrupts).not.toEqual([]);
        expect((await place.effects(thread)).filter((row) => row.includes('wire'))).toEqual([]);
        const told = await finish(scalar, mixed);
        expect(told?.answered).toEqual(mixedAnswers);
        expect(await place.effects(thread)).toEqual(mixedEffects);
      }),
      TIMEOUT_MS,
    );

    it(
      'repeats nothing where every process was killed the moment that it paused',
      forEach(async (name) => {
        const { thread, take, finish } = runOf(name, mixedCalls);
        const told = await finish(await take({ kind: 'begin' }, { isAbrupt: true }), mixed, true);
        const effects = await place.effects(thread);
        expect(effects).toEqual([...new Set(effects)]);
        expect(mixedEffects).toEqual(expect.arrayContaining([...effects]));
        // A call that still ran then has an outcome that nobody knows; the others have their answers.
        const answered = told?.answered ?? [];
        expect(answered.map(([id]) => id)).toEqual(['c1', 'c2', 'c3', 'c4', 'c5']);
        const known = answered.filter(([, answer]) => answer !== 'outcome_unknown');
        expect(mixedAnswers).toEqual(expect.arrayContaining(known));
        expect(known).toContainEqual(['c4', 'approval_rejected']);
      }),
      TIMEOUT_MS,
    );

    it.each([
      { at: 'acted', answer: 'outcome_unknown', unknown: 1 },
      { at: 'recorded', answer: 1, unknown: 0 },
    ] as const)(
      'repeats nothing where it was killed once a sibling had $at while a call waited',
      async ({ at, answer, unknown }) => {
        const before = await unsettled();
        await forEach(async (name) => {
          const calls = [call('c1', 'charge', 1), call('c2', 'wire', 2), call('c3', 'wire', 3)];
          const { thread, take, finish } = runOf(name, calls);
          expect(
            await take({ kind: 'begin' }, { point: { at, callId: 'c1', awaitsPause: true } }),
          ).toBeUndefined();
          expect(await place.effects(thread)).toEqual(['c1 charge 1']);
          const told = await finish(await take({ kind: 'go on' }), ({ callId }) => ({
            type: callId === 'c3' ? 'reject' : 'approve',
          }));
          expect(told?.answered).toEqual([
            ['c1', answer],
            ['c2', 2],
            ['c3', 'approval_rejected'],
          ]);
          expect(await place.effects(thread)).toEqual(['c1 charge 1', 'c2 wire 2']);
        })();
        expect((await unsettled()) - before).toBe(unknown * chosen.length);
      },
      TIMEOUT_MS,
    );

    it.each([
      { at: 'acted', answer: 'outcome_unknown', unknown: 1 },
      { at: 'recorded', answer: 2, unknown: 0 },
    ] as const)(
      'repeats nothing where it was killed once an approved call had $at',
      async ({ at, answer, unknown }) => {
        const before = await unsettled();
        await forEach(async (name) => {
          const { thread, take, resume, finish } = runOf(name, [
            call('c1', 'charge', 1),
            call('c2', 'wire', 2),
          ]);
          const paused = await take({ kind: 'begin' });
          const point = { at, callId: 'c2', awaitsPause: false };
          expect(await resume(paused, undefined, { point })).toBeUndefined();
          expect(await place.effects(thread)).toEqual(['c1 charge 1', 'c2 wire 2']);
          const told = await finish(await take({ kind: 'go on' }));
          expect(told?.answered).toEqual([
            ['c1', 1],
            ['c2', answer],
          ]);
          expect(await place.effects(thread)).toEqual(['c1 charge 1', 'c2 wire 2']);
        })();
        expect((await unsettled()) - before).toBe(unknown * chosen.length);
      },
      TIMEOUT_MS,
    );

    it(
      'acts once where two processes resume the run at the same time',
      forEach(async (name) => {
        const { thread, take, resume } = runOf(name, [call('c1', 'charge', 1), call('c2', 'wire', 2)]);
        const paused = await take({ kind: 'begin' });
        const both = await Promise.all([resume(paused), resume(paused)]);
        for (const told of both) {
          expect(told?.answered).toEqual([
            ['c1', 1],
            ['c2', 2],
          ]);
        }
        expect(await place.effects(thread)).toEqual(['c1 charge 1', 'c2 wire 2']);
      }),
      TIMEOUT_MS,
    );

    it(
      'LG-05: resumes a tool that asks twice itself',
      forEach(async (name) => {
        const { thread, take, finish } = runOf(name, [call('c1', 'transfer', 1)]);
        const told = await finish(await take({ kind: 'begin' }));
        expect(told?.answered).toEqual([['c1', ['c1 first', 'c1 second']]]);
        expect(await place.effects(thread)).toEqual(['c1 transfer 1']);
      }),
      TIMEOUT_MS,
    );
  });
}
