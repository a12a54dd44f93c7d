/**
 * Serves over the standard streams of whoever started the program.
 * Invariant: what was answered is written before the process ends.
 */
import type { Writable } from 'node:stream';
import type { Principal } from '../../contract/principal';
import type { McpOptions } from '../../mcp/options';
import type { OpenToolkit } from '../configuration';
import type { Io } from '../io';
import { oneLine } from '../text';
import type { Mcp } from './load-mcp';

/** How the tools are served over stdio. */
export interface StdioPlan {
  readonly transport: 'stdio';
  readonly principal: Principal | undefined;
  readonly door: McpOptions;
  /** Whether entries of level info are said too. */
  readonly verbose: boolean;
}

function flushed(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    // Nobody reads the rest where the client has gone.
    output.once('error', () => resolve());
    output.once('close', () => resolve());
    output.end(() => resolve());
  });
}

/** Says whose calls are answered. */
export function grantInWords(principal: Principal | undefined): string {
  if (principal === undefined || principal.scopes.length === 0)
    return 'calls hold no scopes; --scopes grants some';
  return oneLine(`calls hold ${principal.scopes.join(', ')}`);
}

/** Serves until the client closes its end, or a signal comes; the exit code is 0. */
export async function serveStdio(
  mcp: Mcp,
  toolkit: OpenToolkit,
  { principal, door }: StdioPlan,
  io: Io,
): Promise<number> {
  const { input, output } = io.serving.openSealed();
  const server = mcp.serveStdio(toolkit, {
    ...door,
    input,
    output,
    ...(principal === undefined ? {} : { principal }),
  });
  io.serving.onStop(() => void server.close());
  io.stderr(`serving over stdio\n${grantInWords(principal)}\n`);
  await server.closed;
  await flushed(output);
  return 0;
}
