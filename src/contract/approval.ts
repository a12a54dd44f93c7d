/**
 * The approval of a call by a person.
 * Invariant: a decision holds for one call with one set of arguments; whatever is no decision approves nothing.
 */
import type { JsonValue } from '../errors/body';
import type { SideEffectDeclaration } from './tool';

/** What a reviewer is not shown as it is. */
export interface MaskedPart {
  /** A JSON Pointer (RFC 6901) into the request: `/arguments/token`. Where a key is masked, to the mask. */
  readonly path: string;
  /** The length of what is masked, in UTF-16 units. */
  readonly characters: number;
  /** 8 hexadecimal digits, which tell values apart within one process, under a random key of its own. */
  readonly digest: string;
}

/** What a reviewer gets to see. */
export interface ApprovalRequest {
  /**
   * Of this request alone, however often a run is resumed for it; what `approval_required` carries, and by which the
   * request is decided later.
   */
  readonly id: string;
  /**
   * SHA-256 of the tool's key and definition, the arguments, the principal and the conversation, in hexadecimal: that of every same
   * call, by which it finds its request.
   */
  readonly binding: string;
  readonly callId: string;
  /** `name@version`. */
  readonly tool: string;
  readonly modelName: string;
  readonly title?: string;
  readonly description: string;
  /** As they were sent, without defaults, and with credentials masked; invisible characters stay. */
  readonly arguments: JsonValue;
  /** SHA-256 of the arguments in canonical JSON (RFC 8785), in hexadecimal; a decision is bound to it. */
  readonly argumentHash: string;
  readonly sideEffect: SideEffectDeclaration;
  /** Null: nobody is known. */
  readonly principalId: string | null;
  readonly conversationId?: string;
  /** What the tool says it would do. */
  readonly preview?: JsonValue;
  /** What is masked in the arguments and the preview; left out: nothing is. */
  readonly masked?: readonly MaskedPart[];
  /** Why the last decision could not be taken: edited arguments that are invalid, say. */
  readonly problem?: string;
}

/** What a reviewer decided; `by` names them for the audit trail, where whoever asked knows it. */
export type ApprovalDecision =
  | { readonly type: 'approve'; readonly by?: string }
  /** Runs with these arguments instead, which are validated and authorised as any. */
  | { readonly type: 'edit'; readonly arguments: JsonValue; readonly by?: string }
  | { readonly type: 'reject'; readonly reason?: string; readonly by?: string };

/** Asks a person; undefined: nobody can be asked now. A pause of the run may be thrown. */
export type Approver = (
  request: ApprovalRequest,
  signal: AbortSignal,
) => Promise<ApprovalDecision | undefined> | ApprovalDecision | undefined;

/** Tells which calls need approval. Left out: those of `destructive` tools. */
export type ApprovalPolicy = (call: {
  /** `name@version`. */
  readonly tool: string;
  readonly sideEffect: SideEffectDeclaration;
  /** The parsed arguments: a copy, apart from what runs. */
  readonly input: unknown;
  readonly principalId: string | null;
}) => boolean | Promise<boolean>;

/** Where a kept request stands. `used`: the call that it allowed has begun. */
export type ApprovalState = 'pending' | 'approved' | 'rejected' | 'used';

/** A request that waits for its decision, or has it. Times are milliseconds since 1970. */
export interface ApprovalRecord {
  readonly request: ApprovalRequest;
  readonly state: ApprovalState;
  readonly decision?: ApprovalDecision;
  /** Who decided, as the application says it. */
  readonly decidedBy?: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Keeps requests that are decided later. */
export interface ApprovalStore {
  /**
   * Keeps a request under its id, which is new. An open one with its binding stays as it is, and is given back
   * instead: one that is pending or decided, and neither used nor expired. What was used stays until it expires.
   */
  open(request: ApprovalRequest, lifetimeMs: number): Promise<ApprovalRecord>;
  /** Decides a pending request; false, and nothing changes, where it is not pending, or has expired. */
  decide(id: string, decision: ApprovalDecision, by: string): Promise<boolean>;
  /** Takes the open request with a binding, decided and now `used`, once over all processes; undefined: there is none. */
  take(binding: string): Promise<ApprovalRecord | undefined>;
  get(id: string): Promise<ApprovalRecord | undefined>;
  /** The oldest first; left out: pending, 100. A limit that is no positive integer is a TypeError. */
  list(query?: {
    readonly state?: ApprovalState | undefined;
    readonly limit?: number | undefined;
  }): Promise<readonly ApprovalRecord[]>;
}
