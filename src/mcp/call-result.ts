/**
 * What came of a call, as MCP's `tools/call` answers it.
 * Invariant: the text says exactly what the structured result says, and a failure carries no structured result.
 */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ContentBlock } from '../contract/content';
import { type ToolResult, toWire } from '../contract/result';
import type { ToolSpec } from '../contract/tool';
import type { JsonValue } from '../errors/body';

type WireBlock = CallToolResult['content'][number];

/** A copy that the SDK may keep. */
function toBlock(block: ContentBlock): WireBlock {
  const { annotations, ...rest } = block;
  const { audience, ...others } = annotations ?? {};
  return {
    ...rest,
    ...(annotations === undefined
      ? {}
      : { annotations: { ...others, ...(audience === undefined ? {} : { audience: [...audience] }) } }),
  };
}

/** Tells what keeps its members on the way: for clients of 2025 the SDK drops a member of this name. */
function isStructurable(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null || !Object.hasOwn(value, '__proto__');
}

/** Makes the result of `tools/call` (MCP 2026-07-28, Tools › Tool Result and Error Handling). */
export function toCallToolResult(spec: ToolSpec, result: ToolResult<JsonValue>): CallToolResult {
  if (!result.success) {
    return { isError: true, content: [{ type: 'text', text: JSON.stringify(toWire(result)) }] };
  }
  const blocks = (result.content ?? []).map(toBlock);
  // Content alone is the whole answer, where no structured result was promised.
  if (result.result === null && spec.output.schema === undefined && blocks.length > 0)
    return { content: blocks };
  const text = { type: 'text' as const, text: JSON.stringify(result.result) };
  if (!isStructurable(result.result)) return { content: [text, ...blocks] };
  return { content: [text, ...blocks], structuredContent: result.result };
}
