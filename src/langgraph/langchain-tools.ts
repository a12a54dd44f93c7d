/**
 * Makes the tools of a toolkit for LangChain.
 * Invariant: the model sees the toolkit's own schemas, and every call goes through `toolkit.invoke`.
 */
import type { Principal } from '../contract/principal';
import { describe } from '../schema/describe';
import type { Toolkit } from '../toolkit';
import { type PrincipalSource, principalFromContext } from './run-context';
import { ToolkitTool } from './toolkit-tool';

/** How tools are bound. */
export interface LangChainToolsOptions {
  /** Leaves out the tools that this principal may not call. Left out: all; calls are authorised all the same. */
  readonly visibleTo?: Principal;
  /** For a name, the range whose highest version is bound: `{ 'orders.lookup': '^1' }`. */
  readonly versions?: { readonly [name: string]: string };
  /** Finds the principal of a run. Left out: `context.principal` of the run. */
  readonly principal?: PrincipalSource;
}

/**
 * Makes LangChain tools, for `model.bindTools`, LangGraph's `ToolNode` and langchain's `createAgent`.
 * One version a name; a call goes to exactly the version that was bound.
 *
 * @throws DeclarationError when `versions` names a tool or a range that is not there.
 */
export function toLangChainTools(toolkit: Toolkit, options: LangChainToolsOptions = {}): ToolkitTool[] {
  const { visibleTo, versions, principal = principalFromContext } = options;
  const definitions =
    visibleTo === undefined
      ? toolkit.registry.select({ versions }).map(describe)
      : toolkit.catalog(visibleTo, { versions });
  return definitions.map((definition) => new ToolkitTool(definition, toolkit, principal));
}
