/**
 * The ledger of one process, in memory.
 * Invariant: a claim is stored before anybody is waited for, what is kept is a copy, and of what counts towards
 * the bound nothing that runs or whose outcome is unknown is ever forgotten.
 */
import type {
  Ledger,
  LedgerAnswer,
  LedgerClaim,
  LedgerEntry,
  LedgerOutcome,
  LedgerQuery,
  LedgerState,
  Settlement,
} from '../../contract/ledger';

/** How much a {@link MemoryLedger} keeps, and for how long. */
export interface MemoryLedgerOptions {
  /** Left out: 10,000. */
  readonly maxEntries?: number;
  /** How long what is finished or paused is kept, in milliseconds; left out: 24 hours. */
  readonly retentionMs?: number;
}

const MAX_ENTRIES = 10_000;
const RETENTION_MS = 24 * 3_600_000;
const LISTED = 100;

/** Node fires a longer timer at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** An entry as it is kept: what callers could change later is text. */
interface Kept {
  readonly facts: Omit<LedgerEntry, 'state' | 'result' | 'updatedAt' | 'arguments'>;
  readonly arguments: string | undefined;
  state: LedgerState;
  updatedAt: number;
  /** Undefined once nobody may end the claim any more. */
  token: string | undefined;
  result: string | undefined;
  readonly waiting: Set<() => void>;
}

function toEntry({ facts, state, updatedAt, ...texts }: Kept): LedgerEntry {
  return {
    ...facts,
    state,
    updatedAt,
    ...(texts.arguments === undefined ? {} : { arguments: JSON.parse(texts.arguments) }),
    ...(texts.result === undefined ? {} : { result: JSON.parse(texts.result) }),
  };
}

function toKept({ leaseMs, arguments: args, ...facts }: LedgerClaim, token: string, now: number): Kept {
  return {
    facts: { ...facts, claimedAt: now, leaseEndsAt: now + leaseMs },
    arguments: args === undefined ? undefined : JSON.stringify(args),
    state: 'running',
    updatedAt: now,
    token,
    result: undefined,
    waiting: new Set(),
  };
}

function toCount(option: keyof MemoryLedgerOptions, given: number | undefined, byDefault: number): number {
  const count = given ?? byDefault;
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new TypeError(
    `MemoryLedger: ${option} is ${String(given)}; give a positive integer, or leave it out.`,
  );
}

/**
 * Keeps claims in memory. They end with the process, and other processes do not see them.
 *
 * @throws TypeError on construction, when an option is not a positive integer.
 */
export class MemoryLedger implements Ledger {
  private readonly maxEntries: number;
  private readonly retentionMs: number;
  /** The oldest claim first. */
  private readonly entries = new Map<string, Kept>();
  /** The keys of what may be forgotten, what has not changed for longest first. */
  private readonly finished = new Set<string>();
  private readonly paused = new Set<string>();
  private claims = 0;

  constructor(options: MemoryLedgerOptions = {}) {
    this.maxEntries = toCount('maxEntries', options.maxEntries, MAX_ENTRIES);
    this.retentionMs = toCount('retentionMs', options.retentionMs, RETENTION_MS);
  }

  async claim(claim: LedgerClaim): Promise<LedgerAnswer> {
    const { key, principalId, argumentHash } = claim;
    const known = this.look(key);
    if (known !== undefined) {
      const { facts, state } = known;
      const isSame = facts.principalId === principalId && facts.argumentHash === argumentHash;
      if (state !== 'paused' || !isSame) return { claimed: false, entry: toEntry(known) };
      this.forget(key);
    }
    this.makeRoom();
    this.claims += 1;
    const token = String(this.claims);
    this.entries.set(key, toKept(claim, token, Date.now()));
    return { claimed: true, token };
  }

