/**
 * Serves a toolkit over MCP.
 * Invariant: each public name is exported by name.
 */
export { createMcpHandler, type McpHandler, type RequestExtras } from './handler';
export type { NodeHandler, NodeRequest } from './node-listener';
export type {
  McpHandlerOptions,
  McpOptions,
  PrincipalOfRequest,
  Route,
  ServerInfo,
  StdioOptions,
} from './options';
export { type StdioServer, serveStdio } from './stdio';
