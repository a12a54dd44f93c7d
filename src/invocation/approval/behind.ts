/**
 * Lets calls that ask nobody themselves stand behind those that have to be approved.
 * Invariant: of calls that were made at the same time by one door, approvals are asked before handlers ask.
 */
import type { ToolResult } from '../../contract/result';
import type { JsonValue } from '../../errors/body';
import type { CallState } from '../call-state';
import { specOf } from '../stages';

/** Tells calls whose handlers may ask something themselves, where siblings ask by the same door. */
export function standsBehind(call: CallState): boolean {
  return call.options.approver !== undefined && specOf(call).sideEffect.kind !== 'none';
}

/** Goes on, behind all calls that were made at the same time and have to be approved. */
export async function goOn(
  call: CallState,
  next: () => Promise<ToolResult<JsonValue>>,
): Promise<ToolResult<JsonValue>> {
  // A run that pauses gives answers by the order of its questions, and a handler may have some of its own.
  if (standsBehind(call)) await new Promise((resolve) => setImmediate(resolve));
  return next();
}
