/**
 * Lists the public names of every entry, so that a change to them is seen.
 * Invariant: an entry exports exactly these, types included.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { parse, ROOT } from './source-files';

function namesOf(entry: string): string[] {
  const names = parse(entry).statements.flatMap((node) => {
    if (
      ts.isExportDeclaration(node) &&
      node.exportClause !== undefined &&
      ts.isNamedExports(node.exportClause)
    ) {
      return node.exportClause.elements.map((element) => element.name.text);
    }
    const isExported =
      ts.canHaveModifiers(node) &&
      (ts.getModifiers(node) ?? []).some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword);
    const name = 'name' in node ? (node as { name?: ts.Identifier }).name?.text : undefined;
    return isExported && name !== undefined ? [name] : [];
  });
  return names.sort();
}

describe('the public names', () => {
  it('of the root', () => {
    expect(namesOf('src/index.ts')).toMatchInlineSnapshot(`
[
  "ApprovalDecision",
  "ApprovalOptions",
  "ApprovalPolicy",
  "ApprovalRecord",
  "ApprovalRequest",
  "ApprovalState",
  "ApprovalStore",
  "Approvals",
  "Approver",
  "AudioContent",
  "BaseTool",
  "CatalogOptions",
  "CircuitBreakerLimit",
  "CircuitBreakerOptions",
  "Class",
  "ClassOrMethodDecorator",
  "ClientQuestion",
  "ClientRequest",
  "ClientRequester",
  "ConcurrencyLimit",
  "ConcurrencyOptions",
  "Container",
  "ContainerToken",
  "Content",
  "ContentAnnotations",
  "ContentBlock",
  "ContentData",
  "DECLARATION_PROBLEM_CODES",
  "DEFAULT_INPUT_LIMITS",
  "DIALECT_NAMES",
  "DecidedBy",
  "DeclarationError",
  "DeclarationPlace",
  "DeclarationProblem",
  "DeclarationProblemCode",
  "DescribeOptions",
  "DialectDescription",
  "DialectName",
  "DiscoverOptions",
  "EmbeddedResource",
  "ErrorMapping",
  "FRAMEWORK_ERROR_CODES",
  "FailedCall",
  "FrameworkErrorCode",
  "FunctionSchema",
  "ImageContent",
  "InputAnswer",
  "InputContract",
  "InputLimits",
  "InputOutcome",
  "InputRequest",
  "InputRequester",
  "Interceptor",
  "InvokeOptions",
  "JsonObject",
  "JsonSchema",
  "JsonValue",
  "Ledger",
  "LedgerAnswer",
  "LedgerClaim",
  "LedgerEntry",
  "LedgerOptions",
  "LedgerOutcome",
  "LedgerQuery",
  "LedgerState",
  "LimitOptions",
  "Logger",
  "MappedError",
  "MaskedPart",
  "MemoryApprovalStore",
  "MemoryLedger",
  "MemoryLedgerOptions",
  "NoInput",
  "OutputContract",
  "OutputDeclaration",
  "OutputOption",
  "Owner",
  "ParseOutcome",
  "Principal",
  "ProgressUpdate",
  "RateLimit",
  "RateLimitChoice",
  "RateLimitOptions",
  "RateLimiter",
  "RedactOptions",
  "Refused",
  "RegistryChange",
  "RegistryDraft",
  "RequestInputOptions",
  "ResourceLink",
  "RetryLimit",
  "RetryOptions",
  "SCHEMA_CHANGE_KINDS",
  "SCHEMA_LIMITS",
  "STAGES",
  "STRICTER_READINGS",
  "SchemaChange",
  "SchemaChangeKind",
  "ScopeCover",
  "ScopeDecision",
  "Scopes",
  "Serialized",
  "Settlement",
  "SideEffect",
  "SideEffectDeclaration",
  "SideEffectKind",
  "SideEffectOptions",
  "Stage",
  "TextContent",
  "Tool",
  "ToolAnnotations",
  "ToolCall",
  "ToolClass",
  "ToolContext",
  "ToolDecorator",
  "ToolDefinition",
  "ToolDefinitionMeta",
  "ToolError",
  "ToolErrorBody",
  "ToolErrorOptions",
  "ToolHandler",
  "ToolOptions",
  "ToolReference",
  "ToolRegistry",
  "ToolRegistryOptions",
  "ToolResult",
  "ToolSpec",
  "Toolkit",
  "ToolkitOptions",
  "ValidatorOnlyRule",
  "Violation",
  "Waive",
  "WireResult",
  "content",
  "createToolkit",
  "describe",
  "describeForm",
  "discoverTools",
  "inputContract",
  "isDeclarationError",
  "isFrameworkErrorCode",
  "isPrincipal",
  "isToolError",
  "outputContract",
  "schemaInputContract",
  "schemaOutputContract",
  "toModelName",
  "toToolKey",
  "toWire",
]
`);
  });

  it('of langgraph', () => {
    expect(namesOf('src/langgraph/index.ts')).toMatchInlineSnapshot(`
[
  "ActionRequest",
  "ApprovalDecisions",
  "ApprovalInterrupt",
  "CallDecision",
  "CallInput",
  "GivenInterrupt",
  "InputAnswers",
  "InputInterrupt",
  "LangChainToolsOptions",
  "PrincipalSource",
  "ReviewConfig",
  "ToolkitTool",
  "toDecisions",
  "toLangChainTools",
]
`);
  });

  it('of mcp', () => {
    expect(namesOf('src/mcp/index.ts')).toMatchInlineSnapshot(`
[
  "IntrospectionVerifierOptions",
  "JwksVerifierOptions",
  "McpHandler",
  "McpHandlerOptions",
  "McpOptions",
  "NodeHandler",
  "NodeRequest",
  "PrincipalOfRequest",
  "PrincipalOfToken",
  "RequestExtras",
  "ResourceServerOptions",
  "Route",
  "ServerInfo",
  "StdioOptions",
  "StdioServer",
  "createMcpHandler",
  "introspectionVerifier",
  "jwksVerifier",
  "serveStdio",
]
`);
  });

  it('of stores/sqlite', () => {
    expect(namesOf('src/stores/sqlite/index.ts')).toMatchInlineSnapshot(`
[
  "SqliteApprovals",
  "SqliteApprovalsOptions",
  "SqliteDatabase",
  "SqliteLedger",
  "SqliteLedgerOptions",
  "SqliteSource",
  "SqliteStatement",
]
`);
  });

  it('of stores/postgres', () => {
    expect(namesOf('src/stores/postgres/index.ts')).toMatchInlineSnapshot(`
[
  "PostgresApprovals",
  "PostgresApprovalsOptions",
  "PostgresClient",
  "PostgresLedger",
  "PostgresLedgerOptions",
  "PostgresPool",
  "PostgresSource",
]
`);
  });

  it('of testing', () => {
    expect(namesOf('src/testing/index.ts')).toMatchInlineSnapshot(`
[
  "ContractCases",
  "FailureCase",
  "InvalidCase",
  "TestRunner",
  "ValidCase",
  "contractTests",
]
`);
  });

  it('belong to the entries of the exports map', () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(Object.keys(exports)).toEqual([
      '.',
      './langgraph',
      './mcp',
      './testing',
      './stores/sqlite',
      './stores/postgres',
      './package.json',
    ]);
  });
});
