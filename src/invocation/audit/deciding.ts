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

function ofRequest(request: ApprovalRequest, kind: AuditEvent['kind']): AuditEvent {
  const { id, tool, principalId, conversationId, callId, argumentHash } = request;
  return {
    time: nowText(),
    kind,
    tool,
    principalId: principalId === null ? null : shortId(principalId),
    ...(conversationId === undefined ? {} : { conversationId: shortId(conversationId) }),
    callId: shortId(callId),
    argumentHash,
    approvalId: id,
  };
}

/** Records the approvals of one toolkit. */
export class ApprovalAudit {
  private readonly requested = new WeakSet<ApprovalRequest>();

  constructor(private readonly trail: AuditTrail) {}

  /** Records a request once. */
  private request(request: ApprovalRequest): void | Promise<void> {
    if (this.requested.has(request)) return undefined;
    this.requested.add(request);
    return this.trail.note(ofRequest(request, 'approval_requested'));
  }

  /** Records that somebody is asked at once; of a door, which asks anew on each run, when it pauses the run for it. */
  async asking<T>(
    call: CallState,
    approver: Approver,
    request: ApprovalRequest,
    ask: () => Promise<T>,
  ): Promise<T> {
    if (approver !== call.options.approver) void this.request(request);
    try {
      return await ask();
    } catch (error) {
      if (call.isPause(error)) await this.request(request);
      throw error;
    }
  }

  /** Records what somebody decided who was asked at once. */
  async decided(call: CallState, { id }: ApprovalRequest, { type }: ApprovalDecision): Promise<void> {
    await this.trail.note(toEvent(call, 'approval_decided', { outcome: type, approvalId: id }));
  }

  /** Wraps a store so that what it keeps, and what is decided later, is recorded. */
  store(store: ApprovalStore): ApprovalStore {
    return {
      open: async (request, lifetimeMs) => {
        const record = await store.open(request, lifetimeMs);
        if (record.request.id === request.id) await this.request(request);
        return record;
      },
      decide: async (id, decision, by) => {
        const record = await store.get(id);
        const isDecided = await store.decide(id, decision, by);
        if (isDecided && record !== undefined) {
          const event = ofRequest(record.request, 'approval_decided');
          await this.trail.note({ ...event, outcome: decision.type, by: shortId(by) });
        }
        return isDecided;
      },
      take: (binding) => store.take(binding),
      get: (id) => store.get(id),
      list: (query) => store.list(query),
    };
  }
}
