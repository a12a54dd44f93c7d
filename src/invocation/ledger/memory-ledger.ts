/**
 * The ledger of one process, in memory.
 * Invariant: a claim is stored before anybody is waited for, nobody can change what is kept, and nothing that runs or
 * whose outcome is unknown is ever forgotten.
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
import { toCount } from '../../discovery/check-options';
import type { JsonValue } from '../../errors/body';
import { LONGEST_TIMER } from '../deadline';
import { toListLimit } from '../listed';
import { EntryLine, type InLine } from './line';
import { readSettlement } from './settlement';

/** How much a {@link MemoryLedger} keeps, and for how long. */
export interface MemoryLedgerOptions {
  /** Left out: 10,000. */
  readonly maxEntries?: number;
  /** How long what is finished or paused is kept, in milliseconds; left out: 24 hours. */
  readonly retentionMs?: number;
}

const MAX_ENTRIES = 10_000;
const RETENTION_MS = 24 * 3_600_000;
/** How many characters the results may have in all, so that large ones do not fill the memory. */
const MAX_CHARACTERS = 64 * 1_048_576;

/**
 * An entry as it is kept. There are thousands, and the collector of garbage looks at each object; so it is in one
 * piece, and its times are small numbers: milliseconds since the ledger was made.
 */
interface Kept extends InLine<Kept> {
  readonly key: string;
  readonly argumentHash: string;
  readonly editedHash: string | undefined;
  readonly tool: string;
  readonly principalId: string | null;
  readonly callId: string;
  readonly arguments: JsonValue | undefined;
  readonly compensation: string | undefined;
  readonly claimedAt: number;
  readonly leaseEndsAt: number;
  state: LedgerState;
  updatedAt: number;
  /** Undefined once nobody may end the claim any more. */
  token: string | undefined;
  /** As text, so that whoever gave or gets it can change nothing. */
  result: string | undefined;
  /** Of the result, in characters. */
  size: number;
  waiting: Set<() => void> | undefined;
}

type Finish = Omit<Extract<LedgerOutcome, { state: 'finished' }>, 'state'>;

function copied<T>(json: T): T {
  return JSON.parse(JSON.stringify(json));
}

function toEntry(kept: Kept, madeAt: number): LedgerEntry {
  const { key, argumentHash, editedHash, tool, principalId, callId, arguments: args } = kept;
  const { compensation, state, result } = kept;
  return {
    key,
    argumentHash,
    ...(editedHash === undefined ? {} : { editedHash }),
    tool,
    principalId,
    callId,
    ...(args === undefined ? {} : { arguments: copied(args) }),
    ...(compensation === undefined ? {} : { compensation }),
    state,
    ...(result === undefined ? {} : { result: JSON.parse(result) }),
    claimedAt: madeAt + kept.claimedAt,
    updatedAt: madeAt + kept.updatedAt,
    leaseEndsAt: madeAt + kept.leaseEndsAt,
  };
}

