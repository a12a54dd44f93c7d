/**
 * A claim that a call holds, and how it ends.
 * Invariant: ending it never throws and never hangs; whether it was recorded is always known.
 */
import type { Ledger, LedgerOutcome } from '../../contract/ledger';
import type { ToolResult } from '../../contract/result';
import type { JsonValue } from '../../errors/body';
import type { CallState } from '../call-state';
import { STORE_TIMEOUT_MS } from '../limits/rate';

/** How it came out to end a claim. */
export type Ending = { readonly ok: true } | { readonly ok: false; readonly error: unknown };

/** Waits for a promise so many milliseconds at most. */
function within<T>(ms: number, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the ledger did not answer')), ms);
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      act();
    };
    (async () => work())().then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}

/** The claim that a call holds. */
export class HeldClaim {
  constructor(
    private readonly ledger: Ledger,
    private readonly key: string,
    private readonly token: string,
  ) {}

  /** Ends the claim. */
  async end(outcome: LedgerOutcome): Promise<Ending> {
    try {
      const isEnded = await within(STORE_TIMEOUT_MS, () => this.ledger.end(this.key, this.token, outcome));
      return isEnded ? { ok: true } : { ok: false, error: new Error('the claim is no longer held') };
    } catch (error) {
      return { ok: false, error };
    }
  }
}

/** What becomes of the claim of a call that ended with a result. */
export function outcomeOf({ effect }: CallState, result: ToolResult<JsonValue>): LedgerOutcome {
  if (result.success) return { state: 'finished', result };
  if (effect.state === 'none') return { state: 'free' };
  return effect.state === 'certain' && result.error.code === 'invalid_output'
    ? { state: 'finished', result }
    : { state: 'unknown' };
}
