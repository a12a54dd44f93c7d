/**
 * Keeps requests for approval in the memory of this process.
 * Invariant: it never holds more requests than its bound, and a decision is taken once.
 */
import type {
  ApprovalDecision,
  ApprovalRecord,
  ApprovalRequest,
  ApprovalState,
  ApprovalStore,
} from '../../contract/approval';
import { toListLimit } from '../listed';

const MAX_REQUESTS = 1_000;

/** The store of toolkits that name none: what it holds ends with the process. */
export class MemoryApprovalStore implements ApprovalStore {
  /** In the order in which they were opened. */
  private readonly records = new Map<string, ApprovalRecord>();
  /** The ids of those that are open, by their bindings. */
  private readonly openIds = new Map<string, string>();

  async open(request: ApprovalRequest, lifetimeMs: number): Promise<ApprovalRecord> {
    const { id, binding } = request;
    const known = this.bound(binding);
    if (known !== undefined) return known;
    this.makeRoom();
    const createdAt = Date.now();
    const record = { request, state: 'pending', createdAt, expiresAt: createdAt + lifetimeMs } as const;
    this.records.set(id, record);
    this.openIds.set(binding, id);
    return record;
  }

  async decide(id: string, decision: ApprovalDecision, by: string): Promise<boolean> {
    const record = this.current(id);
    if (record?.state !== 'pending') return false;
    const state = decision.type === 'reject' ? 'rejected' : 'approved';
    this.records.set(id, { ...record, state, decision, decidedBy: by });
    return true;
  }

  async take(binding: string): Promise<ApprovalRecord | undefined> {
    const record = this.bound(binding);
    if (record === undefined || record.state === 'pending') return undefined;
    const used: ApprovalRecord = { ...record, state: 'used' };
    this.records.set(record.request.id, used);
    this.openIds.delete(binding);
    return used;
  }

  async get(id: string): Promise<ApprovalRecord | undefined> {
    return this.current(id);
  }

  async list({
    state = 'pending',
    limit,
  }: {
    readonly state?: ApprovalState | undefined;
    readonly limit?: number | undefined;
  } = {}): Promise<readonly ApprovalRecord[]> {
    const most = toListLimit(limit);
    this.forgetExpired();
    return [...this.records.values()].filter((record) => record.state === state).slice(0, most);
  }

  /** The open record with a binding. */
  private bound(binding: string): ApprovalRecord | undefined {
    const id = this.openIds.get(binding);
    return id === undefined ? undefined : this.current(id);
  }

  /** The record of an id; one that has expired is forgotten. */
  private current(id: string): ApprovalRecord | undefined {
    const record = this.records.get(id);
    if (record === undefined || record.expiresAt > Date.now()) return record;
    this.forget(record);
    return undefined;
  }

  private forget({ request: { id, binding } }: ApprovalRecord): void {
    this.records.delete(id);
    if (this.openIds.get(binding) === id) this.openIds.delete(binding);
  }

  private forgetExpired(): void {
    for (const id of [...this.records.keys()]) this.current(id);
  }

  /** Forgets what is over first, and then what was opened first. */
  private makeRoom(): void {
    if (this.records.size < MAX_REQUESTS) return;
    this.forgetExpired();
    const records = [...this.records.values()];
    const oldest = records.find(({ state }) => state === 'used') ?? records[0];
    if (this.records.size >= MAX_REQUESTS && oldest !== undefined) this.forget(oldest);
  }
}
