/**
 * Takes credentials out of the ids of events, since callers may put anything into them.
 * Invariant: an id without one stays as it is, so that records can be found by it.
 */
import type { AuditEvent } from '../../contract/audit';
import type { Scrubber } from '../scrub';
import { remembering } from '../scrub/remembering';

/** Masks the ids of the events of one trail. */
export class IdMask {
  private readonly of: (id: string) => string;

  constructor(scrubber: Pick<Scrubber, 'id'>) {
    this.of = remembering((id) => scrubber.id(id));
  }

  /** The event itself, or one whose ids hold no credentials. */
  mask(event: AuditEvent): AuditEvent {
    const { callId, conversationId, principalId } = event;
    const isClean =
      this.isClean(callId) && this.isClean(conversationId) && this.isClean(principalId ?? undefined);
    if (isClean) return event;
    return {
      ...event,
      ...(callId === undefined ? {} : { callId: this.of(callId) }),
      ...(conversationId === undefined ? {} : { conversationId: this.of(conversationId) }),
      ...(principalId == null ? {} : { principalId: this.of(principalId) }),
    };
  }

  private isClean(id: string | undefined): boolean {
    return id === undefined || this.of(id) === id;
  }
}
