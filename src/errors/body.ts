/**
 * The shape that every failure of a tool call takes, in process and on the wire.
 * Invariant: a body is plain JSON; it holds nothing of the value that caused it.
 */

/** Any value that JSON (RFC 8259) can carry. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** One failure of one call, as the model and the caller see it. */
export interface ToolErrorBody {
  /** A {@link FrameworkErrorCode}, or a snake_case code of the tool's author. */
  readonly code: string;
  /** What happened and what to change, in words that are safe to show to a model. */
  readonly message: string;
  /** True when this same call, unchanged, may succeed later. */
  readonly retryable: boolean;
  /** Machine-readable facts about the failure. */
  readonly detail?: JsonValue;
  /** How long to wait before trying again, in milliseconds. */
  readonly retryAfterMs?: number;
}
