/**
 * What the sample's people say to the agent, and who they are.
 * Invariant: a turn is spoken by the same person whenever the conversation is continued.
 */
import { createHash } from 'node:crypto';
import type { Principal } from 'toolcrib';

/** One thing that somebody says to the agent. */
export interface Turn {
  readonly speaker: Principal;
  readonly text: string;
}

/** Someone at the service desk, who may look things up but not pay money back. */
const DESK: Principal = { id: 'desk-7', scopes: ['customers:read', 'orders:read', 'shipments:read'] };

/** Someone who may ask for refunds and cancellations; a reviewer approves them. */
const LEAD: Principal = { id: 'lead-2', scopes: [...DESK.scopes, 'orders:refund', 'orders:write'] };

/** A reference of refunds that no other conversation has. */
export function referenceOf(thread: string): string {
  const digits = createHash('sha256').update(thread).digest().readBigUInt64BE().toString();
  return `REF-${digits.padStart(12, '0').slice(0, 12)}`;
}

/**
 * The sample's conversation.
 *
 * @param reference of its first refund; the second one has the same and a digit more.
 */
export function turnsOf(reference = 'REF-2026'): readonly Turn[] {
  const desk = (text: string): Turn => ({ speaker: DESK, text });
  const lead = (text: string): Turn => ({ speaker: LEAD, text });
  return [
    desk('Where is ORD-1234?'),
    desk('And where is order 1042?'),
    desk('What about ORD-9999?'),
    desk('Where exactly is parcel RR100000234DE?'),
    desk(`Please refund 12.50 EUR of ORD-1096 (${reference}).`),
    lead(`I may: refund 12.50 EUR of ORD-1096 (${reference}).`),
    lead(`Did that work? Refund 12.50 EUR of ORD-1096 (${reference}).`),
    lead(`Refund 45.00 EUR of ORD-1096, too (${reference}2).`),
    lead('And cancel ORD-1000.'),
  ];
}
