/**
 * The authorization matrix: kinds of credentials, tools, eras of the protocol, and faces of the handler.
 * Invariant: of every row it is held how it is answered, whether the tool ran, and for whom: nothing is let through
 * that should not be, and nothing refused that should pass.
 */
import { introspectionVerifier, jwksVerifier, type ResourceServerOptions } from 'toolcrib/mcp';
import { lastMessage, type RpcOptions, rpcRequest } from '../../fixtures/mcp-rpc';
import { AuthorizationServer, RESOURCE, SCOPES } from './authorization-server';
import { GuardedOrders, ran } from './guarded-orders';
import { LocalServer, silence } from './local-server';
import { CREDENTIALS, type Credential, type CredentialName } from './token-kinds';

const METADATA = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';

/** How a server checks tokens, and whether it conceals tools. */
type Served = 'jwks' | 'introspection' | 'concealing' | 'without keys' | 'failing';

const READ = '403 insufficient_scope: orders:read';
const WRITE = '403 insufficient_scope: orders:read orders:write';
const ADMIN = '403 insufficient_scope: orders:admin';
const DENIED = '200 insufficient_scope';
const UNKNOWN = '-32602';

/** A server, a credential, a tool, and what comes of it. */
type Row = readonly [Served, CredentialName, string, string];

const ROWS: readonly Row[] = [
  // Tokens that are good: each tool as its scopes say.
  ['jwks', 'read token', 'ping', 'runs'],
  ['jwks', 'read token', 'orders_read', 'runs'],
  ['jwks', 'read token', 'orders_write', WRITE],
  ['jwks', 'read token', 'orders_admin', ADMIN],
  ['jwks', 'read token', 'orders_region', 'runs'],
  ['jwks', 'read token', 'undecided', DENIED],
  ['jwks', 'read token', 'unaskable', DENIED],
  ['jwks', 'read token', 'missing', UNKNOWN],
  ['jwks', 'read token', 'constructor', UNKNOWN],
  ['jwks', 'read-write token', 'orders_read', 'runs'],
  ['jwks', 'read-write token', 'orders_write', 'runs'],
  ['jwks', 'read-write token', 'orders_admin', ADMIN],
  ['jwks', 'write token', 'orders_read', READ],
  ['jwks', 'write token', 'orders_write', WRITE],
  ['jwks', 'admin token', 'orders_read', 'runs'],
  ['jwks', 'admin token', 'orders_write', 'runs'],
  ['jwks', 'admin token', 'orders_admin', 'runs'],
  ['jwks', 'admin token', 'unaskable', 'runs'],
  ['jwks', 'admin token', 'undecided', DENIED],
  ['jwks', 'token without scopes', 'ping', 'runs'],
  ['jwks', 'token without scopes', 'orders_read', READ],
  ['jwks', 'token of a user', 'orders_read', 'runs'],
  ['jwks', 'token for several audiences', 'orders_read', 'runs'],
  ['jwks', 'scopes in a list', 'orders_read', 'runs'],
  ['jwks', 'scope with a space', 'unaskable', DENIED],
  ['jwks', 'scope in other letters', 'orders_read', READ],
  ['jwks', 'scope that holds another', 'orders_read', READ],
  ['jwks', 'lower-case bearer', 'orders_read', 'runs'],
  // Tokens that are not: not even what anyone may call.
  ...(
    [
      'expired token',
      'token to come',
      'token without expiry',
      'token for another audience',
      'token without audience',
      'token of another issuer',
      'token of another server',
      'token of an unknown key',
      'token bound to a key',
      'logout token',
      'none algorithm',
      'public key as secret',
      'changed claims',
      'truncated token',
      'made-up token',
      'opaque token',
    ] as const
  ).flatMap((credential): Row[] => [
    ['jwks', credential, 'ping', '401 invalid_token'],
    ['jwks', credential, 'orders_read', '401 invalid_token'],
  ]),
  ['jwks', 'no token', 'ping', '401'],
  ['jwks', 'no token', 'orders_read', '401'],
  ['jwks', 'no token', 'missing', '401'],
  ['jwks', 'basic credentials', 'orders_read', '401'],
  ['jwks', 'token in the query', 'orders_read', '401'],
  ['jwks', 'empty token', 'orders_read', '400 invalid_request'],
  ['jwks', 'two tokens', 'orders_read', '400 invalid_request'],
  // By introspection.
  ['introspection', 'opaque token', 'ping', 'runs'],
  ['introspection', 'opaque token', 'orders_read', 'runs'],
  ['introspection', 'opaque token', 'orders_write', WRITE],
  ['introspection', 'opaque admin token', 'orders_write', 'runs'],
  ['introspection', 'revoked token', 'orders_read', '401 invalid_token'],
  ['introspection', 'opaque token for another audience', 'orders_read', '401 invalid_token'],
  ['introspection', 'made-up token', 'orders_read', '401 invalid_token'],
  // The authorization server refuses to be asked about what looks like a JWT.
  ['introspection', 'none algorithm', 'orders_read', '503 temporarily_unavailable'],
  ['introspection', 'no token', 'orders_read', '401'],
  // What a caller may not call is hidden as if it were not there.
  ['concealing', 'read token', 'orders_read', 'runs'],
  ['concealing', 'read token', 'orders_admin', UNKNOWN],
  ['concealing', 'read token', 'undecided', UNKNOWN],
  ['concealing', 'read token', 'missing', UNKNOWN],
  ['concealing', 'expired token', 'ping', '401 invalid_token'],
  // Where tokens cannot be checked nobody comes in.
  ['without keys', 'admin token', 'ping', '503 temporarily_unavailable'],
  ['without keys', 'none algorithm', 'ping', '401 invalid_token'],
  ['without keys', 'no token', 'ping', '401'],
  ['failing', 'admin token', 'ping', '500 server_error'],
];

