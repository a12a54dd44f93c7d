/**
 * `tools/list`: the tools that a caller may call, page by page.
 * Invariant: a page goes on after the name where the one before ended, so that no tool is told twice, and none is
 * missed that was there all the time, whatever changes in between.
 */
import type { CacheScope, Tool } from '@modelcontextprotocol/server';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { oncePer } from '../contract/once';
import type { Principal } from '../contract/principal';
import type { ServedToolkit } from './served-toolkit';
import type { ServedTool, ServedTools } from './served-tools';

/** Every cursor of ours begins so; what follows is the name after which its page begins. */
const MARK = 'after:';
const CURSOR = /^[A-Za-z0-9_-]{1,128}$/;

function toCursor(name: string): string {
  return Buffer.from(`${MARK}${name}`).toString('base64url');
}

/** The name that a cursor holds. @throws ProtocolError -32602 where it is none of ours. */
function fromCursor(cursor: string): string {
  const text = CURSOR.test(cursor) ? Buffer.from(cursor, 'base64url').toString() : '';
  if (text.startsWith(MARK)) return text.slice(MARK.length);
  const message = 'Invalid cursor: take it as it was given, or leave it out to begin anew.';
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

const scopeOf = oncePer(
  (tools: readonly ServedTool[]): CacheScope =>
    tools.every(({ spec }) => spec.scopes?.length === 0) ? 'public' : 'private',
);

/** Tells whether everybody sees the same tools, so that shared caches may keep the list. */
export function cacheScopeOf(served: ServedTools): CacheScope {
  return scopeOf(served.list());
}

/**
 * One page of the tools that a principal may call.
 *
 * @throws ProtocolError -32602 where the cursor is none of ours.
 */
export function listTools(
  {
    toolkit,
    served,
    pageSize,
  }: { readonly toolkit: ServedToolkit; readonly served: ServedTools; readonly pageSize: number },
  principal: Principal | undefined,
  cursor: string | undefined,
): { tools: Tool[]; nextCursor?: string } {
  const after = cursor === undefined ? '' : fromCursor(cursor);
  const page: ServedTool[] = [];
  for (const tool of served.list()) {
    const { modelName } = tool.spec;
    if (modelName <= after || !toolkit.registry.authorise(tool.spec, principal).allowed) continue;
    const last = page.at(-1);
    if (page.length === pageSize && last !== undefined) {
      return { tools: page.map(({ tool }) => tool), nextCursor: toCursor(last.spec.modelName) };
    }
    page.push(tool);
  }
  return { tools: page.map(({ tool }) => tool) };
}
