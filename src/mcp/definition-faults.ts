/**
 * What MCP's clients could not take of a tool.
 * Invariant: whatever a spec holds, the answer is a list of faults or a definition that is pure JSON; nothing is
 * thrown.
 */
import { isSpecType, specTypeSchemas, type Tool } from '@modelcontextprotocol/server';
import type { ToolDefinition, ToolSpec } from '../contract/tool';
import { reasonOf } from '../errors/reason';
import { describe } from '../schema/describe';
import { paramHeaderFaults, takesParamHeaders } from './param-headers';

/** A tool as clients see it, or why they could not take it. */
export type Judged =
  | {
      readonly faults: undefined;
      readonly tool: Tool;
      /** Set where arguments are mirrored in `Mcp-Param-…` headers, which the SDK then compares. */
      readonly headerSchema: Tool['inputSchema'] | undefined;
    }
  | { readonly faults: readonly string[] };

/** JSON writes anything else of an object as if it were empty. */
const TAGS: readonly string[] = ['[object Object]', '[object Array]'];

/** Tells whether JSON has lost nothing of a value. What is undefined says nothing. */
function isWhole(value: unknown, copy: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === copy;
  if (typeof copy !== 'object' || copy === null || Array.isArray(value) !== Array.isArray(copy)) return false;
  if (!TAGS.includes(Object.prototype.toString.call(value))) return false;
  const copied = new Map(Object.entries(copy));
  return Object.entries(value).every(
    ([name, member]) => (member === undefined && !Array.isArray(value)) || isWhole(member, copied.get(name)),
  );
}

/** A copy that nobody else can change. @throws TypeError where it is not the same in JSON. */
function toJsonCopy(definition: ToolDefinition): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(definition));
  if (isWhole(definition, copy)) return copy;
  throw new TypeError('its definition holds what JSON has no place for');
}

function scopeFaults(scopes: unknown): readonly string[] {
  const isSound =
    scopes === undefined || (Array.isArray(scopes) && scopes.every((one) => typeof one === 'string'));
  return isSound ? [] : ['scopes: is no list of texts'];
}

/** Judges a tool by what its clients check (MCP 2026-07-28, Tools › Tool). */
export function judgeDefinition(spec: ToolSpec): Judged {
  try {
    const definition = describe(spec);
    const copy = toJsonCopy(definition);
    const judged = specTypeSchemas.Tool['~standard'].validate(copy);
    const issues = 'then' in judged || judged.issues === undefined ? [] : judged.issues;
    const faults = [
      ...issues.map(({ path = [], message }) => `${path.map(String).join('.')}: ${message}`),
      ...scopeFaults(spec.scopes),
    ];
    if (faults.length > 0 || !isSpecType.Tool(copy)) return { faults };
    const headerFaults = paramHeaderFaults(definition.inputSchema);
    if (headerFaults.length > 0) return { faults: headerFaults };
    const headerSchema = takesParamHeaders(definition.inputSchema) ? copy.inputSchema : undefined;
    return { faults: undefined, tool: copy, headerSchema };
  } catch (error) {
    return { faults: [`it cannot be described: ${reasonOf(error)}`] };
  }
}
