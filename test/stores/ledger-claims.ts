/**
 * Claims and outcomes for tests of ledgers.
 * Invariant: a claim is the same in every test but for what that test says of it.
 */
import type { JsonValue, Ledger, LedgerAnswer, LedgerClaim, LedgerOutcome } from 'toolcrib';

/** One new, empty store, opened twice, as two processes would. */
export interface OpenLedgers {
  readonly first: Ledger;
  /** May be the same object where the store cannot be shared. */
  readonly second: Ledger;
  close(): Promise<void>;
}

/** A lease that no test sees the end of, in milliseconds. */
const LONG_MS = 600_000;
/** A signal that is never aborted. */
export const never = new AbortController().signal;

/** A claim of some key, whose other members a test may say. */
export function claimOf(key: string, over: Partial<LedgerClaim> = {}): LedgerClaim {
  return {
    key,
    argumentHash: 'a'.repeat(64),
    tool: 'orders.refund@1.0.0',
    principalId: 'ada',
    callId: 'call-1',
    leaseMs: LONG_MS,
    ...over,
  };
}

/** The token of a claim that was granted. */
export function tokenOf(answer: LedgerAnswer): string {
  if (!answer.claimed) throw new Error(`the key is ${answer.entry.state}`);
  return answer.token;
}

/** The outcome of an action that was carried out. */
export function finished(result: JsonValue): LedgerOutcome {
  return { state: 'finished', result: { success: true, result } };
}

/** Claims a key with a lease that is over when this settles. */
export async function claimShortly(ledger: Ledger, claim: LedgerClaim): Promise<LedgerAnswer> {
  const answer = await ledger.claim({ ...claim, leaseMs: 1 });
  if (answer.claimed) await ledger.settled(claim.key, never);
  return answer;
}
