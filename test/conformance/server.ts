/**
 * The server that the conformance suite is run against: tools of toolcrib, and nothing else.
 * Invariant: no tool speaks the protocol itself; what the suite sees is what any application's tools give.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createToolkit, type ToolRegistry } from 'toolcrib';
import { createMcpHandler } from 'toolcrib/mcp';
import { AskingTools } from './asking-tools';
import { ContentTools } from './content-tools';
import { ChangingTools, registerImported } from './imported-tools';

/** A server that listens. */
export interface ConformanceServer {
  readonly url: string;
  close(): Promise<void>;
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address === 'object' && address !== null) return address.port;
  throw new Error('the server does not listen on a port');
}

/** Starts the server on a free port of this machine. */
export async function startServer(): Promise<ConformanceServer> {
  const registry = (): ToolRegistry => toolkit.registry;
  const instances = [new ContentTools(), new AskingTools(), new ChangingTools(registry)];
  const toolkit = await createToolkit({ discover: { instances } });
  toolkit.registry.update(registerImported);
  const handler = createMcpHandler(toolkit, { serverInfo: { name: 'conformance', version: '1.0.0' } });
  const server = createServer((request, response) => void handler.node(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}/mcp`,
    close: async () => {
      await handler.close();
      const isClosed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await isClosed;
      await toolkit.close();
    },
  };
}
