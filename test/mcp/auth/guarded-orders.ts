/**
 * A toolkit of orders behind an OAuth gate, which notes what runs, and for whom.
 * Invariant: `ran` and `refusals` hold what came of every call since they were last emptied, and nothing else.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import {
  createToolkit,
  type Interceptor,
  type JsonObject,
  schemaInputContract,
  type Toolkit,
} from 'toolcrib';
import {
  createMcpHandler,
  type McpHandler,
  type McpHandlerOptions,
  type ResourceServerOptions,
} from 'toolcrib/mcp';
import { makeSpec } from '../../fixtures/hand-made-spec';
import { type LogEntry, recordingLogger } from '../../fixtures/recorded-toolkit';

/** The tools, with the scopes that they need; null: nobody decided. */
const TOOLS: Readonly<Record<string, readonly string[] | null>> = {
  ping: [],
  'orders.read': ['orders:read'],
  'orders.write': ['orders:read', 'orders:write'],
  'orders.admin': ['orders:admin'],
  'orders.region': ['orders:read'],
  undecided: null,
  unaskable: ['orders read'],
};

const REGION: JsonObject = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
};

/** The codes of all calls that were refused. */
export const refusals: string[] = [];

const noteRefusals: Interceptor = {
  stage: 'authorise',
  run: async (_, next) => {
    const result = await next();
    if (!result.success) refusals.push(result.error.code);
    return result;
  },
};

/** Who ran what: `principal tool`. */
export const ran: string[] = [];

function specOf(name: string, scopes: readonly string[] | null) {
  return makeSpec(name, '1.0.0', {
    scopes: scopes ?? undefined,
    handler: (_, { principal }) => {
      ran.push(`${principal?.id} ${name}`);
      return name;
    },
    ...(name === 'orders.region' ? { input: schemaInputContract(REGION) } : {}),
  });
}

/** A handler, with a port that it is reached at, too. */
export class GuardedOrders {
  private constructor(
    private readonly toolkit: Toolkit,
    readonly handler: McpHandler,
    private readonly server: Server,
    readonly url: string,
    /** What it logged. */
    readonly log: readonly LogEntry[],
  ) {}

  /**
   * Serves the tools; `orders:admin` covers every scope of orders.
   *
   * @param auth is told the URL that the server is reached at.
   */
  static async start(
    auth: (url: string) => ResourceServerOptions,
    options: McpHandlerOptions = {},
  ): Promise<GuardedOrders> {
    const log: LogEntry[] = [];
    const toolkit = await createToolkit({
      discover: {},
      logger: recordingLogger(log),
      interceptors: [noteRefusals],
      covers: (held, required) =>
        held === required || (held === 'orders:admin' && required.startsWith('orders')),
    });
    toolkit.registry.update((draft) => {
      for (const [name, scopes] of Object.entries(TOOLS)) draft.register(specOf(name, scopes));
    });
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
    const url = `http://127.0.0.1:${address.port}/mcp`;
    const handler = createMcpHandler(toolkit, { ...options, auth: auth(url) });
    server.on('request', (request, response) => void handler.node(request, response));
    return new GuardedOrders(toolkit, handler, server, url, log);
  }

  async close(): Promise<void> {
    await this.handler.close();
    this.server.close();
    this.server.closeAllConnections();
    await this.toolkit.close();
  }
}
