/**
 * Serves a toolkit over MCP.
 * Invariant: each public name is exported by name.
 */
export { type IntrospectionVerifierOptions, introspectionVerifier } from './auth/introspection-verifier';
export { type JwksVerifierOptions, jwksVerifier } from './auth/jwks-verifier';
export type { PrincipalOfToken, ResourceServerOptions } from './auth/resource-options';
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
