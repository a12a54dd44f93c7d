/**
 * What a handler knows about the call that it serves.
 * Invariant: nothing in it comes from the model; the door and the application fill it.
 */
import type { JsonValue } from '../errors/body';
import type { Class } from './class';
import type { ClientQuestion, InputAnswer, RequestInputOptions } from './input';
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
  /**
   * Asks the person at the client to fill in a form: a DTO of strings, numbers, booleans, enums of strings and lists of
   * them. Undefined: nobody can be asked now. Invalid answers are asked again, five times at most, and then count as
   * `cancel`. Never ask for passwords, keys or tokens: clients and models may see the answers (MCP 2026-07-28,
   * Elicitation › Security Considerations).
   *
   * The run may pause by what this throws, which must not be caught, and the handler then runs again from its start:
   * whatever takes effect belongs after the last question.
   *
   * @throws DeclarationError `outside_dialect` where a form cannot show the model.
   */
  requestInput<T extends object>(
    model: Class<T>,
    question: RequestInputOptions,
  ): Promise<InputAnswer<T> | undefined>;
  /**
   * Asks the client itself, over MCP alone: for a message of its model (`sampling/createMessage`), or for its folders
   * (`roots/list`). MCP 2026-07-28 deprecates both: new tools call a model of their own, and take paths as arguments.
   * Gives the result in MCP's form. Undefined: the door cannot carry it. A client that has not declared the capability
   * is answered −32021 (Basic › Error Codes). The run may pause as with {@link requestInput}.
   */
  requestFromClient(question: ClientQuestion): Promise<JsonValue | undefined>;
}
