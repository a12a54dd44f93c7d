/**
 * Makes the tools of a toolkit for LangChain.
 * Invariant: the model sees the toolkit's own schemas, or their projections into one dialect, and every call
 * goes through `toolkit.invoke`.
 */
import type { DialectName } from '../contract/dialect';
import type { Principal } from '../contract/principal';
import { describeAll } from '../schema/describe';
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
  /** The dialect that the model's provider takes. Left out: the schemas go out as they are. */
  readonly dialect?: DialectName;
  /**
   * Puts images, audio and PDFs of an answer into its message, as LangChain's content blocks. Left out: only in
   * the dialect of Anthropic, since a provider that refuses them, as OpenAI does, ends the run.
   */
  readonly media?: boolean;
}

/**
 * Makes LangChain tools, for `model.bindTools`, LangGraph's `ToolNode` and langchain's `createAgent`.
 * One version a name; a call goes to exactly the version that was bound.
 *
 * @throws DeclarationError when `versions` names a tool or a range that is not there, and `outside_dialect` with
 * everything that the dialect cannot carry, of all tools.
 * @throws TypeError when there is no such dialect.
 */
export function toLangChainTools(toolkit: Toolkit, options: LangChainToolsOptions = {}): ToolkitTool[] {
  const { visibleTo, versions, principal = principalFromContext, dialect = 'json-schema' } = options;
  const { media = dialect === 'anthropic' } = options;
  const specs = toolkit.registry
    .select({ versions })
    .filter((spec) => visibleTo === undefined || toolkit.registry.authorise(spec, visibleTo).allowed);
  return describeAll(specs, { dialect }).map(
    ({ definition, restore }) => new ToolkitTool(definition, toolkit, principal, restore, media),
  );
}
