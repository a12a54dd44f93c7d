/**
 * A toolkit of orders behind an OAuth gate, which notes what runs, and for whom.
 * Invariant: `ran` holds every run of a handler since it was last emptied, and nothing else.
 */
import { createServer, type Server } from 'node:http';
import { createToolkit, type JsonObject, schemaInputContract, type Toolkit } from 'toolcrib';
import {
  createMcpHandler,
  type McpHandler,
  type McpHandlerOptions,
  type ResourceServerOptions,
} from 'toolcrib/mcp';
import { makeSpec } from '../../fixtures/hand-made-spec';
import { recordingLogger } from '../../fixtures/recorded-toolkit';

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
  ) {}

  /** Serves the tools; `orders:admin` covers every scope of orders. */
  static async start(auth: ResourceServerOptions, options: McpHandlerOptions = {}): Promise<GuardedOrders> {
    const toolkit = await createToolkit({
      discover: {},
      logger: recordingLogger([]),
      covers: (held, required) =>
        held === required || (held === 'orders:admin' && required.startsWith('orders')),
    });
    toolkit.registry.update((draft) => {
      for (const [name, scopes] of Object.entries(TOOLS)) draft.register(specOf(name, scopes));
    });
    const handler = createMcpHandler(toolkit, { ...options, auth });
    const server = createServer((request, response) => void handler.node(request, response));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
    return new GuardedOrders(toolkit, handler, server, `http://127.0.0.1:${address.port}/mcp`);
  }

  async close(): Promise<void> {
    await this.handler.close();
    this.server.close();
    this.server.closeAllConnections();
    await this.toolkit.close();
  }
}
