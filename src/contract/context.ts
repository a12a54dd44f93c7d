/**
 * What a handler knows about the call that it serves.
 * Invariant: nothing in it comes from the model; the door and the application fill it.
 */
import type { Principal } from './principal';

/** The part of pino's interface that the framework writes to. */
export interface Logger {
  debug(fields: object, message?: string): void;
  info(fields: object, message?: string): void;
  warn(fields: object, message?: string): void;
  error(fields: object, message?: string): void;
}

/** MCP's progress notification: how far a call has come. */
export interface ProgressUpdate {
  /** Finite, and greater than with every earlier update of the call. */
  readonly progress: number;
  /** Finite; left out where it is not known. */
  readonly total?: number;
  /** For people. */
  readonly message?: string;
}

/** What a handler knows about the call that it serves. */
export interface ToolContext {
  /** Who is calling; undefined when nobody is known, who then holds no scopes. */
  readonly principal: Principal | undefined;
  readonly conversationId: string | undefined;
  /** A new one for each turn of the user. */
  readonly turnId: string | undefined;
  /** Identifies this call; a repeated one is a replay. */
  readonly callId: string;
  /** To hand on to downstream services: equal for every attempt of the same side effect. */
  readonly idempotencyKey: string;
  /** Aborted on the deadline and on cancellation. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /**
   * Tells the caller how far the call has come, where the door can carry it. Never throws: an update that is no
   * progress, comes too fast or after the end is left out.
   */
  progress(update: ProgressUpdate): void;
}
