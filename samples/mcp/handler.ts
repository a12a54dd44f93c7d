/**
 * The tools of the sample as an MCP handler, which every server here mounts.
 * Invariant: who is calling follows from the token alone; without a known one nobody is, and no scope is held.
 */
import type { Toolkit } from 'toolcrib';
import { createMcpHandler, type McpHandler } from 'toolcrib/mcp';
import { bearerOf, type Principals, principalsFromEnvironment } from '../principals';

/**
 * Makes the handler: `/mcp`, `/health`, and `/catalog`, which an application adds. With an authorization server,
 * `auth` takes the place of `principal`: docs/serve.md.
 */
export function openHandler(
  toolkit: Toolkit,
  principals: Principals = principalsFromEnvironment(),
): McpHandler {
  const principal = (request: Request) =>
    bearerOf(request.headers.get('authorization') ?? undefined, principals);
  return createMcpHandler(toolkit, {
    principal,
    routes: {
      '/catalog': (request) =>
        Response.json({ tools: toolkit.catalog(principal(request)).map(({ name }) => name) }),
    },
  });
}
