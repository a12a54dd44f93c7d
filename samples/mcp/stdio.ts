/**
 * The tools over MCP, for a client that starts this program and talks to it over stdio.
 * Invariant: the client holds the scopes that the variable SCOPES grants, separated by commas, and none without it.
 */
import { once } from 'node:events';
import { serveStdio } from 'toolcrib/mcp';
import { openApp } from '../app';
import { run } from '../run';

async function main(): Promise<void> {
  const { SCOPES = '' } = process.env;
  const scopes = SCOPES.split(',').filter((scope) => scope !== '');
  const app = await openApp();
  const server = serveStdio(app.toolkit, { principal: { id: 'operator', scopes } });
  const asked = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  await Promise.race([server.closed, asked]);
  await server.close();
  await app.close();
}

if (require.main === module) void run(main);
