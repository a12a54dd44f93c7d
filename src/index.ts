/**
 * The public names of toolcrib.
 * Invariant: each is exported by name, and loading this file loads no optional peer.
 */
export { BaseTool, type FunctionSchema } from './base-tool';
export type {
  ApprovalDecision,
  ApprovalPolicy,
  ApprovalRecord,
  ApprovalRequest,
  ApprovalState,
  ApprovalStore,
  Approver,
  MaskedPart,
} from './contract/approval';
export {
  AUDIT_KINDS,
  type AuditEvent,
  type AuditHead,
  type AuditKind,
  type AuditLine,
  type AuditOutcome,
  type AuditRecord,
  type AuditSink,
} from './contract/audit';
export {
  type Interceptor,
  type InvokeOptions,
  STAGES,
  type Stage,
  type ToolCall,
} from './contract/call';
export { type Class, NoInput } from './contract/class';
export {
  type AudioContent,
  type Content,
  type ContentAnnotations,
  type ContentBlock,
  type ContentData,
  content,
  type EmbeddedResource,
  type ImageContent,
  type ResourceLink,
  type TextContent,
} from './contract/content';
export type { Logger, ProgressUpdate, ToolContext } from './contract/context';
export {
  type DescribeOptions,
  DIALECT_NAMES,
  type DialectDescription,
  type DialectName,
  SCHEMA_CHANGE_KINDS,
  type SchemaChange,
  type SchemaChangeKind,
} from './contract/dialect';
export type {
  ClientQuestion,
  ClientRequest,
  ClientRequester,
  InputAnswer,
  InputRequest,
  InputRequester,
  RequestInputOptions,
} from './contract/input';
export type {
  Ledger,
  LedgerAnswer,
  LedgerClaim,
  LedgerEntry,
  LedgerOutcome,
  LedgerQuery,
  LedgerState,
  Settlement,
} from './contract/ledger';
export type { ErrorMapping, FailedCall, MappedError } from './contract/mapping';
export { toModelName, toToolKey } from './contract/names';
export {
  APPROVAL_STEPS,
  type ApprovalStep,
  type BreakerChange,
  type CallException,
  type CallRecord,
  type CallWatch,
  type DeclaredViolation,
  LIMITERS,
  type Limiter,
  type ObservedCall,
  type Observer,
} from './contract/observer';
export { isPrincipal, type Principal, type ScopeCover, type ScopeDecision } from './contract/principal';
export { type ToolResult, toWire, type WireResult } from './contract/result';
export {
  DEFAULT_INPUT_LIMITS,
  type InputContract,
  type InputLimits,
  type InputOutcome,
  type JsonSchema,
  type OutputContract,
  type ParseOutcome,
  type Refused,
  type ValidatorOnlyRule,
  type Violation,
} from './contract/schema';
export type { Serialized } from './contract/serialized';
export type {
  SideEffectDeclaration,
  SideEffectKind,
  ToolAnnotations,
  ToolDefinition,
  ToolDefinitionMeta,
  ToolHandler,
  ToolSpec,
} from './contract/tool';
export type { SoundTraceContext, TraceContext } from './contract/trace-context';
export { Owner } from './decorators/owner';
export type { ClassOrMethodDecorator } from './decorators/place';
export { Scopes } from './decorators/scopes';
export { SideEffect, type SideEffectOptions } from './decorators/side-effect';
export { type OutputOption, Tool, type ToolDecorator, type ToolOptions } from './decorators/tool';
export { Waive } from './decorators/waive';
export { discoverTools } from './discovery/discover';
export type { Container, ContainerToken, DiscoverOptions } from './discovery/options';
export type { JsonValue, ToolErrorBody } from './errors/body';
export { FRAMEWORK_ERROR_CODES, type FrameworkErrorCode, isFrameworkErrorCode } from './errors/codes';
export {
  DECLARATION_PROBLEM_CODES,
  DeclarationError,
  type DeclarationPlace,
  type DeclarationProblem,
  type DeclarationProblemCode,
  isDeclarationError,
} from './errors/declaration-error';
export { isToolError, ToolError, type ToolErrorOptions } from './errors/tool-error';
export type { Approvals, DecidedBy } from './invocation/approval/approvals';
export { MemoryApprovalStore } from './invocation/approval/memory-store';
export type { ApprovalOptions } from './invocation/approval/options';
export type { AuditFailurePolicy, AuditOptions } from './invocation/audit/options';
export { MemoryLedger, type MemoryLedgerOptions } from './invocation/ledger/memory-ledger';
export type { LedgerOptions } from './invocation/ledger/options';
export type {
  CircuitBreakerLimit,
  CircuitBreakerOptions,
  ConcurrencyLimit,
  ConcurrencyOptions,
  LimitOptions,
  RateLimit,
  RateLimitChoice,
  RateLimiter,
  RateLimitOptions,
  RetryLimit,
  RetryOptions,
} from './invocation/limits/options';
export type { ToolClass, ToolReference } from './invocation/reference';
export type { RedactOptions } from './invocation/scrub/known-secrets';
export type { ToolkitOptions } from './invocation/toolkit-options';
export {
  type CatalogOptions,
  type RegistryChange,
  type RegistryDraft,
  ToolRegistry,
  type ToolRegistryOptions,
} from './registry/tool-registry';
export { describe } from './schema/describe';
export { STRICTER_READINGS } from './schema/stricter';
export { createToolkit, Toolkit } from './toolkit';
export { inputContract, type OutputDeclaration, outputContract } from './validation/contracts';
export { describeForm } from './validation/form';
export { SCHEMA_LIMITS } from './validation/imported/limits';
export { type JsonObject, schemaInputContract, schemaOutputContract } from './validation/schema-contract';
