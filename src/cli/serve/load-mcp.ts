/**
 * Loads what serves over MCP, which every other command does without.
 * Invariant: a missing package is named, with the command that installs it.
 */
import { types } from 'node:util';
import { CliError } from '../cli-error';

/** What serves, and what checks tokens. */
export type Mcp = Pick<typeof import('../../mcp/handler'), 'createMcpHandler'> &
  Pick<typeof import('../../mcp/stdio'), 'serveStdio'> &
  Pick<typeof import('../../mcp/auth/jwks-verifier'), 'jwksVerifier'> &
  Pick<typeof import('../../mcp/auth/introspection-verifier'), 'introspectionVerifier'>;

function isMissing(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  return ('code' in error && error.code === 'MODULE_NOT_FOUND') || isMissing(error.cause);
}

/** Names the packages that were not found; any other error is given back as it is. */
export function asMissingPackage(error: unknown, packages: string): unknown {
  if (!isMissing(error)) return error;
  const message = `serving takes packages that are not installed. Run npm install ${packages}.`;
  return new CliError('missing_package', message, { cause: error });
}

/**
 * Loads it.
 *
 * @throws CliError `missing_package` where the MCP SDK is not installed.
 */
export function loadMcp(): Mcp {
  try {
    return {
      ...require('../../mcp/handler'),
      ...require('../../mcp/stdio'),
      ...require('../../mcp/auth/jwks-verifier'),
      ...require('../../mcp/auth/introspection-verifier'),
    };
  } catch (error) {
    throw asMissingPackage(error, '@modelcontextprotocol/server @modelcontextprotocol/node');
  }
}