function toKept(claim: LedgerClaim, token: string, now: number): Kept {
  return {
    // First what is looked at when it is forgotten, and is far from any cache by then.
    key: claim.key,
    after: undefined,
    before: undefined,
    state: 'running',
    updatedAt: now,
    size: 0,
    waiting: undefined,
    token,
    claimedAt: now,
    leaseEndsAt: now + claim.leaseMs,
    argumentHash: claim.argumentHash,
    editedHash: claim.editedHash,
    tool: claim.tool,
    principalId: claim.principalId,
    callId: claim.callId,
    arguments: claim.arguments === undefined ? undefined : copied(claim.arguments),
    compensation: claim.compensation,
    result: undefined,
  };
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
  /** What may be forgotten; what has not changed for longest first. */
  private readonly resting = { finished: new EntryLine<Kept>(), paused: new EntryLine<Kept>() };
  private readonly madeAt = Date.now();
  private claims = 0;
  /** Of the results that are kept. */
  private characters = 0;

  constructor(options: MemoryLedgerOptions = {}) {
    this.maxEntries = toCount('MemoryLedger', 'maxEntries', options.maxEntries, MAX_ENTRIES);
    this.retentionMs = toCount('MemoryLedger', 'retentionMs', options.retentionMs, RETENTION_MS);
  }

  claim(claim: LedgerClaim): LedgerAnswer {
    const { key, principalId, argumentHash } = claim;
    const now = this.now();
    const known = this.look(key, now);
    if (known !== undefined) {
      const isSame = known.principalId === principalId && known.argumentHash === argumentHash;
      if (known.state !== 'paused' || !isSame) return { claimed: false, entry: toEntry(known, this.madeAt) };
      this.forget(known);
    }
    this.makeRoom(now);
    this.claims += 1;
    const token = String(this.claims);
    this.entries.set(key, toKept(claim, token, now));
    return { claimed: true, token };
  }

  end(key: string, token: string, outcome: LedgerOutcome): boolean {
    const now = this.now();
    const kept = this.look(key, now);
    if (kept === undefined || kept.token !== token) return false;
    if (outcome.state === 'free') this.forget(kept);
    else if (outcome.state === 'finished') this.finish(kept, outcome, now);
    else if (outcome.state === 'paused') this.rest(kept, 'paused', now);
    else this.change(kept, 'unknown', now);
    return true;
  }

  async settled(key: string, signal: AbortSignal): Promise<LedgerEntry | undefined> {
    for (;;) {
      const kept = this.look(key);
      if (kept === undefined) return undefined;
      if (kept.state !== 'running' || signal.aborted) return toEntry(kept, this.madeAt);
      await untilChange(kept, kept.leaseEndsAt - this.now(), signal);
    }
  }

  async get(key: string): Promise<LedgerEntry | undefined> {
    const kept = this.look(key);
    return kept === undefined ? undefined : toEntry(kept, this.madeAt);
  }

  async list({ state, limit }: LedgerQuery = {}): Promise<readonly LedgerEntry[]> {
    const most = toListLimit(limit);
    const listed: LedgerEntry[] = [];
    for (const key of this.entries.keys()) {
      if (listed.length >= most) break;
      const kept = this.look(key);
      if (kept !== undefined && (state === undefined || kept.state === state))
        listed.push(toEntry(kept, this.madeAt));
    }
    return listed;
  }

  async settle(key: string, settlement: Settlement): Promise<boolean> {
    const result = readSettlement(settlement);
    const kept = this.look(key);
    if (kept?.state !== 'unknown') return false;
    if (result === undefined) this.forget(kept);
    else this.finish(kept, { result }, this.now());
    return true;
  }

  /** In milliseconds since the ledger was made. */
  private now(): number {
    return Date.now() - this.madeAt;
  }

  /** What stands under a key by now. */
  private look(key: string, now = this.now()): Kept | undefined {
    const kept = this.entries.get(key);
    if (kept === undefined) return undefined;
    if (kept.state === 'running' && kept.leaseEndsAt <= now) this.change(kept, 'unknown', now);
    if (!this.isOver(kept, now)) return kept;
    this.forget(kept);
    return undefined;
  }

  private isOver({ state, updatedAt }: Kept, now: number): boolean {
    return (state === 'finished' || state === 'paused') && updatedAt + this.retentionMs <= now;
  }

  private finish(kept: Kept, { result, json }: Finish, now: number): void {
    const isWritten = json !== undefined && result.success && result.content === undefined;
    kept.result = isWritten ? `{"success":true,"result":${json}}` : JSON.stringify(result);
    kept.size = kept.result.length;
    this.characters += kept.size;
    this.rest(kept, 'finished', now);
    const { finished } = this.resting;
    while (this.characters > MAX_CHARACTERS && finished.first !== undefined && finished.first !== kept)
      this.forget(finished.first);
  }

  /** Ends the holder's say. */
  private rest(kept: Kept, state: 'finished' | 'paused', now: number): void {
    kept.token = undefined;
    this.resting[state].join(kept);
    this.change(kept, state, now);
  }

  private change(kept: Kept, state: LedgerState, now: number): void {
    kept.state = state;
    kept.updatedAt = now;
    wakeAll(kept);
  }

  private forget(kept: Kept): void {
    this.entries.delete(kept.key);
    this.characters -= kept.size;
    if (kept.state === 'finished' || kept.state === 'paused') this.resting[kept.state].leave(kept);
    wakeAll(kept);
  }

  /** Forgets what is over; where that is not enough, what has been finished, or else paused, for longest. */
  private makeRoom(now: number): void {
    const { finished, paused } = this.resting;
    for (const line of [finished, paused])
      while (line.first !== undefined && this.isOver(line.first, now)) this.forget(line.first);
    if (this.entries.size < this.maxEntries) return;
    const oldest = finished.first ?? paused.first;
    if (oldest === undefined) throw new Error('the ledger is full of claims that run or are to be settled');
    this.forget(oldest);
  }
}

function wakeAll({ waiting }: Kept): void {
  if (waiting !== undefined) for (const wake of [...waiting]) wake();
}

/** Waits until an entry changes, its lease is over, or the signal is aborted. */
function untilChange(kept: Kept, leaseMs: number, signal: AbortSignal): Promise<void> {
  const waiting = kept.waiting ?? new Set();
  kept.waiting = waiting;
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      waiting.delete(wake);
      resolve();
    };
    const timer = setTimeout(wake, Math.min(leaseMs, LONGEST_TIMER));
    waiting.add(wake);
    signal.addEventListener('abort', wake, { once: true });
  });
}