  async end(key: string, token: string, outcome: LedgerOutcome): Promise<boolean> {
    const kept = this.look(key);
    if (kept === undefined || kept.token !== token) return false;
    if (outcome.state === 'free') this.forget(key);
    else if (outcome.state === 'finished') this.finish(key, kept, JSON.stringify(outcome.result));
    else if (outcome.state === 'paused') this.rest(key, kept, 'paused');
    else this.change(kept, 'unknown');
    return true;
  }

  async settled(key: string, signal: AbortSignal): Promise<LedgerEntry | undefined> {
    for (;;) {
      const kept = this.look(key);
      if (kept === undefined) return undefined;
      if (kept.state !== 'running' || signal.aborted) return toEntry(kept);
      await untilChange(kept, signal);
    }
  }

  async get(key: string): Promise<LedgerEntry | undefined> {
    const kept = this.look(key);
    return kept === undefined ? undefined : toEntry(kept);
  }

  async list({ state, limit = LISTED }: LedgerQuery = {}): Promise<readonly LedgerEntry[]> {
    const listed: LedgerEntry[] = [];
    for (const key of [...this.entries.keys()]) {
      if (listed.length >= limit) break;
      const kept = this.look(key);
      if (kept !== undefined && (state === undefined || kept.state === state)) listed.push(toEntry(kept));
    }
    return listed;
  }

  async settle(key: string, settlement: Settlement): Promise<boolean> {
    const kept = this.look(key);
    if (kept?.state !== 'unknown') return false;
    if (settlement.outcome === 'not_executed') this.forget(key);
    else this.finish(key, kept, JSON.stringify({ success: true, result: settlement.result ?? null }));
    return true;
  }

  /** What stands under a key by now. */
  private look(key: string): Kept | undefined {
    const kept = this.entries.get(key);
    if (kept === undefined) return undefined;
    if (kept.state === 'running' && kept.facts.leaseEndsAt <= Date.now()) this.change(kept, 'unknown');
    if (!this.isOver(kept)) return kept;
    this.forget(key);
    return undefined;
  }

  private isOver({ state, updatedAt }: Kept): boolean {
    return (state === 'finished' || state === 'paused') && updatedAt + this.retentionMs <= Date.now();
  }

  private finish(key: string, kept: Kept, result: string): void {
    kept.result = result;
    this.rest(key, kept, 'finished');
  }

  /** Ends the holder's say. */
  private rest(key: string, kept: Kept, state: 'finished' | 'paused'): void {
    kept.token = undefined;
    this[state].add(key);
    this.change(kept, state);
  }

  private change(kept: Kept, state: LedgerState): void {
    kept.state = state;
    kept.updatedAt = Date.now();
    for (const wake of [...kept.waiting]) wake();
  }

  private forget(key: string): void {
    const kept = this.entries.get(key);
    this.entries.delete(key);
    this.finished.delete(key);
    this.paused.delete(key);
    for (const wake of [...(kept?.waiting ?? [])]) wake();
  }

  /** Forgets what is over; where that is not enough, what has been finished, or else paused, for longest. */
  private makeRoom(): void {
    for (const resting of [this.finished, this.paused]) {
      for (const key of resting) {
        const kept = this.entries.get(key);
        if (kept !== undefined && !this.isOver(kept)) break;
        this.forget(key);
      }
    }
    if (this.entries.size < this.maxEntries) return;
    const [oldest] = this.finished.size > 0 ? this.finished : this.paused;
    if (oldest === undefined) throw new Error('the ledger is full of claims that run or are to be settled');
    this.forget(oldest);
  }
}

/** Waits until an entry changes, its lease ends, or the signal is aborted. */
function untilChange({ facts, waiting }: Kept, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      waiting.delete(wake);
      resolve();
    };
    const timer = setTimeout(wake, Math.min(facts.leaseEndsAt - Date.now(), LONGEST_TIMER));
    waiting.add(wake);
    signal.addEventListener('abort', wake, { once: true });
  });
}
