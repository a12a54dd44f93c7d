/**
 * What watches calls: for traces, metrics and records.
 * Invariant: an observer sees copies and frozen facts; it can neither change, nor delay, nor lose an answer.
 */
import type { JsonValue, ToolErrorBody } from '../errors/body';
import type { ToolSpec } from './tool';
import type { SoundTraceContext } from './trace-context';

/** A call that begins. */
export interface ObservedCall {
  /** What was asked for, in the caller's own words: a name, a name with a range, or a key. */
  readonly reference: string;
  /** The tool that the reference names; undefined: there is none. */
  readonly tool: ToolSpec | undefined;
  readonly callId: string;
  /** Undefined where nobody is known, or what is known has no id. */
  readonly principalId: string | undefined;
  readonly conversationId: string | undefined;
  readonly turnId: string | undefined;
  /** The trace that the door was handed, well-formed; undefined: none. */
  readonly traceContext: SoundTraceContext | undefined;
  /** In milliseconds since the epoch. */
  readonly startedAt: number;
}

/** A broken rule, by its place in the declaration. */
export interface DeclaredViolation {
  /**
   * JSON Pointer (RFC 6901) of the declared field, with `*` for elements and for keys of maps; empty for the whole. An
   * undeclared property goes by its parent. So it never holds what a caller has written.
   */
  readonly path: string;
  /** The rule's name, as class-validator spells it. */
  readonly rule: string;
}

/** How far a person's approval has come: they are asked, or have decided. */
export const APPROVAL_STEPS = ['ask', 'approve', 'edit', 'reject'] as const;

/** One of {@link APPROVAL_STEPS}. */
export type ApprovalStep = (typeof APPROVAL_STEPS)[number];

/** What may keep a call from running: a rate, a store of rates that fails, a full queue, or an open breaker. */
export const LIMITERS = ['principal_rate', 'tool_rate', 'rate_store', 'concurrency', 'breaker'] as const;

/** One of {@link LIMITERS}. */
export type Limiter = (typeof LIMITERS)[number];

/** What nobody has foreseen: of what was thrown only this leaves the log. */
export interface CallException {
  /** What the caller is told, and the log says beside the error. */
  readonly reference: string;
  /** The name of its class, secrets masked. */
  readonly type: string;
}

/** How a call has ended. */
export interface CallRecord {
  /** The very object that the watch was made for. */
  readonly call: ObservedCall;
  /** By a clock that nobody sets, in milliseconds; never negative. */
  readonly durationMs: number;
  /** `paused`: a person is asked, and the call comes again; it has not failed. */
  readonly outcome: 'success' | 'failure' | 'paused';
  /** What the caller is answered, secrets masked; undefined unless the call has failed. */
  readonly error: ToolErrorBody | undefined;
  /** True where the caller does not hold the scopes, whatever an interceptor has made of that denial. */
  readonly isDenied: boolean;
  /** Of arguments that were refused; empty otherwise. */
  readonly violations: readonly DeclaredViolation[];
  /**
   * SHA-256 of the accepted arguments in canonical JSON (RFC 8785), or else of what was sent. Undefined where that is
   * no JSON or exceeds the toolkit's limits, and where the call ended before its first stage.
   */
  readonly argumentHash: string | undefined;
  /** The key that its action goes by in the ledger; undefined for tools without side effects, and before validation. */
  readonly ledgerKey: string | undefined;
  /**
   * True where a person has to find out what an action came to: the call is answered `outcome_unknown`, or did not
   * succeed once the handler of a tool with side effects had begun, whatever its code, unless it is known that nothing
   * was done or that only the output was wrong. The ledger's entry is then `unknown`.
   */
  readonly isOutcomeUnknown: boolean;
  /** Of a call that ended with `internal_error`; undefined otherwise. */
  readonly exception: CallException | undefined;
  /** How often the handler has begun; 0: not at all. */
  readonly attempts: number;
  /** True where the ledger answered with what an earlier call has come to. */
  readonly replayed: boolean;
  /** Undefined where nobody was asked. */
  readonly approval: ApprovalStep | undefined;
  /** Which limit has refused the call; undefined: none. */
  readonly limiter: Limiter | undefined;
  /** 32 hexadecimal digits: of the first watch that names one, or else of the door's trace. */
  readonly traceId: string | undefined;
  /** A copy of the accepted arguments, secrets masked; made when it is asked for. Undefined: none were accepted. */
  arguments(): JsonValue | undefined;
  /** A copy of the answered result, secrets masked; made when it is asked for. Undefined unless the call succeeded. */
  result(): JsonValue | undefined;
}

/** Watches one call. */
export interface CallWatch {
  /** The trace that the watch has put the call into; read once, before the call runs. */
  readonly traceId?: string | undefined;
  /**
   * Runs the call in a context of the observer's own: it calls `run` once, at once. Whatever it does instead, the call
   * runs once; nothing is waited for.
   */
  within?(run: () => void): void;
  /** Called once, before the caller has the answer. What it throws is logged; what it promises is not waited for. */
  ended?(record: CallRecord): void;
}

/** A circuit breaker that has changed its state; one that is open when its toolkit is closed is then closed too. */
export interface BreakerChange {
  /** The tool's name, or the downstream service's. */
  readonly breaker: string;
  readonly state: 'open' | 'closed';
}

/** Watches the calls of a toolkit. */
export interface Observer {
  /** A toolkit is made, with these tools. */
  started?(tools: readonly ToolSpec[]): void;
  /** False while no call is watched, which then costs nothing. Left out: true. */
  isWatching?(): boolean;
  /** A call begins; gives what watches it, or undefined where nothing does. */
  began(call: ObservedCall): CallWatch | undefined;
  breakerChanged?(change: BreakerChange): void;
}
