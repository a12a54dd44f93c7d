/**
 * The ledger of side effects: who may carry one out, and what came of it.
 * Invariant: of all callers that claim one key, at any time at most one holds the claim, and a key whose action may
 * have begun is never given out again before a person has settled it.
 */
import type { JsonValue } from '../errors/body';
import type { ToolResult } from './result';

/**
 * Where a claimed key stands. `running`: somebody holds it, until their lease ends. `paused`: the run waits for a
 * person; the same claim enters again. `finished`: the result is recorded. `unknown`: nobody knows whether the
 * action took effect, until a person settles it.
 */
export type LedgerState = 'running' | 'paused' | 'finished' | 'unknown';

/** What a call says when it claims its key. */
export interface LedgerClaim {
  /** The tool's name with the author's business key, or with principal, conversation and call id; hashed. */
  readonly key: string;
  /** SHA-256 of the arguments as they were sent, in canonical JSON (RFC 8785), in hexadecimal. */
  readonly argumentHash: string;
  /** `name@version`. */
  readonly tool: string;
  /** Null: nobody is known. */
  readonly principalId: string | null;
  readonly callId: string;
  /** That of the arguments that run, where a reviewer has edited them. */
  readonly editedHash?: string;
  /** How long the holder may take, in milliseconds; after it the outcome is unknown. */
  readonly leaseMs: number;
  /** Those that it runs with; left out unless the application asks for them. */
  readonly arguments?: JsonValue;
  /** The tool that takes the action back, where its author named one. */
  readonly compensation?: string;
}

/** What the ledger knows of a key. Times are milliseconds since 1970 by the clock of the store. */
export interface LedgerEntry extends Omit<LedgerClaim, 'leaseMs'> {
  readonly state: LedgerState;
  /** Set where the state is `finished`. */
  readonly result?: ToolResult<JsonValue>;
  readonly claimedAt: number;
  readonly updatedAt: number;
  readonly leaseEndsAt: number;
}

/** The answer to a claim: the token of the holder, or what stands in its way. */
export type LedgerAnswer =
  | { readonly claimed: true; readonly token: string }
  | { readonly claimed: false; readonly entry: LedgerEntry };

/** What became of a claim. `free`: nothing had begun or the action definitely did not happen, so the key is as new. */
export type LedgerOutcome =
  | {
      readonly state: 'finished';
      readonly result: ToolResult<JsonValue>;
      /** The JSON of what the tool answered, where it is at hand; a store that keeps text need not write it again. */
      readonly json?: string | undefined;
    }
  | { readonly state: 'paused' | 'unknown' | 'free' };

/** What a person found out about an action whose outcome was unknown. */
export type Settlement =
  /** It was carried out; later calls get the result, or null where none is given. */
  | { readonly outcome: 'executed'; readonly result?: JsonValue }
  /** It was not; the key is free. */
  | { readonly outcome: 'not_executed' };

/** Which entries are listed: the oldest first. */
export interface LedgerQuery {
  readonly state?: LedgerState | undefined;
  /** A positive integer, anything else is a TypeError; left out: 100. */
  readonly limit?: number | undefined;
}

/**
 * Keeps claims. Every method may reject, or throw, when the store cannot be reached; then nothing has changed. What a
 * call has to wait for may be answered at once, since a promise costs each call some of its time.
 */
export interface Ledger {
  /**
   * Claims a key, atomically over all processes that share the store. A free key is claimed; a paused one only with
   * the same principal and argument hash. A running one whose lease has ended becomes `unknown`.
   */
  claim(claim: LedgerClaim): LedgerAnswer | Promise<LedgerAnswer>;
  /**
   * Ends a claim, durably before it settles. False, and nothing changes, where the token is not the holder's. A
   * holder whose lease has ended may still say how it ended, as long as nobody has settled the entry.
   */
  end(key: string, token: string, outcome: LedgerOutcome): boolean | Promise<boolean>;
  /**
   * Waits until a running entry is no longer so, its lease has ended, or the signal is aborted, and gives what then
   * stands there; undefined where the key is free. Rejects with nothing but failures of the store.
   */
  settled(key: string, signal: AbortSignal): Promise<LedgerEntry | undefined>;
  get(key: string): Promise<LedgerEntry | undefined>;
  list(query?: LedgerQuery): Promise<readonly LedgerEntry[]>;
  /**
   * A person's word on an unknown outcome. False where the entry is not, or no longer, unknown. Rejects with a
   * TypeError, and changes nothing, for whatever is no settlement, or whose result is not JSON. `by` is the person,
   * for the audit trail; a ledger need not keep it.
   */
  settle(key: string, settlement: Settlement, by?: string): Promise<boolean>;
}
