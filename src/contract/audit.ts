/**
 * The audit trail: what is recorded of calls with side effects, denials, approvals and settlements, and where to.
 * Invariant: a record says who did what and how it ended, and never holds argument values, error texts or
 * credentials.
 */

/**
 * What a record is about.
 *
 * - `call_started`: a call of a tool with side effects is about to claim its key and to run; written ahead.
 * - `call_ended`: how such a call ended.
 * - `call_refused`: a call of such a tool was answered before it started: its input was invalid, say.
 * - `denied`: the caller of any tool lacked its scopes.
 * - `approval_requested`: a person was asked, and has not decided yet.
 * - `approval_decided`: a person, or who decides for one, has decided.
 * - `settled`: a person has said what became of an action whose outcome was unknown.
 * - `gap`: records that could not be written are missing here.
 */
export const AUDIT_KINDS = [
  'call_started',
  'call_ended',
  'call_refused',
  'denied',
  'approval_requested',
  'approval_decided',
  'settled',
  'gap',
] as const;

/** One of {@link AUDIT_KINDS}. */
export type AuditKind = (typeof AUDIT_KINDS)[number];

/**
 * How it ended: of `call_ended` the first four, where `unknown` is for a person to find out, and `paused` waits for
 * one; of `approval_decided` the next three; of `settled` the last two.
 */
export type AuditOutcome =
  | 'succeeded'
  | 'failed'
  | 'unknown'
  | 'paused'
  | 'approve'
  | 'edit'
  | 'reject'
  | 'executed'
  | 'not_executed';

/** What happened; a sink gives it its place in the trail. */
export interface AuditEvent {
  /** When it happened: RFC 3339, in UTC, by the clock of the process. */
  readonly time: string;
  readonly kind: AuditKind;
  /** `name@version`; left out of a `gap`. */
  readonly tool?: string;
  /** Who called; null: nobody is known; left out of a `gap`. */
  readonly principalId?: string | null;
  readonly conversationId?: string;
  readonly callId?: string;
  /** SHA-256 of the arguments in canonical JSON (RFC 8785), in hexadecimal; left out where nobody had looked at them. */
  readonly argumentHash?: string;
  /** That of the arguments as they were sent, where a reviewer has edited them. */
  readonly sentHash?: string;
  readonly outcome?: AuditOutcome;
  /** The error code, where it failed, was refused or denied. */
  readonly code?: string;
  /** The call got the recorded answer of an earlier one, and carried out nothing. */
  readonly replayed?: true;
  /** The request for approval; of a call the one whose decision it goes by. */
  readonly approvalId?: string;
  /** The key of the ledger that was settled. */
  readonly ledgerKey?: string;
  /** Who decided or settled, as the application names them; null: it named nobody. */
  readonly by?: string | null;
  /** The trace-id (W3C Trace Context) of the call's own span, where it has one, or of what the call came with. */
  readonly traceId?: string;
  /** How many records a `gap` stands for. */
  readonly missing?: number;
}

/** An event in its place. */
export interface AuditRecord extends AuditEvent {
  /** From 1, without holes. */
  readonly sequence: number;
  /** The `hash` of the record before; of the first one 64 zeros. */
  readonly previousHash: string;
  /** SHA-256 of the record without this member in canonical JSON (RFC 8785), in hexadecimal. */
  readonly hash: string;
}

/** The last record of a trail: kept elsewhere, it shows later that nothing was cut off. */
export interface AuditHead {
  /** 0: the trail is empty. */
  readonly sequence: number;
  readonly hash: string;
}

/** Where records are written. */
export interface AuditSink {
  /**
   * Gives an event its place and writes it, as durably as the sink promises, before it settles; what has to be waited
   * for may be done at once. Events keep the order in which they are given. Rejecting, or throwing, says that the event is
   * not in the trail and will not be.
   */
  append(event: AuditEvent): void | Promise<void>;
  /**
   * Makes sure that events can be written, before something is changed that has to be recorded. Rejecting, or throwing,
   * says that they cannot, and the change is not made.
   */
  ready?(): void | Promise<void>;
  /** Settles once all that was given is written, and the head recorded. */
  flush?(): void | Promise<void>;
}

/** One line of a trail, as it was read. */
export interface AuditLine {
  /** Its bytes, without the line feed. */
  readonly bytes: Buffer;
  /** The file; left out where there is none. */
  readonly file?: string;
  /** From 1, within the file. */
  readonly line: number;
  /** Whether a line feed ended it. */
  readonly isComplete: boolean;
  /** What its store says beside the line of the record in it; left out where it says nothing. */
  readonly place?: AuditHead;
}
