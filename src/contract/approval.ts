/**
 * The approval of a call by a person.
 * Invariant: a decision holds for one call with one set of arguments; whatever is no decision approves nothing.
 */
import type { JsonValue } from '../errors/body';
import type { SideEffectDeclaration } from './tool';

/** What a reviewer gets to see. */
export interface ApprovalRequest {
  /** What `approval_required` carries, and by which the request is decided later. */
  readonly id: string;
  readonly callId: string;
  /** `name@version`. */
  readonly tool: string;
  readonly modelName: string;
  readonly title?: string;
  readonly description: string;
  /** With secrets masked. */
  readonly arguments: JsonValue;
  /** SHA-256 of the arguments in canonical JSON (RFC 8785), in hexadecimal; a decision is bound to it. */
  readonly argumentHash: string;
  readonly sideEffect: SideEffectDeclaration;
  /** Null: nobody is known. */
  readonly principalId: string | null;
  readonly conversationId?: string;
  /** What the tool says it would do. */
  readonly preview?: JsonValue;
  /** Why the last decision could not be taken: edited arguments that are invalid, say. */
  readonly problem?: string;
}

/** What a reviewer decided. */
export type ApprovalDecision =
  | { readonly type: 'approve' }
  /** Runs with these arguments instead, which are validated and authorised as any. */
  | { readonly type: 'edit'; readonly arguments: JsonValue }
  | { readonly type: 'reject'; readonly reason?: string };

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
  /** The parsed arguments. */
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
   * Keeps a request; one with its id that is there already stays as it is, and is given back. One that has
   * expired, or whose decision was taken, gives way to the new one.
   */
  open(request: ApprovalRequest, lifetimeMs: number): Promise<ApprovalRecord>;
  /** Decides a pending request; false where it is not pending, or has expired. */
  decide(id: string, decision: ApprovalDecision, by: string): Promise<boolean>;
  /** Takes the decision of a request, once over all processes; undefined where there is none to take. */
  take(id: string): Promise<ApprovalDecision | undefined>;
  get(id: string): Promise<ApprovalRecord | undefined>;
  /** The oldest first; left out: pending, 100. A limit that is no positive integer is a TypeError. */
  list(query?: {
    readonly state?: ApprovalState | undefined;
    readonly limit?: number | undefined;
  }): Promise<readonly ApprovalRecord[]>;
}
