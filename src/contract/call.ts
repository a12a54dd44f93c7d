/**
 * One call on its way through the pipeline, and the hook that may stand in that way.
 * Invariant: stages run in the order of `STAGES` for every call, from every door.
 */
import type { JsonValue } from '../errors/body';
import type { Approver } from './approval';
import type { ProgressUpdate, ToolContext } from './context';
import type { ClientRequester, InputRequester } from './input';
import type { Principal } from './principal';
import type { ToolResult } from './result';
import type { ToolSpec } from './tool';
import type { TraceContext } from './trace-context';

/** The stages of a call, in their order. */
export const STAGES = [
  'resolve',
  'authorise',
  'limit',
  'retry_guard',
  'validate',
  'approve',
  'claim',
  'execute',
  'check_output',
  'record',
] as const;

/** One of {@link STAGES}. */
export type Stage = (typeof STAGES)[number];

/** One request, as the stages see it. */
export interface ToolCall {
  /** What was asked for: a name, a name with a range, or a key. */
  readonly reference: string;
  /** As received; not yet looked at before the stage `validate`. */
  readonly arguments: unknown;
  readonly context: ToolContext;
  /** The tool; set by `resolve`. */
  readonly spec: ToolSpec | undefined;
  /** The parsed arguments; set by `validate`. */
  readonly input: unknown;
  /** SHA-256 of the arguments in canonical JSON (RFC 8785), in hexadecimal; set by `validate`. */
  readonly argumentHash: string | undefined;
  /** What stages leave for the record: attempt, replayed, the state of a breaker. */
  readonly notes: Map<string, JsonValue>;
  /** Tells a pause of the run from a failure; pauses are rethrown untouched. */
  isPause(error: unknown): boolean;
}

/** The only extension hook: stands before its stage, sees the call, and decides whether it goes on. */
export interface Interceptor {
  readonly stage: Stage;
  run(call: ToolCall, next: () => Promise<ToolResult<JsonValue>>): Promise<ToolResult<JsonValue>>;
}

/** What the caller says about one call. */
export interface InvokeOptions {
  readonly principal?: Principal | undefined;
  readonly conversationId?: string | undefined;
  readonly turnId?: string | undefined;
  /** Made up when left out. */
  readonly callId?: string | undefined;
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined;
  /** Shortens the deadline of this call, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: ((update: ProgressUpdate) => void) | undefined;
  /** Supplied by an adapter whose runtime pauses runs by throwing. */
  readonly isPause?: ((error: unknown) => boolean) | undefined;
  /** Whom to ask where a call needs approval, before the toolkit's own approver. */
  readonly approver?: Approver | undefined;
  /** Puts the questions of `context.requestInput` to a person; left out: nobody can be asked. */
  readonly inputRequester?: InputRequester | undefined;
  /** Sends the questions of `context.requestFromClient`; left out: they are answered undefined. */
  readonly clientRequester?: ClientRequester | undefined;
  /** The trace that the request belongs to, where the door was handed one; what is malformed is left out. */
  readonly traceContext?: TraceContext | undefined;
}
