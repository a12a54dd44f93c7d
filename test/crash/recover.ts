/**
 * What is made of a key after its holder was killed: the same call again, a person's word, and once more.
 * Invariant: whatever is wrong is told, and nothing is repeated to make it right.
 */
import type { Ledger, LedgerEntry, Toolkit } from 'toolcrib';
import { CALLER } from '../race/charge';
import type { Executions } from '../race/stores';
import type { Killed } from './kill';
import { type Expectation, isPoint, POINTS } from './points';

/** How a key came out. */
export type Recovery =
  | { readonly outcome: 'executed once and recorded' | 'unknown and listed' }
  | { readonly outcome: 'wrong'; readonly why: string };

/** What recovery works on. */
export interface Recovering {
  readonly toolkit: Toolkit;
  readonly ledger: Ledger;
  readonly executions: Executions;
}

function expectationOf(point: string): Expectation {
  if (!isPoint(point)) throw new TypeError(`there is no point ${point}`);
  return POINTS[point];
}

/** What the next call must get, by where the holder was killed. */
function isExpected(expectation: Expectation, isUnknown: boolean, wasThere: boolean): boolean {
  const found = isUnknown ? 'unknown' : wasThere ? 'recorded' : 'free';
  return expectation.split(' or ').includes(found);
}

async function again({ toolkit }: Recovering, reference: string): Promise<string> {
  const options = { principal: CALLER, callId: `${reference}-again` };
  return JSON.stringify(await toolkit.invoke('proof.charge', { reference, cents: 500 }, options));
}

function codeOf(answer: string): string | undefined {
  return JSON.parse(answer).error?.code;
}

function executedOnce(executions: readonly string[], answer: string): Recovery {
  const expected = JSON.stringify({ success: true, result: { execution: executions[0] } });
  if (executions.length === 1 && answer === expected) return { outcome: 'executed once and recorded' };
  return { outcome: 'wrong', why: `${executions.length} executions, and the answer ${answer}` };
}

/** A person looks at the executions, says what was found, and the call is made once more. */
async function settle(by: Recovering, entry: LedgerEntry, reference: string): Promise<Recovery> {
  const [execution] = (await by.executions.all()).get(reference) ?? [];
  const isSettled = await by.ledger.settle(
    entry.key,
    execution === undefined ? { outcome: 'not_executed' } : { outcome: 'executed', result: { execution } },
  );
  if (!isSettled) return { outcome: 'wrong', why: 'it could not be settled' };
  const last = await again(by, reference);
  const after = executedOnce((await by.executions.all()).get(reference) ?? [], last);
  return after.outcome === 'wrong' ? after : { outcome: 'unknown and listed' };
}

/** Makes the call of a killed process again, and judges what comes of it. */
export async function recover(by: Recovering, { point, reference, acknowledged }: Killed): Promise<Recovery> {
  const left = (await by.ledger.list({ limit: 100_000 })).find(({ callId }) => callId === reference);
  const waiting = new AbortController();
  // A claim stands until its lease has ended.
  if (left !== undefined) await by.ledger.settled(left.key, waiting.signal);
  const answer = await again(by, reference);
  const executions = (await by.executions.all()).get(reference) ?? [];
  if (acknowledged !== undefined && answer !== acknowledged) {
    return { outcome: 'wrong', why: `acknowledged was ${acknowledged}, and the answer ${answer}` };
  }
  const isUnknown = codeOf(answer) === 'outcome_unknown';
  if (!isExpected(expectationOf(point), isUnknown, left !== undefined)) {
    return { outcome: 'wrong', why: `the answer was ${answer}` };
  }
  if (!isUnknown) return executedOnce(executions, answer);
  if (executions.length > 1) return { outcome: 'wrong', why: `${executions.length} executions` };
  const listed = await by.ledger.list({ state: 'unknown', limit: 100_000 });
  const entry = listed.find(({ callId }) => callId === reference);
  return entry === undefined ? { outcome: 'wrong', why: 'it is not listed' } : settle(by, entry, reference);
}