const FACES = ['fetch', 'node'] as const;
const ERAS = ['2026', '2025'] as const;
type Face = (typeof FACES)[number];
type Era = (typeof ERAS)[number];

let authority: AuthorizationServer;
let keyServer: LocalServer;
const servers = new Map<Served, GuardedOrders>();

beforeAll(async () => {
  authority = await AuthorizationServer.start();
  keyServer = await LocalServer.start(silence);
  await keyServer.close();
  const { issuer } = authority;
  const auth = (verifier: ResourceServerOptions['verifier']) => (): ResourceServerOptions => ({
    resource: RESOURCE,
    authorizationServers: [issuer],
    verifier,
  });
  const jwks = jwksVerifier({ issuer, audience: RESOURCE });
  const introspection = introspectionVerifier({ ...authority.introspection, issuer, audience: RESOURCE });
  const dead = jwksVerifier({ issuer, audience: RESOURCE, jwksUri: `${keyServer.url}/jwks` });
  const failing = { verifyAccessToken: () => Promise.reject(new Error('the database is down')) };
  servers.set('jwks', await GuardedOrders.start(auth(jwks)));
  servers.set('introspection', await GuardedOrders.start(auth(introspection)));
  servers.set('concealing', await GuardedOrders.start(auth(jwks), { concealTools: true }));
  servers.set('without keys', await GuardedOrders.start(auth(dead)));
  servers.set('failing', await GuardedOrders.start(auth(failing)));
}, 30_000);

afterAll(async () => {
  for (const server of servers.values()) await server.close();
  await authority.close();
});

beforeEach(() => {
  ran.length = 0;
});

function serverOf(served: Served): GuardedOrders {
  const server = servers.get(served);
  if (server === undefined) throw new Error(`no server ${served}`);
  return server;
}

/** Sends a request by a face of a handler. */
async function send(served: Served, face: Face, make: (url: string) => Request): Promise<Response> {
  const { handler, url } = serverOf(served);
  return face === 'fetch' ? handler.fetch(make('http://localhost/mcp')) : fetch(make(url));
}

function parameter(challenge: string | null, name: string): string | undefined {
  return new RegExp(`${name}="([^"]*)"`).exec(challenge ?? '')?.[1];
}

/** What came of a request, in a few words. */
async function outcomeOf(response: Response): Promise<string> {
  const { status, headers } = response;
  const challenge = headers.get('www-authenticate');
  if (status === 401 || status === 403) expect(parameter(challenge, 'resource_metadata')).toBe(METADATA);
  if (status === 401) {
    expect(parameter(challenge, 'scope')).toBe(SCOPES.toSorted().join(' '));
    return ['401', parameter(challenge, 'error')].filter((part) => part !== undefined).join(' ');
  }
  if (status === 403) return `403 ${parameter(challenge, 'error')}: ${parameter(challenge, 'scope')}`;
  const message = Object(await lastMessage(response));
  if (typeof message.error === 'string') return `${status} ${message.error}`;
  if (message.error !== undefined) return `${status === 200 ? '' : `${status} `}${message.error.code}`;
  if (message.result?.isError === true)
    return `${status} ${JSON.parse(message.result.content[0].text).error.code}`;
  return 'runs';
}

const credentials = new Map<CredentialName, Promise<Credential>>();

/** A credential; each is made once. */
function credentialOf(name: CredentialName): Promise<Credential> {
  const made = credentials.get(name) ?? CREDENTIALS[name](authority);
  credentials.set(name, made);
  return made;
}

async function call(row: Row, face: Face, era: Era, extra: RpcOptions = {}) {
  const [served, credential, tool] = row;
  const { authorization, query = '', who } = await credentialOf(credential);
  const isRegion = tool === 'orders_region';
  const headers = {
    ...(authorization === undefined ? {} : { authorization }),
    ...(isRegion && era === '2026' ? { 'mcp-param-region': 'eu' } : {}),
    ...extra.headers,
  };
  const params = { name: tool, arguments: isRegion ? { region: 'eu' } : {} };
  const legacy = era === '2025';
  const response = await send(served, face, (url) =>
    rpcRequest('tools/call', params, { ...extra, legacy, headers, url: `${url}${query}` }),
  );
  return { outcome: await outcomeOf(response), who };
}

const cells = ROWS.flatMap((row) =>
  ERAS.flatMap((era) =>
    FACES.map(
      (face) => [`${row.slice(0, 3).join(', ')}: ${row[3]} (${era}, ${face})`, row, face, era] as const,
    ),
  ),
);

it('has at least sixty rows, each of which is another', () => {
  expect(ROWS.length).toBeGreaterThanOrEqual(60);
  expect(new Set(ROWS.map((row) => row.slice(0, 3).join('|'))).size).toBe(ROWS.length);
});

describe('a call', () => {
  it.each(cells)('%s', async (_, row, face, era) => {
    const [, , tool, expected] = row;
    const { outcome, who } = await call(row, face, era);
    expect(outcome).toBe(expected);
    expect(ran).toEqual(expected === 'runs' ? [`${who} ${tool.replace('_', '.')}`] : []);
  });
});
