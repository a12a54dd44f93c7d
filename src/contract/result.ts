/**
 * The answer to one call, in process and on the wire.
 * Invariant: `toWire` is the only place where one becomes the other.
 */
import type { JsonValue, ToolErrorBody } from '../errors/body';

/** The answer to one call: the output as JSON, or one error. */
export type ToolResult<T = unknown> =
  | { readonly success: true; readonly result: T }
  | { readonly success: false; readonly error: ToolErrorBody };

/** The same answer in MCP's word: the content of LangGraph's messages and of MCP's error texts. */
export type WireResult =
  | { readonly isError: false; readonly result: JsonValue }
  | { readonly isError: true; readonly error: ToolErrorBody };

/** Turns a result of {@link ToolResult} into its wire form. */
export function toWire(result: ToolResult<JsonValue>): WireResult {
  return result.success ? { isError: false, result: result.result } : { isError: true, error: result.error };
}
