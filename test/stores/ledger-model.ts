/**
 * A model of a ledger, in a few lines, and random sequences of steps that hold a ledger to it.
 * Invariant: after each step the ledger and the model say the same of its key.
 */
import * as fc from 'fast-check';
import type {
  JsonValue,
  Ledger,
  LedgerEntry,
  LedgerOutcome,
  LedgerState,
  Settlement,
  ToolResult,
} from 'toolcrib';
import { claimOf, claimShortly, finished, type OpenLedgers } from './ledger-claims';

/** What the model of a ledger knows of a key. */
interface Known {
  state: LedgerState;
  token: string | undefined;
  readonly principalId: string | null;
  readonly argumentHash: string;
  result?: ToolResult<JsonValue>;
}

const keys = fc.constantFrom('k1', 'k2');
const principals = fc.constantFrom<string | null>('ada', 'null', null);
const hashes = fc.constantFrom('a'.repeat(64), 'b'.repeat(64));
const outcomes: fc.Arbitrary<LedgerOutcome> = fc.oneof(
  fc.jsonValue().map((value): LedgerOutcome => finished(JSON.parse(JSON.stringify(value)))),
  fc.constantFrom<LedgerOutcome>({ state: 'paused' }, { state: 'unknown' }, { state: 'free' }),
);
const settlements: fc.Arbitrary<Settlement> = fc.constantFrom<Settlement>(
  { outcome: 'executed', result: { done: true } },
  { outcome: 'executed' },
  { outcome: 'not_executed' },
);
const steps = fc.oneof(
  fc.record({
    act: fc.constant('claim' as const),
    key: keys,
    principalId: principals,
    argumentHash: hashes,
    isShort: fc.boolean(),
  }),
  fc.record({
    act: fc.constant('end' as const),
    key: keys,
    which: fc.constantFrom('held', 'former', 'made up'),
    outcome: outcomes,
  }),
  fc.record({ act: fc.constant('settle' as const), key: keys, settlement: settlements }),
);

/** Takes one step with a ledger and with its model, and holds the one to the other. */
async function take(
  step: typeof steps extends fc.Arbitrary<infer Step> ? Step : never,
  ledger: Ledger,
  model: Map<string, Known>,
  former: Map<string, string>,
): Promise<void> {
  const { key } = step;
  const known = model.get(key);
  if (step.act === 'claim') {
    const { principalId, argumentHash, isShort } = step;
    const claim = claimOf(key, { principalId, argumentHash });
    const answer = await (isShort ? claimShortly(ledger, claim) : ledger.claim(claim));
    const isSame = known?.principalId === principalId && known.argumentHash === argumentHash;
    expect(answer.claimed).toBe(known === undefined || (known.state === 'paused' && isSame));
    if (!answer.claimed) return;
    const state = isShort ? 'unknown' : 'running';
    model.set(key, { state, token: answer.token, principalId, argumentHash });
    return;
  }
  if (step.act === 'settle') {
    const { settlement } = step;
    expect(await ledger.settle(key, settlement)).toBe(known?.state === 'unknown');
    if (known?.state !== 'unknown') return;
    if (known.token !== undefined) former.set(key, known.token);
    if (settlement.outcome === 'not_executed') model.delete(key);
    else {
      const result = { success: true, result: settlement.result ?? null } as const;
      model.set(key, { ...known, state: 'finished', token: undefined, result });
    }
    return;
  }
  const { which, outcome } = step;
  const tokens = { held: known?.token, former: former.get(key), 'made up': 'made up' };
  const token = tokens[which];
  if (token === undefined) return;
  const isHeld = which === 'held';
  expect(await ledger.end(key, token, outcome)).toBe(isHeld);
  if (!isHeld || known === undefined) return;
  if (outcome.state === 'unknown') {
    known.state = 'unknown';
    return;
  }
  former.set(key, token);
  if (outcome.state === 'free') model.delete(key);
  else {
    const result = outcome.state === 'finished' ? { result: outcome.result } : {};
    model.set(key, { ...known, state: outcome.state, token: undefined, ...result });
  }
}

/** What an entry says that the model knows too. */
function seen(entry: LedgerEntry | undefined): unknown {
  if (entry === undefined) return undefined;
  const { state, principalId, argumentHash, result } = entry;
  return { state, principalId, argumentHash, result };
}

function seenInModel(known: Known | undefined): unknown {
  if (known === undefined) return undefined;
  const { state, principalId, argumentHash, result } = known;
  return { state, principalId, argumentHash, result };
}

/** Holds a ledger to its model, in so many random sequences, each with a store of its own. */
export async function holdToModel(open: () => Promise<OpenLedgers>, runs: number): Promise<void> {
  const holds = fc.asyncProperty(fc.array(steps, { maxLength: 12 }), async (sequence) => {
    const store = await open();
    try {
      const model = new Map<string, Known>();
      const former = new Map<string, string>();
      for (const [at, step] of sequence.entries()) {
        await take(step, at % 2 === 0 ? store.first : store.second, model, former);
        const { key } = step;
        expect(seen(await store.first.get(key))).toEqual(seenInModel(model.get(key)));
      }
    } finally {
      await store.close();
    }
  });
  await fc.assert(holds, { seed: 20261130, numRuns: runs });
}
