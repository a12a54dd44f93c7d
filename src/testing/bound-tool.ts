/**
 * A tool as LangChain binds it, where LangChain is installed.
 * Invariant: a missing peer is told from every other error, which is thrown.
 */
import type { Approver } from '../contract/approval';
import type { InvokeOptions } from '../contract/call';
import { splitToolReference } from '../contract/names';
import type { Principal } from '../contract/principal';
import type { ToolDefinition } from '../contract/tool';
import { hasCode } from '../errors/reason';
import type { Toolkit } from '../toolkit';

/** What a bound tool shows and answers. */
export interface BoundTool {
  readonly name: string;
  readonly schema: unknown;
  /** The answer to bare arguments: the wire form, as JSON text. */
  answer(args: unknown): Promise<string>;
}

function isMissingPeer(error: unknown): boolean {
  return (
    hasCode(error, 'MODULE_NOT_FOUND') &&
    'message' in error &&
    /^Cannot find module '@langchain\//.test(String(error.message))
  );
}

/** Binds a tool of a toolkit for a principal, whose calls the approver approves; undefined where LangChain is not installed. Throws a TypeError when it is not bound. */
export function bindTool(
  definition: ToolDefinition,
  toolkit: Toolkit,
  caller: { readonly principal: Principal; readonly approver: Approver },
): BoundTool | undefined {
  const { principal, approver } = caller;
  const approved: Toolkit = Object.create(toolkit, {
    invoke: {
      value: (key: string, args: unknown, options?: InvokeOptions) =>
        toolkit.invoke(key, args, { ...options, approver }),
    },
  });
  try {
    // Required, since test runners switch import() off, and only here, since LangChain is an optional peer.
    const room: typeof import('../langgraph/langchain-tools') = require('../langgraph/langchain-tools');
    const { name, version = '*' } = splitToolReference(definition._meta.key);
    const tool = room
      .toLangChainTools(approved, {
        visibleTo: principal,
        versions: { [name]: version },
        principal: () => principal,
      })
      .find((one) => one.name === definition.name);
    if (tool === undefined) throw new TypeError(`${definition._meta.key} is not among the bound tools`);
    return {
      name: tool.name,
      schema: tool.schema,
      answer: async (args) => String(await tool.invoke(args)),
    };
  } catch (error) {
    if (isMissingPeer(error)) return undefined;
    throw error;
  }
}
