/**
 * One server that is measured over HTTP, in a process of its own that its parent starts.
 * Invariant: it says what CPU time it has taken whenever it is asked, and ends with its parent.
 */
import 'reflect-metadata';
import { createServer, type RequestListener } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { FastMCP } from 'fastmcp';
import { nameOf, ourHandler, sdkHandler, shapeOf } from './servers';

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new TypeError('the server has no port');
  return address.port;
}

/** A port that nobody has just now, for what takes no port 0. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function serveFastMcp(shapeName: string): Promise<number> {
  const { zod } = shapeOf(shapeName);
  if (zod === undefined) throw new TypeError(`the shape ${shapeName} has no zod schema`);
  const nothing = () => {};
  const logger = { debug: nothing, error: nothing, info: nothing, log: nothing, warn: nothing };
  const server = new FastMCP({ name: 'bench', version: '1.0.0', logger });
  server.addTool({
    name: nameOf(0),
    description: 'Answers with what it was called with',
    parameters: zod,
    execute: async (input) => JSON.stringify(input),
  });
  const port = await freePort();
  const httpStream = { port, host: '127.0.0.1', endpoint: '/mcp' as const, stateless: true };
  await server.start({ transportType: 'httpStream', httpStream });
  return port;
}

async function serve(kind: string, shapeName: string): Promise<number> {
  const shape = shapeOf(shapeName);
  if (kind === 'fastmcp') return serveFastMcp(shapeName);
  if (kind === 'ours') {
    const { node } = await ourHandler(shape);
    return listen((request, response) => void node(request, response));
  }
  const theirs = toNodeHandler(sdkHandler(shape));
  return listen((request, response) => {
    // The adapter's types know no method and no URL that are undefined.
    const own = Object.assign(request, { method: request.method ?? 'GET', url: request.url ?? '/' });
    void theirs(own, response);
  });
}

const [kind = '', shape = ''] = process.argv.slice(2);
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit());
void serve(kind, shape).then((port) => process.send?.({ port }));
