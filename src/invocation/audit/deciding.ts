/**
 * Records requests for approval, and what persons decide.
 * Invariant: nothing is waited for before somebody is asked, since a run that pauses goes by the order of its
 * questions; a decision is recorded before anything goes on by it.
 */
import type { ApprovalDecision, ApprovalRequest, ApprovalStore, Approver } from '../../contract/approval';
import type { AuditEvent } from '../../contract/audit';
import type { CallState } from '../call-state';
import { nowText, shortId, toEvent } from './events';
import type { AuditTrail } from './trail';

function toDecided(request: ApprovalRequest, { type }: ApprovalDecision, by: string): AuditEvent {
  const { id, tool, principalId, conversationId, callId, argumentHash } = request;
  return {
    time: nowText(),
    kind: 'approval_decided',
    tool,
    principalId: principalId === null ? null : shortId(principalId),
    ...(conversationId === undefined ? {} : { conversationId: shortId(conversationId) }),
    callId: shortId(callId),
    argumentHash,
    approvalId: id,
    outcome: type,
    by: shortId(by),
  };
}

/** Records the approvals of one toolkit. */
export class ApprovalAudit {
  private readonly requested = new WeakSet<ApprovalRequest>();

  constructor(private readonly trail: AuditTrail) {}

  /** Records a request once. */
  request(call: CallState, request: ApprovalRequest): void | Promise<void> {
    if (this.requested.has(request)) return undefined;
    this.requested.add(request);
    return this.trail.note(toEvent(call, 'approval_requested', { approvalId: request.id }));
  }

  /** Records that somebody is asked at once; of a door that asks anew on each run, when it pauses the run for it. */
  async asking<T>(
    call: CallState,
    approver: Approver,
    request: ApprovalRequest,
    ask: () => Promise<T>,
  ): Promise<T> {
    const { options } = call;
    if (approver !== options.approver || options.isPause === undefined) void this.request(call, request);
    try {
      return await ask();
    } catch (error) {
      if (call.isPause(error)) await this.request(call, request);
      throw error;
    }
  }

  /** Records what somebody decided who was asked at once. */
  async decided(call: CallState, { type, by }: ApprovalDecision): Promise<void> {
    const named = by === undefined ? null : shortId(by);
    await this.trail.note(toEvent(call, 'approval_decided', { outcome: type, by: named }));
  }

  /** Wraps a store so that what is decided later is recorded, and nothing is decided that cannot be. */
  store(store: ApprovalStore): ApprovalStore {
    return {
      open: (request, lifetimeMs) => store.open(request, lifetimeMs),
      decide: async (id, decision, by) => {
        await this.trail.ready();
        const record = await store.get(id);
        const isDecided = await store.decide(id, decision, by);
        if (isDecided && record !== undefined) {
          await this.trail.note(toDecided(record.request, decision, by));
        }
        return isDecided;
      },
      take: (binding) => store.take(binding),
      get: (id) => store.get(id),
      list: (query) => store.list(query),
    };
  }
}
