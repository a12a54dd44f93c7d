/**
 * What a handler asks the person at the client, or the client itself, while it runs.
 * Invariant: an answer is bound to its question; whatever is no answer to it is none.
 */
import type { JsonValue } from '../errors/body';
import type { JsonSchema } from './schema';

/** How a handler puts its question. */
export interface RequestInputOptions {
  /** The question, in plain text: at most 2,000 characters are shown. The same each time, where nothing has changed. */
  readonly message: string;
  /**
   * Names the question within its call: 1 to 64 letters, digits, `_`, `-` and `.`, and no name that every object has,
   * as `constructor`. Left out: its number, which does
   * where a handler asks in the same order each time.
   */
  readonly key?: string;
}

/** What a person answered: a form that is filled in, a refusal, or neither. */
export type InputAnswer<T> =
  | { readonly action: 'accept'; readonly content: T }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** One question, as a door puts it to the person. */
export interface InputRequest {
  readonly callId: string;
  /** `name@version`. */
  readonly tool: string;
  readonly key: string;
  /** In plain text. */
  readonly message: string;
  /** The form: a flat object, whose properties MCP's forms can show (2026-07-28, Elicitation › Requested Schema). */
  readonly schema: JsonSchema;
  /**
   * SHA-256 of the question with its tool, arguments, principal and conversation, in hexadecimal. An answer holds for
   * that alone.
   */
  readonly binding: string;
  /** Why the last answer could not be taken. */
  readonly problem?: string;
}

/**
 * Puts a question to a person; undefined: nobody can be asked now. The content of an answer is validated afterwards. A
 * pause of the run may be thrown, and the clock of the call goes on meanwhile.
 */
export type InputRequester = (
  request: InputRequest,
  signal: AbortSignal,
) => Promise<InputAnswer<unknown> | undefined> | InputAnswer<unknown> | undefined;

/** What a handler asks the client itself, in the words of MCP, whose revision 2026-07-28 deprecates both. */
export interface ClientQuestion {
  /** A message of the client's own model, or the folders that it works in. */
  readonly method: 'sampling/createMessage' | 'roots/list';
  /** As MCP has them; left out: none. */
  readonly params?: { readonly [name: string]: JsonValue };
  /** As that of {@link RequestInputOptions}. */
  readonly key?: string;
}

/** One such question, as a door sends it to the client. */
export interface ClientRequest extends Pick<InputRequest, 'callId' | 'tool' | 'key' | 'binding'> {
  readonly method: ClientQuestion['method'];
  readonly params: { readonly [name: string]: JsonValue };
}

/** Sends a question to the client, and gives its result; undefined: the door cannot. A pause of the run may be thrown. */
export type ClientRequester = (request: ClientRequest, signal: AbortSignal) => unknown;
