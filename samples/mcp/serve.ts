/**
 * Runs a server of this folder until somebody asks it to end.
 * Invariant: the calls that run end first, then what they work on is closed, and last the server, whose health tells
 * until then that it is closing.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { McpHandler } from 'toolcrib/mcp';
import { openApp } from '../app';
import { openHandler } from './handler';

/** A server that listens. */
export interface Listening {
  readonly url: string;
  /** Takes no more connections, and settles when there are none. */
  close(): Promise<void>;
}

/** Puts a handler behind a framework, and listens. */
export type Listen = (handler: McpHandler, port: number) => Promise<Listening>;

/** Listens on this machine alone. */
export async function listenOn(server: Server, port: number): Promise<Listening> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeIdleConnections();
    await closed;
  };
  return { url: urlOf(server), close };
}

/** Where a server listens. */
export function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}

/** Serves the tools of the sample on the port of PORT, or 3000. */
export async function serve(listen: Listen): Promise<void> {
  const app = await openApp();
  const handler = openHandler(app.toolkit);
  const server = await listen(handler, Number(process.env.PORT ?? 3000));
  console.log(`Listening on ${server.url}/mcp; tokens are in samples/principals.ts.`);
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  await handler.close();
  await app.close();
  await server.close();
}
