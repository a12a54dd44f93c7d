/**
 * A definition as a member of MCP's `tools/list`.
 * Invariant: it is the very definition that the toolkit describes, and nobody else's copy of it is changed.
 */
import type { Tool } from '@modelcontextprotocol/server';
import { isSpecType } from '@modelcontextprotocol/server';
import { oncePer } from '../contract/once';
import type { ServedTool } from './served-tools';

const toolOf = oncePer((served: ServedTool): Tool => {
  const copy: unknown = structuredClone(served.definition);
  if (isSpecType.Tool(copy)) return copy;
  throw new TypeError(`${served.spec.key} is no tool of MCP`);
});

/** The tool as clients see it. */
export function toTool(served: ServedTool): Tool {
  return toolOf(served);
}
