/**
 * Binds a toolkit to LangChain and LangGraph.
 * Invariant: each public name is exported by name.
 */
export type {
  ActionRequest,
  ApprovalDecisions,
  ApprovalInterrupt,
  CallDecision,
  ReviewConfig,
} from './approval';
export { type GivenInterrupt, toDecisions } from './decisions';
export type { CallInput, InputAnswers, InputInterrupt } from './input';
export { type LangChainToolsOptions, toLangChainTools } from './langchain-tools';
export type { PrincipalSource } from './run-context';
export { ToolkitTool } from './toolkit-tool';
