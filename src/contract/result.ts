/**
 * The answer to one call, in process and on the wire.
 * Invariant: `toWire` is the only place where one becomes the other.
 */
import type { JsonValue, ToolErrorBody } from '../errors/body';
import type { ContentBlock } from './content';

/** What stands beside the result where the handler answered content. */
interface WithContent {
  readonly content?: readonly ContentBlock[];
}

/** The answer to one call: the output as JSON, with content where there is some, or one error. */
export type ToolResult<T = unknown> =
  | ({ readonly success: true; readonly result: T } & WithContent)
  | { readonly success: false; readonly error: ToolErrorBody };

/** The same answer in MCP's word: the content of LangGraph's messages and of MCP's error texts. */
export type WireResult =
  | ({ readonly isError: false; readonly result: JsonValue } & WithContent)
  | { readonly isError: true; readonly error: ToolErrorBody };

/** Turns a result of {@link ToolResult} into its wire form. */
export function toWire(result: ToolResult<JsonValue>): WireResult {
  if (!result.success) return { isError: true, error: result.error };
  const { content } = result;
  return { isError: false, result: result.result, ...(content === undefined ? {} : { content }) };
}
