/**
 * The official client against the gate: it finds the authorization server by itself, and steps up.
 * Invariant: nothing but the URL of the MCP server and its own credentials is told to the client.
 */
import {
  Client,
  ClientCredentialsProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { jwksVerifier } from 'toolcrib/mcp';
import { AuthorizationServer } from './authorization-server';
import { GuardedOrders, ran } from './guarded-orders';

let authority: AuthorizationServer;
let orders: GuardedOrders;

beforeAll(async () => {
  authority = await AuthorizationServer.start();
  const { issuer } = authority;
  orders = await GuardedOrders.start((url) => ({
    resource: url,
    authorizationServers: [issuer],
    scopesSupported: ['orders:read'],
    verifier: jwksVerifier({ issuer, audience: url }),
  }));
}, 30_000);

afterAll(async () => {
  await orders.close();
  await authority.close();
});

beforeEach(() => {
  ran.length = 0;
});

describe.each(['auto', 'legacy'] as const)('a client of the era %s', (mode) => {
  it('gets a token for the scopes that it is told of, and another when a tool needs more', async () => {
    const { clientId, clientSecret } = authority.agent;
    const authProvider = new ClientCredentialsProvider({
      clientId,
      clientSecret,
      expectedIssuer: authority.issuer,
    });
    const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(orders.url), { authProvider }));
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['orders_read', 'orders_region', 'ping']);
      await client.callTool({ name: 'orders_read', arguments: {} });
      expect(authProvider.tokens()?.scope).toBe('orders:read');
      await client.callTool({ name: 'orders_write', arguments: {} });
      expect(authProvider.tokens()?.scope?.split(' ').toSorted()).toEqual(['orders:read', 'orders:write']);
      const who = `${authority.issuer}#agent`;
      expect(ran).toEqual([`${who} orders.read`, `${who} orders.write`]);
    } finally {
      await client.close();
    }
  });
});
